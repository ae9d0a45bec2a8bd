"""The lines on a page's console that do not fail a test."""

import pytest

from tests.web.conftest import expected

HOST = "http://127.0.0.1:8080"
FAILED = "Failed to load resource: the server responded with a status of 503 (Service Unavailable)"


@pytest.mark.by_default
def test_a_server_that_is_away_is_no_fault_of_a_page_and_a_resource_that_it_lacks_is() -> None:
    assert expected("Failed to load resource: net::ERR_CONNECTION_REFUSED", f"{HOST}/static/game/room.js")
    assert expected(f"WebSocket connection to 'ws://{HOST}/ws' failed", f"{HOST}/r/abc")
    assert expected(FAILED, f"{HOST}/origin?page=http%3A%2F%2F127.0.0.1")
    for path in ("", "/", "/static/game/room.js", "/r/abc", "/r/abc.png"):
        assert not expected(FAILED, f"{HOST}{path}"), path
    assert not expected("Uncaught TypeError: origin is undefined", f"{HOST}/origin")
