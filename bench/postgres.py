"""A temporary PostgreSQL server for tests and measurements, started here and deleted afterwards."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

#: Whom the server may run as where we are root, whom it refuses.
_USERS = ("postgres", "nobody")


def binaries() -> Path | None:
    """Return the folder of ``pg_ctl``: on the path, else of the newest PostgreSQL here, or None."""
    found = shutil.which("pg_ctl")
    if found:
        return Path(found).resolve().parent
    places = Path("/usr/lib/postgresql").glob("*/bin/pg_ctl")
    newest = max(places, key=lambda place: float(place.parts[-3]), default=None)
    return newest.parent if newest else None


class Server:
    """A PostgreSQL server with its data and its socket in ``folder``. The constructor starts it.

    Without ``sync``, it does not wait for the disk.
    """

    def __init__(self, folder: Path, programs: Path, *, sync: bool) -> None:
        self.folder, self._programs = folder, programs
        self._as: list[str] = []
        if os.geteuid() == 0:
            user = next(name for name in _USERS if _there(name))
            about = pwd.getpwnam(user)
            os.chown(folder, about.pw_uid, about.pw_gid)
            ids = (f"--reuid={about.pw_uid}", f"--regid={about.pw_gid}", "--clear-groups")
            self._as = ["setpriv", *ids]
        data = str(folder / "data")
        self._do("initdb", "-D", data, "-U", "passline", "-A", "trust", "-E", "UTF8", "--no-sync")
        with (folder / "data" / "postgresql.conf").open("a") as settings:
            settings.write(
                f"listen_addresses = ''\nunix_socket_directories = '{folder}'\n"
                f"fsync = {'on' if sync else 'off'}\nmax_connections = 60\n"
            )
        self.start()

    def _do(self, program: str, *words: str) -> None:
        command = [*self._as, str(self._programs / program), *words]
        done = subprocess.run(
            command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
        )
        if done.returncode:
            raise RuntimeError(f"{program}: {done.stdout.decode(errors='replace')}")

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        log = str(self.folder / "log")
        self._do("pg_ctl", "-D", str(self.folder / "data"), "-l", log, "-w", "start")

    def stop(self, mode: str = "fast") -> None:
        """Stop the server; the mode ``immediate`` is like a crash."""
        self._do("pg_ctl", "-D", str(self.folder / "data"), "-m", mode, "-w", "stop")

    def url(self, schema: str = "") -> str:
        """Return the server's URL; with a schema, tables are made there."""
        address = f"postgresql:///postgres?host={quote(str(self.folder))}&user=passline"
        return f"{address}&options={quote(f'-csearch_path={schema}')}" if schema else address


def _there(user: str) -> bool:
    try:
        pwd.getpwnam(user)
    except KeyError:
        return False
    return True


@contextmanager
def running(*, sync: bool = True) -> Iterator[Server]:
    """Yield a server, and delete it and its data afterwards.

    Raise LookupError if PostgreSQL is not installed, or if we are root and there is no other user
    to run it as.
    """
    programs = binaries()
    if programs is None:
        raise LookupError("no PostgreSQL here: pg_ctl was not found")
    if os.geteuid() == 0 and not (any(map(_there, _USERS)) and shutil.which("setpriv")):
        raise LookupError("PostgreSQL does not run as root, and there is nobody else to run it")
    folder = Path(tempfile.mkdtemp(prefix="passline-pg-"))
    server = None
    try:
        server = Server(folder, programs, sync=sync)
        yield server
    finally:
        if server:
            server.stop("immediate")
        shutil.rmtree(folder, ignore_errors=True)
