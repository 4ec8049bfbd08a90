"""The pages: the lobby and its form, the law, what wagers are worth, the documentation."""

from passline.web.pages.daily import DailyPages
from passline.web.pages.docs import DocsPages
from passline.web.pages.law import LawPages
from passline.web.pages.lobby import LobbyPages
from passline.web.pages.luck import LuckPages
from passline.web.pages.opening import OpeningPage
from passline.web.pages.operating import OperatingPage
from passline.web.pages.replay import ReplayPages
from passline.web.pages.sessions import SessionPages
from passline.web.pages.table import TablePages
from passline.web.pages.worth import WorthPages

__all__ = [
    "DailyPages",
    "DocsPages",
    "LawPages",
    "LobbyPages",
    "LuckPages",
    "OpeningPage",
    "OperatingPage",
    "ReplayPages",
    "SessionPages",
    "TablePages",
    "WorthPages",
]
