"""Metrics for operators: counters, gauges and response times, in Prometheus' text format."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

#: The upper bounds of the histogram's buckets, in seconds.
BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)

Labels = tuple[tuple[str, str], ...]

#: Each metric: its name, its type, its help text.
_METRICS: Final = (
    ("passline_lines_total", "counter", "Lines that were said, by outcome."),
    ("passline_entries_total", "counter", "Entries appended to tables that have streams."),
    ("passline_sent_total", "counter", "Entries sent to streams."),
    ("passline_appends_total", "counter", "Appends passed to the store."),
    ("passline_commits_total", "counter", "Synced commits of the store."),
    ("passline_tables", "gauge", "Tables held in memory."),
    ("passline_streams", "gauge", "Open streams."),
    ("passline_streams_ended_total", "counter", "Streams that ended, by reason."),
    ("passline_requests_total", "counter", "Requests, by route, method and status."),
    ("passline_store_errors_total", "counter", "Requests that the store could not serve."),
    ("passline_failures_total", "counter", "Requests that failed by a fault of the server."),
    ("passline_refused_total", "counter", "Connections and requests over a limit, by limit."),
    ("passline_wrong_tokens_total", "counter", "Requests with a wrong key or token."),
    ("passline_connections", "gauge", "Open connections, by kind."),
    ("passline_loop_lag_seconds", "gauge", "How late the event loop ran its last task."),
    ("passline_loop_lag_longest_seconds", "gauge", "The longest such delay of a minute."),
    ("passline_disk_free_bytes", "gauge", "Free bytes of the disk with the logs."),
    ("passline_disk_reserve_bytes", "gauge", "Free bytes below which nothing new is taken."),
    ("process_cpu_seconds_total", "counter", "Processor time of this process."),
    ("process_start_time_seconds", "gauge", "When this process started, in Unix time."),
    ("process_resident_memory_bytes", "gauge", "Memory of this process."),
    ("process_open_fds", "gauge", "Files and connections that this process has open."),
    ("process_max_fds", "gauge", "Files and connections that this process may open."),
)
#: Metrics that are measured, not counted. They are left out where the system does not know them.
_MEASURED: Final = ("process_", "passline_disk_")
#: The key under which a request's scope holds the path of its route, which labels its metrics.
ROUTE_KEY: Final = "passline.route"
_REQUEST_SECONDS: Final = "passline_request_seconds"


class Metrics:
    """The server's metrics: counts and response times since it started.

    >>> metrics = Metrics()
    >>> metrics.add("passline_lines_total", outcome="taken")
    >>> [line for line in metrics.text().splitlines() if "lines" in line][-1]
    'passline_lines_total{outcome="taken"} 1'
    """

    def __init__(self) -> None:
        self._counts: dict[str, dict[Labels, float]] = {name: {} for name, _, _ in _METRICS}
        self._times: dict[Labels, _Histogram] = {}

    def add(self, counter: str, by: int = 1, **labels: str) -> None:
        """Add ``by`` to the counter that has this name and these labels."""
        counts, key = self._counts[counter], tuple(labels.items())
        counts[key] = counts.get(key, 0) + by

    def count_request(self, route: str, method: str, status: str, seconds: float) -> None:
        """Count a request by its route, method and status, and record its response time.

        ``seconds`` is 0 for streams, whose time is not recorded.
        """
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

    def set(self, name: str, value: float, **labels: str) -> None:
        """Set the metric that has this name and these labels to a value counted elsewhere."""
        if not labels:
            self._counts[name] = {(): value}
        else:
            self._counts[name][tuple(labels.items())] = value

    def text(self) -> str:
        """Return all metrics in Prometheus' text format."""
        return "".join(f"{line}\n" for line in self._lines())

    def _lines(self) -> Iterable[str]:
        for name, kind, about in _METRICS:
            yield from (f"# HELP {name} {about}", f"# TYPE {name} {kind}")
            counts = self._counts[name] or ({} if name.startswith(_MEASURED) else {(): 0})
            for labels, count in sorted(counts.items()):
                yield f"{name}{_format_labels(labels)} {count}"
        yield f"# HELP {_REQUEST_SECONDS} Seconds from a request to the end of its response."
        yield f"# TYPE {_REQUEST_SECONDS} histogram"
        for labels, times in sorted(self._times.items()):
            yield from times.lines(labels)


@lru_cache(1024)
def _request_labels(route: str, method: str, status: str) -> Labels:
    return (("route", route), ("method", method), ("status", status))


class _Histogram:
    """Response times, counted by bucket."""

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
    """Return labels as ``{name="value"}``, or "" if there are none.

    The values come from the server itself and need no escaping.
    """
    return "{" + ",".join(f'{name}="{value}"' for name, value in labels) + "}" if labels else ""
