"""The work on a Dask cluster of two workers on this very machine, each its own process."""

from __future__ import annotations

import json
import logging
import re
import subprocess
import sys
from collections.abc import Iterator

import numpy as np
import pytest
from click.testing import CliRunner

from passline.cli.session import command as session_command
from passline.cli.simulate import command
from passline.lab.sessions.plan_and_result import Plan
from passline.lab.simulation.rolls import MIN_CHUNK_ROLLS, play_rolls
from passline.lab.simulation.sessions import sample_session
from passline.lab.simulation.workers import ClusterError, open_dask_workers
from passline.optional_packages import install_command
from tests.simulation.chains import closed, opened

ROLLS = 5 * MIN_CHUNK_ROLLS

pytestmark = [pytest.mark.usefixtures("loops_compiled"), pytest.mark.system]


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    from distributed import LocalCluster

    with LocalCluster(  # type: ignore[no-untyped-call]
        n_workers=2, threads_per_worker=1, dashboard_address=":0", host="127.0.0.1"
    ) as cluster:
        yield str(cluster.scheduler_address)


def test_a_cluster_gives_the_same_result_as_this_process(scheduler: str) -> None:
    chain = closed("pass-odds").chain()
    here = play_rolls(chain, ROLLS, seed=8)
    plan = Plan(20_000, 50)
    with open_dask_workers(scheduler) as hands:
        assert hands.number == 2
        there = play_rolls(chain, ROLLS, seed=8, executor=hands.executor, workers=2)
        evening = sample_session(chain, plan, 500, seed=8, executor=hands.executor)
    assert (there.rolls, there.net, there.sd_per_roll) == (here.rolls, here.net, here.sd_per_roll)
    assert there.standard_error == here.standard_error
    assert evening.final == sample_session(chain, plan, 500, seed=8).final


def test_a_growing_machine_is_played_on_a_cluster(scheduler: str) -> None:
    """It grows here, and is handed to the workers as far as it is known."""
    plan = Plan(20_000, 50, stop_win=5_000)
    with open_dask_workers(scheduler) as hands:
        there = play_rolls(opened("pass-odds"), 100_000, seed=8, executor=hands)
        evening = sample_session(opened("pass-odds"), plan, 300, seed=8, executor=hands)
    here = play_rolls(opened("pass-odds"), 100_000, seed=8)
    assert (there.workers, there.rolls, there.net) == (2, 100_000, here.net)
    assert there.standard_error == here.standard_error
    again = sample_session(opened("pass-odds"), plan, 300, seed=8)
    assert (evening.final, evening.fan, evening.goal) == (again.final, again.fan, again.goal)


def test_the_session_command_samples_on_the_cluster(scheduler: str) -> None:
    words = (
        "pass-odds --rulebook new-jersey --bankroll 500 --rolls 40 --trials 2000 --seed 8 --json"
    )
    there = CliRunner().invoke(session_command, [*words.split(), "--dask", scheduler])
    assert there.exit_code == 0, there.stderr
    here = CliRunner().invoke(session_command, words.split())
    told, same = json.loads(there.stdout), json.loads(here.stdout)
    for one in (told, same):
        del one["seconds"]
    assert told == same


@pytest.mark.parametrize("more", ["--exact", "--workers 2", "--device gpu"])
def test_a_cluster_is_no_other_way_to_play(more: str) -> None:
    words = f"pass --rulebook iowa --bankroll 500 --rolls 40 --dask 127.0.0.1:1 {more}"
    result = CliRunner().invoke(session_command, words.split())
    assert (result.exit_code, result.stdout) == (2, "")
    assert "--dask samples on a cluster" in result.stderr


def test_the_command_plays_on_the_cluster(scheduler: str) -> None:
    words = [
        "pass-odds",
        "--rulebook",
        "new-jersey",
        "--rolls",
        str(ROLLS),
        "--seed",
        "8",
        "--json",
    ]
    there = CliRunner().invoke(command, [*words, "--dask", scheduler])
    assert there.exit_code == 0, there.stderr
    here = CliRunner().invoke(command, words)
    told, same = json.loads(there.stdout), json.loads(here.stdout)
    assert told["workers"] == 2
    for key in ("rolls", "net", "mean_per_roll", "sd_per_roll", "standard_error"):
        assert told[key] == same[key]


@pytest.mark.parametrize("address", ["nonsense", "127.0.0.1", "tcp://a:b:c", "ftp://127.0.0.1:9"])
def test_an_address_that_is_none_is_one_clear_line(address: str) -> None:
    words = ["pass", "--rulebook", "iowa", "--rolls", "10", "--dask", address]
    result = CliRunner().invoke(command, words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"--dask: no Dask scheduler answers at {address!r}: expected HOST:PORT" in result.stderr
    assert result.stderr.count("\n") == 1


def refused(address: str, why: str) -> None:
    with pytest.raises(ClusterError, match=re.escape(why)), open_dask_workers(address):
        raise AssertionError("it was taken")


def test_nobody_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("passline.lab.simulation.workers.SCHEDULER_TIMEOUT", 0.2)
    refused("127.0.0.1:1", "no Dask scheduler answers at '127.0.0.1:1'")


def test_somebody_else_answers(scheduler: str) -> None:
    """A worker is no scheduler."""
    from distributed import Client

    with Client(scheduler, set_as_default=False) as client:  # type: ignore[no-untyped-call]
        worker = next(iter(client.ncores()))
    refused(worker, "there is a Worker, not a Dask scheduler")


def test_a_scheduler_without_workers() -> None:
    from distributed import LocalCluster

    with LocalCluster(  # type: ignore[no-untyped-call]
        n_workers=0, processes=False, dashboard_address=":0", host="127.0.0.1", protocol="tcp"
    ) as cluster:
        refused(str(cluster.scheduler_address), "has no workers")


def test_a_scheduler_that_goes_away_after_the_knock(monkeypatch: pytest.MonkeyPatch) -> None:
    import distributed

    def gone(*_: object, **__: object) -> None:
        raise OSError("Timed out trying to connect")

    monkeypatch.setattr("passline.lab.simulation.workers._check_scheduler", lambda address: None)
    monkeypatch.setattr(distributed, "Client", gone)
    words = ["pass", "--rulebook", "iowa", "--rolls", "10", "--dask", "127.0.0.1:8786"]
    result = CliRunner().invoke(command, words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "answers, but cannot be used: Timed out trying to connect" in result.stderr


def test_without_dask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    words = ["pass", "--rulebook", "iowa", "--rolls", "10", "--dask", "127.0.0.1:8786"]
    result = CliRunner().invoke(command, words)
    assert result.exit_code == 2
    assert install_command("dask") in result.stderr


def test_dask_is_quiet_while_it_plays(
    scheduler: str, capfd: pytest.CaptureFixture[str], recwarn: pytest.WarningsRecorder
) -> None:
    """Each of its loggers may have a level of its own; a table of megabytes is no cause to warn."""
    own = logging.getLogger("distributed.client")
    before = own.level
    with open_dask_workers(scheduler) as hands:
        own.critical("the cluster is gone")
        logging.getLogger("distributed.core").error("the cluster is gone")
        many = hands.executor.submit(len, np.zeros(4_000_000))
        assert many.result() == 4_000_000
    assert own.level == before
    assert "gone" not in capfd.readouterr().err
    assert not [each for each in recwarn if "Sending large graph" in str(each.message)]


def test_a_cluster_that_is_closed_midway() -> None:
    """A real one, in a run that would take days: what was played is kept, in one line."""
    script = """
import sys
from distributed import LocalCluster
from passline.cli.main import main
from passline.lab.simulation import rolls
if __name__ == "__main__":
    rolls.MIN_CHUNK_ROLLS = rolls.MAX_CHUNK_ROLLS = 2**20
    cluster = LocalCluster(
        n_workers=1, processes=False, dashboard_address=":0", host="127.0.0.1", protocol="tcp"
    )
    seen = []
    finish = rolls._RollRun.finish
    def counted(run, chunk):
        finish(run, chunk)
        seen.append(chunk)
        if len(seen) == 5:
            cluster.close()
    rolls._RollRun.finish = counted
    words = "passline simulate pass --rulebook iowa --rolls 1e13 --json --dask"
    sys.argv = [*words.split(), cluster.scheduler_address]
    main()
"""
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert ran.returncode == 2, ran.stderr
    found = json.loads(ran.stdout)
    assert found["interrupted"]
    assert found["rolls"] >= 5 * 2**20 - 5
    assert "passline simulate: --dask: the cluster failed: " in ran.stderr
    assert ran.stderr.count("\n") == 1
