"""Users' texts stay text on the page, in any script: nothing in them runs, loads, hides or reorders."""

from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any
from urllib.parse import quote

import pytest

from fourfold.clients.connection import Connection
from fourfold.protocol import from_client as ask

pytestmark = pytest.mark.asyncio(loop_scope="session")

Visit = Callable[..., Awaitable[Any]]

NAMES = ("<img src onerror=pwn()>", '"><svg onload=pwn()>', "</script><script>pwn()//", "${pwn()}{{pwn()}}")
"""At most as long as names may be."""

TALK = (
    *NAMES,
    "<iframe srcdoc='<script>parent.pwn()</script>'></iframe>",
    "<a href=javascript:pwn()>a</a><style>*{display:none}</style><base href=//evil.example>",
    "&lt;b&gt; &#60;script&#62;pwn()&#60;/script&#62; \\u003cscript\\u003epwn()",
    "https://evil.example/ <meta http-equiv=refresh content=0;url=//evil.example>",
)

WATCH = """() => {
  window.pwned = 0;
  window.pwn = () => { window.pwned += 1; };
  window.alert = window.pwn;
}"""

FOREIGN = (
    "img:not([src^='/r/']), iframe, object, embed, base, style, meta[http-equiv],"
    "script:not([src^='/static/']), [onload], [onerror]"
)
"""Things that no page contains by itself."""


async def harmless(page: Any) -> None:
    """Nothing has run, nothing is there that was not, nobody was sent elsewhere."""
    assert await page.evaluate("() => window.pwned") == 0
    found = await page.evaluate(f"() => [...document.querySelectorAll({FOREIGN!r})].map(e => e.outerHTML)")
    assert found == []
    assert await page.evaluate("() => performance.getEntriesByType('resource').every(e => e.name.startsWith(origin))")


async def visited(visit: Visit, url: str, **options: Any) -> Any:
    page = await visit(url, **options)
    await page.add_init_script(f"({WATCH})()")
    await page.reload()
    return page


async def test_names_are_text(server: Any, visit: Visit) -> None:
    async with AsyncExitStack() as stack:
        players = [await stack.enter_async_context(Connection(server.url, name=name)) for name in NAMES]
        room: str = (await players[0].request(ask.Create(variant="survivor"))).room  # type: ignore[attr-defined]
        for player in players[:3]:
            await player.join(room)
        lobby = await visited(visit, server.url)
        for name in NAMES[:3]:
            await lobby.get_by_text(name, exact=True).first.wait_for()
        await harmless(lobby)
        page = await visited(visit, f"{server.url}/r/{room}")
        await players[3].join(room)
        for name, seat in zip(NAMES, ("red", "blue", "yellow", "green"), strict=True):
            await page.locator(f".card.{seat} .name", has_text=name).wait_for()
            assert await page.locator(f".card.{seat} .name").text_content() == name
        await harmless(page)


@pytest.mark.slow
async def test_talk_is_text(server: Any, visit: Visit) -> None:
    async with Connection(server.url, name=NAMES[0]) as host:
        room: str = (await host.request(ask.Create())).room  # type: ignore[attr-defined]
        await host.join(room)
        page = await visited(visit, f"{server.url}/r/{room}")
        await page.locator(".card.white .name", has_text=NAMES[0]).wait_for()
        for number, text in enumerate(TALK):
            async with Connection(server.url, name=NAMES[number % len(NAMES)]) as guest:  # each may say a little only
                await guest.request(ask.Watch(room=room))
                await guest.request(ask.Say(room=room, text=text))
                line = page.locator("#said p").nth(number)
                await line.wait_for()
                assert await line.text_content() == f"{NAMES[number % len(NAMES)]} {text} (watching)"
        await harmless(page)


@pytest.mark.slow
async def test_addresses_are_text(server: Any, visit: Visit) -> None:
    for evil in ('<img src onerror=pwn()>"', "javascript:pwn()//%00..%2f"):
        quoted = quote(evil, safe="")
        page = await visited(visit, f"{server.url}/r/{quoted}?x={quoted}#{quoted}")
        await page.get_by_text("There is no such game.").first.wait_for()
        await harmless(page)


async def test_a_name_of_ones_own_is_text(server: Any, visit: Visit) -> None:
    page = await visited(visit, server.url, name=NAMES[0])
    assert await page.locator("#name").input_value() == NAMES[0]
    await harmless(page)


DRAWN = """() => {
  const line = document.querySelector("#said p");
  const [name, text] = [line.querySelector("b"), line.querySelector("span:not(.chip)")];
  const parts = [name, text, document.querySelector(".card.white .name")];
  return [
    text.getBoundingClientRect().left - name.getBoundingClientRect().right,
    parts.map((part) => getComputedStyle(part).unicodeBidi),
  ];
}"""
"""The pixels from a speaker's name to what they said, and how each text is kept from its neighbours."""


@pytest.mark.slow
async def test_writing_from_right_to_left_stays_in_its_place(server: Any, visit: Visit) -> None:
    """Digits and signs behind a Hebrew or Arabic name would be drawn on its other side, as if they had said them."""
    async with Connection(server.url, name="שלום 12") as host:
        room: str = (await host.request(ask.Create())).room  # type: ignore[attr-defined]
        await host.join(room)
        page = await visited(visit, f"{server.url}/r/{room}")
        await page.locator(".card.white .name", has_text="שלום").wait_for()
        await host.request(ask.Say(room=room, text="34 \u202e: 56 علي 78"))
        line = page.locator("#said p").first
        await line.wait_for()
        assert "\u202e" not in await line.text_content()
        apart, styles = await page.evaluate(DRAWN)  # at once: the page may draw the line again
        assert apart >= -1 and all(one in ("isolate", "plaintext") for one in styles), styles
