"""The rating list of engines over HTTP: only files of the list, always the newest."""

import asyncio
import json
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from fourfold.server.transport import engine_list
from fourfold.server.transport.engine_list import BadList, EngineList, check
from tests.clients.bots.ratinglist.made import publish
from tests.each import each
from tests.server.transport.test_http import Browser

Start = Callable[..., Awaitable[str]]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    publish(tmp_path / "list")
    return tmp_path / "list"


async def asked(url: str, path: str) -> tuple[int, dict[str, str], bytes]:
    """The status, the headers and the body at a path of a server."""
    where = urlsplit(url)
    browser = Browser(*await asyncio.open_connection(where.hostname, where.port))
    try:
        return await browser.ask("GET", path, "Connection: close")
    finally:
        await browser.end()


async def test_a_server_publishes_its_list(start: Start, folder: Path) -> None:
    url = await start(engine_list=folder)
    status, headers, body = await asked(url, "/engines.json")
    assert (status, headers["content-type"], headers["cache-control"]) == (200, "application/json", "no-cache")
    found = json.loads(body)
    assert [one["variant"] for one in found["lists"]] == ["standard", "teams"]
    pair = found["lists"][1]["meetings"][0]["id"]
    status, _, body = await asked(url, f"/engines/{pair}.json")
    game = json.loads(body)["games"][0]["file"]
    status, headers, body = await asked(url, f"/engines/{game}")
    assert (status, headers["content-type"]) == (200, "text/plain; charset=utf-8")
    assert body.startswith(b'[Event "Level 1 against ')
    status, headers, page = await asked(url, "/engines")
    assert status == 200 and b"/engines/engines.js" in page
    assert b'href="/engines"' in (await asked(url, "/"))[2]


async def test_a_server_without_a_list_has_no_page_of_it(start: Start) -> None:
    url = await start()
    for path in ("/engines", "/engines.json", "/engines/0123456789ab.json"):
        assert (await asked(url, path))[0] == 404, path
    assert b'href="/engines"' not in (await asked(url, "/"))[2]


async def test_no_other_file_is_served(folder: Path) -> None:
    for name in ("0123456789ab.md", "0123456789AB.json", "0123456789ab-.pgn", ".json"):
        (folder / "games" / name).touch()
    for path in (
        "/engines/list.json", "/engines/results.jsonl", "/engines/../list.json", "/engines/%2e%2e/list.json",
        "/engines/", "/engines/games/x", "/engines/0123456789ab.md", "/engines/0123456789ab-1.pgn/x", "/engines.json/",
        "/engines//etc/passwd", "/engines/0123456789AB.json", "/engines/0123456789ab-.pgn", "/engines/.json",
    ):  # fmt: skip
        assert await EngineList(folder).find(path) is None, path


async def test_a_list_that_has_grown_is_shown_at_once(folder: Path) -> None:
    engines = EngineList(folder)
    first: Any = await engines.find("/engines.json")
    assert await engines.find("/engines.json") is first, "it is read once"
    publish(folder, 4)
    second: Any = await engines.find("/engines.json")
    assert json.loads(second.body)["lists"][0]["games"] == 12 and second.tag != first.tag


async def test_missing_and_large_files_and_folders_are_not_found(folder: Path) -> None:
    engines = EngineList(folder)
    (folder / "games" / "0123456789ab.json").mkdir()
    assert await engines.find("/engines/0123456789ab.json") is None
    assert await engines.find("/engines/0123456789ac.json") is None
    os.truncate(folder / "list.json", engine_list.LARGEST + 1)
    assert await engines.find("/engines.json") is None
    (folder / "list.json").unlink()
    assert await engines.find("/engines.json") is None


async def test_few_files_stay_in_memory(folder: Path) -> None:
    engines = EngineList(folder)
    for number in range(engine_list.CACHED + 5):
        (folder / "games" / f"0123456789ab-{number}.pgn").write_text(f"{number}")
        assert await engines.find(f"/engines/0123456789ab-{number}.pgn") is not None
    assert len(engines._cache) == engine_list.CACHED


@each(("text", "sentence"), [
    (None, "list.json cannot be read: No such file or directory."),
    ("{", "list.json is not JSON: "),
    ("\udcff", "list.json is not JSON: "),
    ("[]", "list.json is not a list of `python -m fourfold.clients.bots.ratinglist`."),
    ('{"format": 1}', "list.json is not a list of "),
    ('{"format": 2, "lists": []}', "list.json has the format 2, but this server shows 1."),
    ('{"format": 1, "lists": []' + " " * 2**20 + "}", "bytes, but a list has at most 1048576."),
])  # fmt: skip
def test_a_folder_without_a_good_list_is_refused(text: str | None, sentence: str, tmp_path: Path) -> None:
    if text is not None:
        (tmp_path / "list.json").write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(BadList) as caught:
        check(tmp_path)
    assert sentence in str(caught.value) and str(caught.value).endswith(".")


def test_a_written_list_is_good(folder: Path) -> None:
    check(folder)
