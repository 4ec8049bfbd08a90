"""The live tables' face on the network: the API, its streams, and the pages."""

from passline.web.app import App
from passline.web.server import BusyError, address_of, listen, own_names, serve

__all__ = ["App", "BusyError", "address_of", "listen", "own_names", "serve"]
