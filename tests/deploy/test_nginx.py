"""deploy/nginx.conf, tried for real: two servers on one database behind nginx with TLS."""

from __future__ import annotations

import json
import re
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tests.live.conftest import database, postgres
from tests.web.serving import KEY, Server, events, serving

pytestmark = pytest.mark.system

__all__ = ["database", "postgres"]  # fixtures

CONF = Path(__file__).parents[2] / "deploy" / "nginx.conf"
NAME = "tables.example.com"


def find_nginx() -> str:
    found = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")
    if found is None:
        pytest.skip("nginx is not installed")
    return found


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def make_certificate(folder: Path) -> None:
    files = ["-keyout", str(folder / "privkey.pem"), "-out", str(folder / "fullchain.pem")]
    names = ["-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}"]
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
    subprocess.run([*command, *names, *files], check=True, capture_output=True)


@contextmanager
def nginx(folder: Path, *servers: Server) -> Iterator[int]:
    """Run nginx with the file as it is, but for addresses, ports and the certificate's folder."""
    program, port = find_nginx(), free_port()
    make_certificate(folder)
    text = CONF.read_text("utf-8")
    for number, server in enumerate(servers, 1):
        text = text.replace(f"10.0.0.1{number}:7117", server.url.partition("//")[2])
    text = text.replace("listen 443 ", f"listen 127.0.0.1:{port} ")
    text = text.replace("listen 80;", f"listen 127.0.0.1:{free_port()};")
    text = text.replace("/etc/ssl/passline", str(folder))
    assert "10.0.0." not in text
    paths = "".join(
        f"    {kind}_temp_path {folder}/{kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    text = text.replace("http {\n", f"http {{\n    access_log off;\n{paths}", 1)
    text = text.replace("worker_rlimit_nofile 65536;", "worker_rlimit_nofile 1024;")
    text = text.replace("worker_connections 16384", "worker_connections 512")
    text = text.replace("worker_processes auto", "worker_processes 1")
    own = folder / "nginx.conf"
    own.write_text(f"daemon off;\npid {folder}/nginx.pid;\nerror_log {folder}/error.log;\n{text}")
    args = [program, "-c", str(own), "-p", str(folder)]
    tried = subprocess.run([*args, "-t"], capture_output=True, text=True, check=False)
    assert tried.returncode == 0, tried.stderr
    process = subprocess.Popen(args, stderr=subprocess.PIPE)
    try:
        for _ in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield port
    finally:
        process.terminate()
        process.communicate(timeout=20)


def client(port: int, folder: Path) -> httpx.Client:
    trusted = ssl.create_default_context(cafile=str(folder / "fullchain.pem"))
    trusted.check_hostname = False
    return httpx.Client(
        base_url=f"https://127.0.0.1:{port}",
        headers={"Host": f"{NAME}:{port}"},
        verify=trusted,
        timeout=20,
    )


def count_said(server: Server) -> int:
    text = server.http.get("/metrics", headers={"Authorization": f"Bearer {KEY}"}).text
    found = re.findall(
        r'passline_requests_total\{route="/api/tables/\{table\}/say".*\} (\d+)', text
    )
    return sum(map(int, found))


def test_tables_behind_nginx(tmp_path: Path, database: str) -> None:
    options = ("--proxies", "127.0.0.1", "--hosts", NAME, "--seats", "8")
    front = tmp_path / "nginx"
    front.mkdir()
    front.chmod(0o755)
    with (
        serving(tmp_path, database, *options) as one,
        serving(tmp_path, database, *options) as two,
        nginx(front, one, two) as port,
        client(port, front) as http,
    ):
        check_proxy(http, one, two)
        assert one.end()[0] == two.end()[0] == 0


def check_proxy(http: httpx.Client, one: Server, two: Server) -> None:
    """Play through a proxy before two servers: each table stays on one of them."""
    assert http.get("/healthz").json()["ok"] is True
    assert http.get("/readyz").status_code == 200
    assert http.get("/metrics", headers={"Authorization": f"Bearer {KEY}"}).status_code == 404
    seen: set[int] = set()
    for number in range(30):  # Until both servers have had a table.
        before = count_said(one), count_said(two)
        play_one_table(http, number)
        said = count_said(one) - before[0], count_said(two) - before[1]
        assert sorted(said) == [0, 4], said  # One server gets every line of a table.
        seen.add(said.index(4))
        if seen == {0, 1}:
            break
    assert seen == {0, 1}
    # Clients cannot choose their address: the seats of all of them count for 127.0.0.1.
    table = open_table(http, "Full")
    answers = [
        http.post(
            f"/api/tables/{table}/seats",
            json={"name": f"p{number}", "buy_in": "500"},
            headers={"X-Forwarded-For": f"192.0.2.{number}"},
        )
        for number in range(10)
    ]
    assert [answer.status_code for answer in answers].count(429) >= 2


def open_table(http: httpx.Client, name: str) -> str:
    body = {"rulebook": "iowa", "name": name, "pace": {"betting": 0, "shooter": 0}}
    opened = http.post("/api/tables", json=body, headers={"Authorization": f"Bearer {KEY}"})
    assert opened.status_code == 201, opened.text
    assert opened.json()["url"].startswith("https:"), "the scheme that the proxy reports"
    return str(opened.json()["table"])


def play_one_table(http: httpx.Client, number: int) -> None:
    """Open a table, follow it, and say four lines: each is on the stream at once."""
    table = open_table(http, f"Table {number}")
    seat = http.post(f"/api/tables/{table}/seats", json={"name": "ann", "buy_in": "500"}).json()
    bearer = {"Authorization": f"Bearer {seat['token']}"}
    with http.stream("GET", f"/api/tables/{table}/events") as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        heard = events(answer.iter_lines())
        for turn in range(4):
            body = {"id": f"a{turn}", "say": "leave" if turn == 3 else "field for 5"}
            said = http.post(f"/api/tables/{table}/say", json=body, headers=bearer)
            assert said.status_code == 200, said.text
            began = time.monotonic()
            while True:
                seq, _, data = next(heard)
                if seq == str(said.json()["seq"]):
                    break
            assert json.loads(data)["hash"] == said.json()["hash"]
            assert time.monotonic() - began < 5
    cookie = http.post(
        f"/api/tables/{table}/cookie",
        json={"token": seat["token"]},
        headers={"Origin": f"https://{NAME}:{http.base_url.port}"},
    )
    assert "Secure" in cookie.headers["set-cookie"]
    http.cookies.clear()
