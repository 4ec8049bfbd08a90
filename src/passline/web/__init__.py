"""The live tables' face on the network: the API, its streams, and the pages."""

from passline.web.app import App
from passline.web.replay_app import ReplayApp
from passline.web.server import BusyError, address_of, listen, own_names, serve

__all__ = ["App", "BusyError", "ReplayApp", "address_of", "listen", "own_names", "serve"]
