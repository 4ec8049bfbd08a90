"""Trusted proxies, whose X-Forwarded headers say from which client a request comes."""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import cast

from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from passline.web.admission import PEER_KEY
from passline.web.operator_log import RepeatedMessages


class ProxyError(ValueError):
    """Raised for text that is no address or network. The message is for the operator."""


class Proxies:
    """The addresses and networks of trusted proxies. X-Forwarded headers from others are ignored.

    >>> proxies = Proxies(["10.0.0.0/8", "::1"])
    >>> [proxies.is_trusted(one) for one in ("10.1.2.3", "::ffff:10.1.2.3", "192.0.2.1", "")]
    [True, True, False, False]
    """

    def __init__(self, addresses: Iterable[str] = ()) -> None:
        self._networks: list[IPv4Network | IPv6Network] = []
        for address in addresses:
            try:
                self._networks.append(ip_network(address))
            except ValueError:
                raise ProxyError(
                    f"{address!r} is not an address or network, such as 10.0.0.5 or 10.0.0.0/24"
                ) from None

    def is_trusted(self, address: str) -> bool:
        """Return whether an address belongs to a trusted proxy."""
        try:
            found = ip_address(_plain_address(address))
        except ValueError:
            return False
        return any(found in network for network in self._networks)

    def wrap(self, app: ASGIApp, repeated: RepeatedMessages) -> ASGIApp:
        """Return an application that gives ``app`` the clients' addresses from the proxies.

        A request through a proxy that is not trusted is logged to ``repeated``.
        """
        trusted = [str(network) for network in self._networks]
        inner = cast(ASGIApp, ProxyHeadersMiddleware(app, trusted))  # type: ignore[arg-type]

        async def call(scope: Scope, receive: Receive, send: Send) -> None:
            client, server = scope.get("client"), scope.get("server")
            if client is not None:
                scope[PEER_KEY] = tuple(client), tuple(server) if server else None
                scope["client"] = _plain_address(client[0]), client[1]
                if not self.is_trusted(client[0]) and _is_forwarded(scope):
                    repeated.report(
                        "untrusted proxy",
                        f"a request from {client[0]} has X-Forwarded-For, which is not believed: "
                        "if that is your proxy, start the server with --proxies",
                    )
            await inner(scope, receive, send)

        return call


def _plain_address(address: str) -> str:
    """Return an IPv4 address that is written as IPv6 (``::ffff:10.1.2.3``) in its usual form."""
    if not address.startswith("::ffff:"):
        return address
    try:
        return str(IPv6Address(address).ipv4_mapped or address)
    except ValueError:
        return address


def _is_forwarded(scope: Scope) -> bool:
    return any(name == b"x-forwarded-for" for name, _ in scope["headers"])
