"""A client of live tables: what a program needs to sit down, speak and follow the log.

The one part of ``passline.live`` that knows HTTP, and only from the outside.
"""

from passline.live.client.answers import (
    ClientError,
    EntryReceipt,
    HouseSeen,
    LastThrow,
    ListedTable,
    OpenedTable,
    PlayerSeen,
    Refused,
    SayHeard,
    SayOutcome,
    SeatTaken,
    SettledWager,
    TableView,
    WagerUp,
)
from passline.live.client.client import Client

__all__ = [
    "Client",
    "ClientError",
    "EntryReceipt",
    "HouseSeen",
    "LastThrow",
    "ListedTable",
    "OpenedTable",
    "PlayerSeen",
    "Refused",
    "SayHeard",
    "SayOutcome",
    "SeatTaken",
    "SettledWager",
    "TableView",
    "WagerUp",
]
