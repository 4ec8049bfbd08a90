"""Commits that are shared, and those who wait for news."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from passline.live.store import MAX_BATCH, ChangeNotifier, GroupCommit, UnavailableError

pytestmark = pytest.mark.anyio


async def test_what_comes_during_a_commit_goes_together_in_the_next() -> None:
    batches: list[list[int]] = []

    async def commit(jobs: Sequence[int]) -> list[int]:
        batches.append(list(jobs))
        await asyncio.sleep(0.02)
        return [10 * job for job in jobs]

    group: GroupCommit[int, int] = GroupCommit(commit)
    first = asyncio.create_task(group.submit(1))
    await asyncio.sleep(0.005)
    others = [asyncio.create_task(group.submit(number)) for number in range(2, 6)]
    assert await asyncio.gather(first, *others) == [10, 20, 30, 40, 50]
    assert batches == [[1], [2, 3, 4, 5]]
    assert group.batch_sizes == {1: 1, 4: 1}
    await asyncio.gather(*(group.submit(0) for _ in range(MAX_BATCH + 1)))
    assert group.batch_sizes == {1: 2, 4: 1, MAX_BATCH: 1}


async def test_lines_that_come_close_together_wait_for_each_other_and_one_by_itself_never() -> None:
    loop, begun = asyncio.get_running_loop(), list[float]()

    async def commit(jobs: Sequence[int]) -> list[int]:
        begun.append(loop.time())
        return list(jobs)

    group: GroupCommit[int, int] = GroupCommit(commit, interval=0.1)
    for number in range(5):
        await group.submit(number)
    assert begun[-1] - begun[0] < 0.3
    await asyncio.gather(group.submit(1), group.submit(2))
    others = [asyncio.create_task(group.submit(number)) for number in range(3)]
    await asyncio.sleep(0.01)
    others += [asyncio.create_task(group.submit(number)) for number in range(3)]
    await asyncio.gather(*others)
    assert begun[-1] - begun[-2] > 0.09
    assert group.batch_sizes == {1: 5, 2: 1, 6: 1}


async def test_a_commit_that_fails_answers_all_and_the_next_goes_on() -> None:
    fails = [True]

    async def commit(jobs: Sequence[int]) -> list[int | Exception]:
        if fails.pop():
            raise UnavailableError("no disk")
        return [ValueError("odd") if job % 2 else job for job in jobs]

    group: GroupCommit[int, int] = GroupCommit(commit)
    fails.insert(0, False)
    failed = await asyncio.gather(group.submit(1), group.submit(2), return_exceptions=True)
    assert [type(wrong) for wrong in failed] == [UnavailableError] * 2
    mixed = await asyncio.gather(group.submit(1), group.submit(2), return_exceptions=True)
    assert [type(answer) for answer in mixed] == [ValueError, int]


async def test_closing_does_not_wait_for_ever() -> None:
    async def commit(jobs: Sequence[int]) -> list[int]:
        await asyncio.sleep(60)
        return list(jobs)

    before = asyncio.all_tasks()
    group: GroupCommit[int, int] = GroupCommit(commit)
    under_way = asyncio.create_task(group.submit(1))
    await asyncio.sleep(0.01)
    waiting = asyncio.create_task(group.submit(2))
    await asyncio.sleep(0)
    await group.close(0.05)
    for task in (under_way, waiting):
        with pytest.raises(UnavailableError, match="closed"):
            await asyncio.wait_for(task, 1)
    assert asyncio.all_tasks() - {asyncio.current_task()} - before == set()
    with pytest.raises(UnavailableError, match="closed"):
        await group.submit(3)


async def test_a_bell_tells_the_latest_once_and_forgets_who_left() -> None:
    notifier = ChangeNotifier()
    waiting = [asyncio.create_task(notifier.wait("t1", after)) for after in (0, 0, 5)]
    await asyncio.sleep(0)
    assert notifier.watched_tables() == ["t1"]
    notifier.notify("t2", 9)
    notifier.notify("t1", 3)
    notifier.notify("t1", 2)  # older news
    assert await asyncio.gather(*waiting[:2]) == [3, 3]
    assert not waiting[2].done()
    waiting[2].cancel()
    await asyncio.wait([waiting[2]])
    assert notifier.watched_tables() == []
    assert await notifier.wait("t1", 2) == 3
    notifier.clear()
    again = asyncio.create_task(notifier.wait("t1", 2))
    await asyncio.sleep(0)
    assert not again.done()
    notifier.notify("t1", 3)
    assert await again == 3


async def test_a_bell_wakes_nobody_for_what_is_known_here() -> None:
    notifier = ChangeNotifier()
    waiting = asyncio.create_task(notifier.wait("t1", 0))
    await asyncio.sleep(0)
    notifier.mark_known("t1", 1)
    notifier.notify("t1", 1)
    await asyncio.sleep(0)
    assert not waiting.done()
    notifier.mark_known("t1", 0)  # older
    notifier.notify("t1", 2)
    assert await waiting == 2
