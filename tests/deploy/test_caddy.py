"""deploy/Caddyfile, tried for real: two servers on one database behind Caddy with its own TLS."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.live.conftest import database, postgres
from tests.web.serving import Server, serving

from .test_nginx import NAME, check_proxy, client, free_port

pytestmark = pytest.mark.system

__all__ = ["database", "postgres"]  # fixtures

CONF = Path(__file__).parents[2] / "deploy" / "Caddyfile"


@contextmanager
def caddy(folder: Path, *servers: Server) -> Iterator[int]:
    """Run Caddy with the file as it is, but for addresses, and with certificates of its own."""
    program, port = shutil.which("caddy"), free_port()
    if program is None:
        pytest.skip("caddy is not installed")
    text = CONF.read_text("utf-8")
    for name, server in zip(("one", "two"), servers, strict=True):
        text = text.replace(f"{name}:7117", server.url.partition("//")[2])
    settings = (
        "admin off",
        "auto_https disable_redirects",
        f"default_sni {NAME}",
        "local_certs",
        "skip_install_trust",
        f"storage file_system {folder}",
    )
    own = folder / "Caddyfile"
    own.write_text("\n\t".join(("{", *settings)) + f"\n}}\n{text}")
    env = {**os.environ, "SITE": f"{NAME}:{port}", "HOME": str(folder)}
    root = folder / "pki" / "authorities" / "local" / "root.crt"
    with (folder / "log").open("w") as log:
        args = [program, "run", "--config", str(own), "--adapter", "caddyfile"]
        process = subprocess.Popen(args, stderr=log, env=env)
    try:
        for _ in range(400):
            if process.poll() is not None or (folder / "certificates" / "local" / NAME).is_dir():
                break
            time.sleep(0.05)
        assert root.exists(), (folder / "log").read_text()
        shutil.copy(root, folder / "fullchain.pem")
        yield port
    finally:
        process.terminate()
        process.wait(timeout=20)


def test_tables_behind_caddy(tmp_path: Path, database: str) -> None:
    options = ("--proxies", "127.0.0.1", "--hosts", NAME, "--seats", "8")
    front = tmp_path / "caddy"
    front.mkdir()
    with (
        serving(tmp_path, database, *options) as one,
        serving(tmp_path, database, *options) as two,
        caddy(front, one, two) as port,
        client(port, front) as http,
    ):
        check_proxy(http, one, two)
        assert one.end()[0] == two.end()[0] == 0
