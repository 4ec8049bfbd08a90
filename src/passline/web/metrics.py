"""What operators watch: counts and times, in Prometheus' text format."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

#: Upper bounds of the classes that times are counted in, in seconds.
BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)

Labels = tuple[tuple[str, str], ...]

#: What is counted: its name, whether it goes up and down, and what it is.
_METRICS: Final = (
    ("passline_lines_total", "counter", "Lines that were said, by what came of them."),
    ("passline_entries_total", "counter", "Entries that tables with streams gained."),
    ("passline_sent_total", "counter", "Entries sent to streams."),
    ("passline_appends_total", "counter", "What was handed to the store to be written."),
    ("passline_commits_total", "counter", "Synced commits that wrote it."),
    ("passline_tables", "gauge", "Tables that are folded and at hand."),
    ("passline_streams", "gauge", "Streams that are open."),
    ("passline_streams_ended_total", "counter", "Streams that ended, by why."),
    ("passline_requests_total", "counter", "Requests, by route, method and status."),
    ("passline_store_errors_total", "counter", "Requests that the store could not serve."),
    ("passline_failures_total", "counter", "Requests that failed by a fault of the server's."),
)
_REQUEST_SECONDS: Final = "passline_request_seconds"


class Metrics:
    """Counts and times since the server started.

    >>> metrics = Metrics()
    >>> metrics.add("passline_lines_total", outcome="taken")
    >>> [line for line in metrics.text().splitlines() if "lines" in line][-1]
    'passline_lines_total{outcome="taken"} 1'
    """

    def __init__(self) -> None:
        self._counts: dict[str, dict[Labels, int]] = {name: {} for name, _, _ in _METRICS}
        self._times: dict[Labels, _Histogram] = {}

    def add(self, counter: str, by: int = 1, **labels: str) -> None:
        """Count something; a gauge goes down by a negative number."""
        counts, key = self._counts[counter], tuple(labels.items())
        counts[key] = counts.get(key, 0) + by

    def count_request(self, route: str, method: str, status: str, seconds: float) -> None:
        """Count a request, and note how long it took where it took any time."""
        counts, key = (
            self._counts["passline_requests_total"],
            _request_labels(route, method, status),
        )
        counts[key] = counts.get(key, 0) + 1
        if seconds:
            times = self._times.get(key[:1])
            if times is None:
                times = self._times[key[:1]] = _Histogram()
            times.add(seconds)

    def set(self, name: str, value: int) -> None:
        """Set what is counted elsewhere."""
        self._counts[name] = {(): value}

    def text(self) -> str:
        """Everything, as Prometheus reads it."""
        return "".join(f"{line}\n" for line in self._lines())

    def _lines(self) -> Iterable[str]:
        for name, kind, about in _METRICS:
            yield from (f"# HELP {name} {about}", f"# TYPE {name} {kind}")
            counts = self._counts[name] or {(): 0}
            for labels, count in sorted(counts.items()):
                yield f"{name}{_format_labels(labels)} {count}"
        yield f"# HELP {_REQUEST_SECONDS} Seconds from a request's head to its answer's last byte."
        yield f"# TYPE {_REQUEST_SECONDS} histogram"
        for labels, times in sorted(self._times.items()):
            yield from times.lines(labels)


@lru_cache(1024)
def _request_labels(route: str, method: str, status: str) -> Labels:
    return (("route", route), ("method", method), ("status", status))


class _Histogram:
    """Times, counted by class."""

    def __init__(self) -> None:
        self.counts = [0] * (len(BUCKETS) + 1)
        self.sum = 0.0

    def add(self, seconds: float) -> None:
        self.counts[bisect_left(BUCKETS, seconds)] += 1
        self.sum += seconds

    def lines(self, labels: Labels) -> Iterable[str]:
        total = 0
        for bound, count in zip((*BUCKETS, "+Inf"), self.counts, strict=True):
            total += count
            yield f"{_REQUEST_SECONDS}_bucket{_format_labels((*labels, ('le', str(bound))))} {total}"  # noqa: E501
        yield f"{_REQUEST_SECONDS}_sum{_format_labels(labels)} {self.sum:.6f}"
        yield f"{_REQUEST_SECONDS}_count{_format_labels(labels)} {total}"


def _format_labels(labels: Labels) -> str:
    """Labels as they stand after a name. Their values are ours: nothing in them needs escaping."""
    return "{" + ",".join(f'{name}="{value}"' for name, value in labels) + "}" if labels else ""
