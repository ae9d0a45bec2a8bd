"""The address of this machine in its local network, by which others can connect to a server."""

import socket
from typing import Final
from urllib.parse import urlsplit

LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")
"""Hosts that only this machine reaches."""

EVERYWHERE: Final = ("0.0.0.0", "::")
"""Hosts of a server that listens to all networks."""

_ELSEWHERE: Final = ("192.0.2.1", 9)
"""An address that belongs to nobody (RFC 5737)."""


def address_of(host: str, port: int) -> str:
    """The http address of a server that listens at a host and a port."""
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def own_address() -> str | None:
    """The IPv4 address of this machine in its network; None without a network. It sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        try:
            one.connect(_ELSEWHERE)  # only chooses the network card
        except OSError:
            return None
        address: str = one.getsockname()[0]
    return None if address.startswith("127.") or address == "0.0.0.0" else address


def shared(url: str) -> str | None:
    """The URL by which others in the network reach a server that listens at `url`; None if they can't."""
    parts = urlsplit(url)
    if parts.hostname in LOOPBACK:
        return None
    if parts.hostname not in EVERYWHERE:
        return url
    address = own_address()
    return None if address is None else f"{parts.scheme}://{address}:{parts.port}"


def reach(url: str) -> str:
    """A sentence for the operator of a server that listens at `url`: who can connect, and by which link."""
    if urlsplit(url).hostname in LOOPBACK:
        return "Only this machine can connect; --host 0.0.0.0 lets others in."
    friends = shared(url)
    return "This machine has no network now." if friends is None else f"A friend in your network opens {friends}"
