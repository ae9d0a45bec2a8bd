"""Server addresses."""

import pytest

from fourfold.clients.websocket import address


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://127.0.0.1:8080", "ws://127.0.0.1:8080/ws"),
        ("http://127.0.0.1:8080/", "ws://127.0.0.1:8080/ws"),
        ("https://chess.example", "wss://chess.example/ws"),
        ("https://chess.example/four/", "wss://chess.example/four/ws"),
        ("ws://[::1]:80/ws", "ws://[::1]:80/ws"),
        ("wss://chess.example/four/ws", "wss://chess.example/four/ws"),
    ],
)
def test_addresses(url: str, expected: str) -> None:
    assert address(url) == expected


def test_a_connection_about_a_room_names_it() -> None:
    assert address("https://chess.example/four/", "abcd2345") == "wss://chess.example/four/ws?room=abcd2345"
    assert address("http://127.0.0.1:1", "what ever&") == "ws://127.0.0.1:1/ws?room=what%20ever%26"


@pytest.mark.parametrize("url", ["", "127.0.0.1:8080", "localhost", "ftp://chess.example", "http://", "http:///ws"])
def test_what_is_no_address_is_refused_with_the_right_form(url: str) -> None:
    with pytest.raises(ValueError, match="use http://HOST:PORT"):
        address(url)
