"""Serving the browser client: complete, compressed, cached, and no other files."""

import gzip
import http.client
import io
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest
import segno

from fourfold.server.transport.qr import MASK
from fourfold.server.transport.static_files import ENGINES, StaticFiles, imports, load

pytestmark = pytest.mark.by_default

LASTING = "public, max-age=31536000, immutable"

Ask = Callable[..., Any]


@pytest.fixture
def ask(server: Any) -> Ask:
    """The response to a request on a path, and its body."""

    def request(path: str, method: str = "GET", **headers: str) -> tuple[http.client.HTTPResponse, bytes]:
        connection = http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=240)
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
        ("/static/game/room.js", "text/javascript; charset=utf-8"),
        ("/static/ui/tokens.css", "text/css; charset=utf-8"),
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
    first, _ = ask("/static/board/board.js")
    tag = first.headers["ETag"]
    for known in (tag, f'"other", W/{tag}', "*"):
        again, body = ask("/static/board/board.js", **{"If-None-Match": known})
        assert (again.status, body, again.headers["ETag"]) == (304, b"", tag)
    other, body = ask("/static/board/board.js", **{"If-None-Match": '"other"'})
    assert other.status == 200 and body


def test_compressed_for_who_asks(ask: Ask) -> None:
    _, plain = ask("/static/board/board.js")
    response, packed = ask("/static/board/board.js", **{"Accept-Encoding": "gzip, br"})
    assert response.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed) == plain


@pytest.mark.parametrize(
    "path",
    ["/static/", "/static/lobby", "/static/lobby/", "/static/lobby/index.html", "/static/../__init__.py",
     "/static/%2e%2e/__init__.py", "/static/..%2f__init__.py", "/static/lobby/../../__init__.py",
     "/static/lobby/../ui/dom.js", "/static/lobby/%2e%2e/ui/dom.js", "/static//etc/passwd", "/r/", "/r/a/b",
     "/clients/web/static/game/room.js", "/favicon.ico"],
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


PAGES = (
    "/", "/r/any", "/s/any", "/puzzles", "/studies", "/read", "/admin", "/learn", "/preferences", "/tv", "/wall",
    "/embed/any", "/overlay/any", "/engines",
)  # fmt: skip


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_whole(path: str) -> None:
    page = load(frozenset({ENGINES})).find(path)
    assert page is not None
    text = page.body.decode()
    assert "<!--" not in text, "its parts are there"
    assert text.startswith('<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n')
    assert text.endswith("</body>\n</html>\n")
    assert all(text.count(once) == 1 for once in ("</head>", "<body", "<title>", 'rel="icon"', "ui/tokens.css"))


def test_a_missing_part_of_a_page_is_an_error() -> None:
    with pytest.raises(KeyError, match=r"ui/none\.html"):
        StaticFiles({"lobby/index.html": b"<!-- include ui/none.html -->\n"})


def test_pages_and_parts_of_a_feature_are_left_out_without_it() -> None:
    files = {
        "lobby/index.html": b"<p>\n  <!-- include lobby/engines.html if engines -->\n</p>\n",
        "lobby/engines.html": b"<a></a>\n",
        "engines/engines.html": b"<b></b>\n",
    }
    for features, lobby, page in ((frozenset(), b"<p>\n</p>\n", False), ({ENGINES}, b"<p>\n<a></a>\n</p>\n", True)):
        pages = StaticFiles(files, features)
        found = pages.find("/")
        assert found is not None and found.body == lobby
        assert (pages.find("/engines") is not None) == page


def test_what_a_page_names_never_changes(ask: Ask) -> None:
    """Browsers need not ask again; of another build, there is nothing at that address."""
    for path in ("/", "/r/any"):
        page, body = ask(path)
        assert page.headers["Cache-Control"] == "no-cache"
        named = re.findall(r'"(/static/[^"]+)"', body.decode())
        assert len(named) > 10
        for file in named:
            response, _ = ask(file)
            assert (response.status, response.headers["Cache-Control"]) == (200, LASTING), file
    assert ask("/static/icon.svg")[0].headers["Cache-Control"] == "no-cache"
    assert ask(f"/static/{'0' * 16}/icon.svg")[0].status == 404


@pytest.mark.parametrize(("path", "most"), [("/", 60), ("/r/any", 65), ("/s/aaaaaaaaaaaaaa", 61), ("/studies", 60)])
def test_the_first_paint_takes_so_many_kib_at_most(path: str, most: int) -> None:
    """The page and every file that it names, compressed, as browsers are sent them."""
    pages = load()
    page = pages.find(path)
    assert page is not None
    files = [pages.find(name) for name in re.findall(r'"(/static/[^"]+)"', page.body.decode())]
    assert sum(len(file.packed) for file in files if file is not None) + len(page.packed) < most * 1024


@pytest.mark.parametrize(("path", "main"), [("/", "lobby/lobby.js"), ("/r/any", "game/room.js")])
def test_a_page_asks_for_all_its_modules_at_once(path: str, main: str) -> None:
    """Not for one after the other, as each is read and found to need the next."""
    pages = load()
    page = pages.find(path)
    assert page is not None
    preloaded = re.findall(rf'<link rel="modulepreload" href="/static/{pages.build}/([\w./-]+)">', page.body.decode())
    files = {name: file.body for name in preloaded if (file := pages.find(f"/static/{name}")) is not None}
    first = pages.find(f"/static/{main}")
    assert first is not None
    assert sorted(preloaded) == preloaded == sorted(imports(main, files | {main: first.body}))
    assert {"net/connection.js", "ui/dom.js", "text/words.js"} <= set(preloaded)


def test_a_phone_reads_a_link(ask: Ask) -> None:
    path, host = "/r/abcd2345/qr.svg?at=https%3A%2F%2Fchess.example.org", "chess.example.org:8443"
    response, body = ask(path, Host=host)
    assert (response.status, response.headers["Content-Type"]) == (200, "image/svg+xml")
    again = io.BytesIO()
    segno.make_qr("https://chess.example.org/r/abcd2345", error="m", mask=MASK).save(
        again, kind="svg", border=4, light="#fff", omitsize=True, nl=False
    )
    assert body == again.getvalue()
    for bad in ("", "?at=", "?at=ftp://x", "?at=https://x/y", "?at=https://a%20b", f"?at=https://{'x' * 300}"):
        assert ask(f"/r/abcd2345/qr.svg{bad}")[0].status == 404
    assert ask(path)[0].status == 403, "a link to another host"


@pytest.mark.parametrize(
    ("host", "named"),
    [
        ("chess.example.org", "ws://chess.example.org wss://chess.example.org"),
        ("[::1]:8080", "ws://[::1]:8080 wss://[::1]:8080"),
        ("evil; script-src *", ""),
        ("*", ""),
    ],
)
def test_a_socket_may_be_opened_to_this_host_alone(ask: Ask, host: str, named: str) -> None:
    response, _ = ask("/", Host=host)
    (sockets,) = re.findall(r"connect-src ([^;]*)", response.headers["Content-Security-Policy"])
    assert sockets == f"'self' {named}".strip()
