"""How the browser client is served: whole, checked, cached, and nothing else with it."""

import gzip
import http.client
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest

from server.pages import load

Ask = Callable[..., Any]


@pytest.fixture
def ask(server: Any) -> Ask:
    """The response to a request on a path, and its body."""

    def request(path: str, method: str = "GET", **headers: str) -> tuple[http.client.HTTPResponse, bytes]:
        connection = http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=5)
        connection.request(method, path, headers=headers)
        response = connection.getresponse()
        body = response.read()
        connection.close()
        return response, body

    return request


@pytest.mark.parametrize(
    ("path", "type"),
    [
        ("/", "text/html; charset=utf-8"),
        ("/?from=mail", "text/html; charset=utf-8"),
        ("/r/abc123", "text/html; charset=utf-8"),
        ("/static/room.js", "text/javascript; charset=utf-8"),
        ("/static/style.css", "text/css; charset=utf-8"),
        ("/static/icon.svg", "image/svg+xml"),
    ],
)
def test_files_are_served(ask: Ask, path: str, type: str) -> None:
    response, body = ask(path)
    assert (response.status, response.headers["Content-Type"]) == (200, type)
    assert int(response.headers["Content-Length"]) == len(body) > 0
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    policy = response.headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy and "unsafe" not in policy


def test_a_version_that_is_known_is_not_sent_again(ask: Ask) -> None:
    first, _ = ask("/static/board.js")
    tag = first.headers["ETag"]
    for known in (tag, f'"other", W/{tag}', "*"):
        again, body = ask("/static/board.js", **{"If-None-Match": known})
        assert (again.status, body, again.headers["ETag"]) == (304, b"", tag)
    other, body = ask("/static/board.js", **{"If-None-Match": '"other"'})
    assert other.status == 200 and body


def test_compressed_for_who_asks(ask: Ask) -> None:
    _, plain = ask("/static/board.js")
    response, packed = ask("/static/board.js", **{"Accept-Encoding": "gzip, br"})
    assert response.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed) == plain


@pytest.mark.parametrize(
    "path",
    ["/static/", "/static/index.html", "/static/../__init__.py", "/static/%2e%2e/__init__.py",
     "/static/..%2f__init__.py", "/static//etc/passwd", "/r/", "/r/a/b", "/clients/web/static/room.js", "/favicon.ico"],
)  # fmt: skip
def test_nothing_else_is(ask: Ask, path: str) -> None:
    response, _ = ask(path)
    assert response.status == 404


def test_no_page_has_a_script_or_style_within(ask: Ask) -> None:
    for path in ("/", "/r/any"):
        _, body = ask(path)
        text = body.decode()
        assert "<style" not in text and "style=" not in text and "onclick" not in text
        assert text.count("<script") == text.count('<script type="module" src="/static/')


@pytest.mark.parametrize("path", ["/", "/r/any"])
def test_the_first_paint_takes_less_than_100_kb(ask: Ask, path: str) -> None:
    """The page and every file of ours, compressed, as browsers are sent them."""
    pages = load()
    page = pages.find(path)
    assert page is not None
    linked = set(re.findall(r'"/static/([\w.-]+)"', page.body.decode()))
    names = linked | _modules("lobby.js" if path == "/" else "room.js")
    files = [pages.find(f"/static/{name}") for name in names]
    assert sum(len(file.packed) for file in files if file is not None) + len(page.packed) < 100_000


@pytest.mark.parametrize(("path", "main"), [("/", "lobby.js"), ("/r/any", "room.js")])
def test_a_page_asks_for_all_its_modules_at_once(path: str, main: str) -> None:
    """Not for one after the other, as each is read and found to need the next."""
    page = load().find(path)
    assert page is not None
    preloaded = re.findall(r'<link rel="modulepreload" href="/static/([\w.]+)">', page.body.decode())
    assert sorted(preloaded) == preloaded == sorted(_modules(main) - {main})


def _modules(name: str) -> set[str]:
    """A module and all that it imports."""
    pages = load()
    seen: set[str] = set()
    todo = [name]
    while todo:
        module = todo.pop()
        if module in seen:
            continue
        seen.add(module)
        file = pages.find(f"/static/{module}")
        assert file is not None, f"{module} is imported but not there"
        todo += re.findall(r'from "\./([\w.]+)"', file.body.decode())
    return seen
