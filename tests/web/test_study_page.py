"""The page of a study: typed text is never lost, addresses lead to moves, one place shows errors."""

from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import expect

from fourfold.clients.connection import Connection
from fourfold.protocol import from_client as ask
from fourfold.protocol import from_server as told
from fourfold.protocol import studies as parts
from tests.games.conftest import ServerProcess
from tests.web.test_access import faults
from tests.web.test_studies import GAME, Visit, begun, drag, node

pytestmark = pytest.mark.asyncio(loop_scope="session")

GAMES = Path(__file__).parents[1] / "engine" / "notation" / "data"
NESTED = "1. e4 e5 2. Nf3 {Attacks.} (2. f4 exf4 3. Nf3 (3. d4) 3... g5) 2... Nc6 *"


async def shared(owner: Connection, text: str = GAME, **how: Any) -> str:
    """The id of a study that everybody may write in."""
    begins = parts.Source(**(how or {"text": text}))
    made = await owner.request(ask.Study(title="Shared", visibility="link", write="everybody", source=begins))
    assert isinstance(made, told.Created)
    return made.room


async def edit(writer: Connection, room: str, change: parts.AnyChange) -> None:
    await writer.request(ask.Edit(room=room, change=change))


async def opened(server: ServerProcess, visit: Visit, room: str, place: str = "1.1", **how: Any) -> Any:
    page = await visit(f"{server.url}/s/{room}#{place}", **how)
    await page.locator("#slot h2:not(:empty)").wait_for()
    return page


async def comment_of(writer: Connection, room: str, number: int) -> str:
    """The comment that the server has of a move of the first chapter."""
    study = await writer.request(ask.Watch(room=room))
    assert isinstance(study, told.Study)
    return next(one.comment for one in study.chapters[0].nodes if one.number == number)


async def test_what_is_being_typed_survives_what_others_do(server: ServerProcess, visit: Visit) -> None:
    async with Connection(server.url, name="Bob") as bob:
        room = await shared(bob)
        page = await opened(server, visit, room, name="Ada")
        await page.get_by_label("Title").first.fill("A better na")
        await page.get_by_text("Add a chapter").click()
        await page.get_by_label("From").fill("1. d4 d5")
        await page.get_by_label("Comment").focus()
        await page.keyboard.type("Takes the cent")
        await page.evaluate("document.querySelector('#comment').classList.add('same')")
        await edit(bob, room, parts.Play(chapter=1, after=1, move="c7c5"))
        await edit(bob, room, parts.Annotate(chapter=1, node=1, glyphs=[1]))
        await edit(bob, room, parts.Draw(chapter=1, node=1, shapes=[parts.Shape("red", "e4", "e5")]))
        await edit(bob, room, parts.Comment(chapter=1, node=1, text="Bob was here."))
        await edit(bob, room, parts.TitleChapter(chapter=1, title="Bob's"))
        await page.locator("#remarks", has_text="Somebody has written meanwhile: “Bob was here.”").wait_for()
        await page.locator(".chapter", has_text="Bob's").wait_for()
        await page.keyboard.type("re.")
        assert await page.locator("#comment.same").input_value() == "Takes the centre.", "the field itself stays"
        assert await page.locator("#chapter-title").input_value() == "A better na"
        assert await page.locator("#add-text").input_value() == "1. d4 d5"
        await page.locator("#shapes").focus()  # a comment is kept when its field is left, but for one like this
        await edit(bob, room, parts.Play(chapter=1, after=1, move="d7d5"))
        await page.locator("#moves", has_text="d5").wait_for()
        assert await comment_of(bob, room, 1) == "Bob was here."
        await page.evaluate("location.hash = '1.0'")
        await page.evaluate("location.hash = '1.1'")
        await page.get_by_role("button", name="Replace with mine").click()
        await page.locator("#moves .comment", has_text="Takes the centre.").wait_for()
        assert await comment_of(bob, room, 1) == "Takes the centre."
        await page.locator("#remarks", has_text="Somebody has written meanwhile").wait_for(state="detached")


async def test_what_was_typed_gives_way_to_what_somebody_else_has_written(server: ServerProcess, visit: Visit) -> None:
    async with Connection(server.url, name="Bob") as bob:
        room = await shared(bob)
        ada, eve = [await opened(server, visit, room, name=name) for name in ("Ada", "Eve")]
        await ada.get_by_label("Comment").fill("Ada's.")
        await eve.get_by_label("Comment").fill("Eve's.")
        await ada.get_by_role("button", name="Keep").click()
        await eve.locator("#remarks", has_text="Somebody has written meanwhile: “Ada's.”").wait_for()
        assert await eve.get_by_label("Comment").input_value() == "Eve's."
        await eve.get_by_role("button", name="Discard mine").click()
        assert await eve.get_by_label("Comment").input_value() == "Ada's."
        assert await comment_of(bob, room, 1) == "Ada's."


async def test_a_comment_is_kept_when_one_goes_on_or_draws(server: ServerProcess, visit: Visit) -> None:
    async with Connection(server.url, name="Bob") as bob:
        room = await shared(bob)
        page = await opened(server, visit, room, name="Ada")
        await page.get_by_label("Comment").fill("Draws.")
        await drag(page, "e4", "e5")
        await page.locator(".shaft.drawn-green").wait_for(state="attached")
        assert await page.get_by_label("Comment").input_value() == "Draws."
        await page.get_by_role("button", name="good move").click()
        await node(page, "e4").locator(".glyph", has_text="!").wait_for()
        assert await page.get_by_label("Comment").input_value() == "Draws."
        await page.get_by_label("Comment").fill("Goes on.")
        await page.evaluate("location.hash = '1.2'")
        await page.locator("#moves [aria-current]", has_text="e5").wait_for()
        assert await page.get_by_label("Comment").input_value() == ""
        await page.locator("#moves .comment", has_text="Goes on.").wait_for()
        await page.get_by_label("Comment").fill("And leaves.")
        await page.evaluate("location.reload()")
        await page.locator("#moves .comment", has_text="And leaves.").wait_for()


async def test_a_comment_that_is_too_long_is_refused_and_stays(server: ServerProcess, visit: Visit) -> None:
    async with Connection(server.url, name="Bob") as bob:
        room = await shared(bob)
        page = await opened(server, visit, room, name="Ada")
        await page.get_by_label("Comment").fill("好" * 2800)
        await page.get_by_role("button", name="Keep").click()
        await page.locator("#slot.alarms", has_text="8400 bytes, of at most 7500").wait_for()
        assert await page.get_by_label("Comment").input_value() == "好" * 2800
        await page.get_by_label("Comment").fill("好" * 2400)
        await page.get_by_role("button", name="Keep").click()
        await page.locator("#moves .comment", has_text="好好").wait_for()
        await page.locator("#slot.alarms").wait_for(state="detached")


async def test_no_connection_is_said_once_and_moves_nothing(mortal_server: ServerProcess, visit: Visit) -> None:
    page = await begun(mortal_server, visit, GAME, name="Ada", viewport={"width": 390, "height": 844})
    await node(page, "Nf3").click()
    await page.locator("#slot", has_text="2. Nf3").wait_for()
    await page.evaluate("scrollTo(0, 600)")
    places = "['#slot', '#moves', '#comment'].map((one) => document.querySelector(one).getBoundingClientRect().top)"
    before = await page.evaluate(places)
    await page.evaluate(
        """() => {
            window.heard = [];
            const heading = document.querySelector("#slot h2");
            new MutationObserver(() => heard.push(heading.textContent)).observe(heading, { childList: true });
        }"""
    )
    mortal_server.kill()
    await page.locator("#slot.alarms", has_text="No connection").wait_for()
    await page.locator("#slot .aside", has_text=" s").wait_for()
    assert await page.locator("#slot h2").get_attribute("aria-live") == "polite"
    assert await page.evaluate(places) == before and before[0] == 0, "it is in view, and nothing moves"
    await page.get_by_label("Comment").fill("Typed while away.")
    await node(page, "e5").click()
    assert await faults(page) == []
    mortal_server.start()
    await page.locator("#slot", has_text="1… e5").wait_for(timeout=60_000)
    await page.locator("#moves .comment", has_text="Typed while away.").wait_for()
    assert await page.evaluate("heard.filter((one) => one === 'No connection').length") == 1


async def test_the_address_leads_to_a_move(server: ServerProcess, visit: Visit) -> None:
    async with Connection(server.url, name="Bob") as bob:
        room = await shared(bob)
        page = await opened(server, visit, room, "9.1", name="Ada")
        await page.locator("#slot", has_text="There is no chapter 9 in this study").wait_for()
        assert page.url.endswith("#1.0")
        await page.evaluate("location.hash = '1.2'")
        await page.locator("#moves [aria-current]", has_text="e5").wait_for()
        await page.locator("#slot", has_text="1… e5").wait_for()
        await page.evaluate("location.hash = '1.99'")
        await page.locator("#slot", has_text="There is no move 99 in this chapter").wait_for()
        await page.evaluate("location.hash = '9.1'")
        await page.locator("#slot", has_text="There is no chapter 9").wait_for()
        assert page.url.endswith("#1.0")


async def test_who_stands_at_a_move_that_is_removed_goes_to_the_one_before(server: ServerProcess, visit: Visit) -> None:
    async with Connection(server.url, name="Bob") as bob:
        room = await shared(bob)
        page = await opened(server, visit, room, name="Ada")
        await page.keyboard.press("End")
        await page.locator("#moves [aria-current]", has_text="Nc6").wait_for()
        await page.get_by_label("Comment").fill("Half a")
        await edit(bob, room, parts.Remove(chapter=1, node=3))
        await page.locator("#slot", has_text="Bob removed the move that you were viewing.").wait_for()
        assert "“Half a”" in await page.locator("#spoken").text_content()
        await page.locator("#moves [aria-current]", has_text="e5").wait_for()
        assert page.url.endswith("#1.2")
        await node(page, "e4").click()
        await page.locator("#slot", has_text="1. e4").wait_for()


async def test_a_chapter_that_one_adds_is_opened(server: ServerProcess, visit: Visit) -> None:
    async with Connection(server.url, name="Bob") as bob:
        room = await shared(bob)
        page = await opened(server, visit, room, name="Ada")
        await edit(bob, room, parts.AddChapters(parts.Source(title="Bob's")))
        await page.locator(".chapter", has_text="Bob's").wait_for()
        assert page.url.endswith("#1.1"), "another's chapter is not"
        await page.get_by_text("Add a chapter").click()
        await page.get_by_label("From").fill("1. d4 d5 *")
        await page.get_by_role("button", name="Add", exact=True).click()
        await page.locator(".chapter[aria-current]", has_text="3. ").wait_for()
        await node(page, "d4").wait_for()
        assert await page.get_by_label("From").is_hidden()
        assert page.url.endswith("#3.0")


async def test_an_error_is_in_view_until_the_next_thing_is_done(server: ServerProcess, visit: Visit) -> None:
    page = await begun(server, visit, GAME, name="Ada", viewport={"width": 360, "height": 740})
    await page.get_by_label("May write").select_option("named")
    await page.get_by_label("Name an account").fill("Nobody")
    await page.get_by_role("button", name="Let write").click()
    why = page.locator("#slot.alarms", has_text="No account is called Nobody")
    await why.wait_for()
    box = await why.bounding_box()
    assert 0 <= box["y"] < 740
    assert "No account is called Nobody" in await page.locator("#spoken").text_content()
    assert await page.get_by_label("Name an account").input_value() == "Nobody"
    await node(page, "e4").click()
    await page.locator("#slot:not(.alarms)", has_text="1. e4").wait_for()
    await page.get_by_label("Arrows").fill("nonsense")
    await page.get_by_role("button", name="Draw", exact=True).click()
    await page.locator("#slot.alarms", has_text="Write arrows").wait_for()
    await page.get_by_role("button", name="good move").click()
    await page.locator("#slot:not(.alarms)", has_text="1. e4").wait_for()


async def test_a_move_behind_a_variation_or_a_comment_has_its_number(server: ServerProcess, visit: Visit) -> None:
    page = await begun(server, visit, NESTED, name="Ada")
    await page.locator(".variation .variation").wait_for()
    moves = " ".join((await page.locator("#moves").inner_text()).split())
    assert moves == "Start 1 e4 e5 2 Nf3 Attacks. 2 f4 exf4 3 Nf3 3 d4 3… g5 2… Nc6"
    assert await page.locator("#people li", has_text="Ada (you) writes").count() == 1


async def test_who_resigns_has_a_row(server: ServerProcess, visit: Visit) -> None:
    """A resignation is not a move "R"."""
    moves = ["h2h3", "b7c7", "g13g12", "m8l8", "h3h4", "c7d7", "g12g11", "l8k8", "Rr"]
    async with Connection(server.url, name="Bob") as bob:
        room = await shared(bob, variant="survivor")
        at = 0
        for number, move in enumerate(moves, 1):
            await edit(bob, room, parts.Play(chapter=1, after=at, move=move))
            at = number
        page = await opened(server, visit, room, "1.0", name="Ada")
        row = page.locator("#moves .node.exit", has_text="Red resigned")
        await row.click()
        await page.locator("#slot", has_text="3 Red resigned").wait_for()
        assert await page.locator("#moves").get_by_text("R", exact=True).count() == 0


async def test_a_mate_of_four_has_a_row(server: ServerProcess, visit: Visit) -> None:
    record = (GAMES / "solo-classic-2018.pgn4").read_text()
    text = record[: record.index("18. Ni3")].replace("\n\n", '\n[Yellow "Di"]\n[Green "Ada"]\n\n', 1)
    source = parts.Source(text=text, format="pgn4")
    async with Connection(server.url, name="Bob") as bob:
        made = await bob.request(ask.Study(title="Four", visibility="link", source=source))
        assert isinstance(made, told.Created)
        page = await opened(server, visit, made.room, "1.0", name="Ada")
        rows = page.locator("#moves p.exit")
        await rows.first.wait_for()
        assert [" ".join(text.split()) for text in await rows.all_inner_texts()] == ["Di out, mated by Ada"]
        assert await faults(page) == []


async def test_a_private_study_says_so_when_its_link_is_copied(server: ServerProcess, visit: Visit) -> None:
    page = await begun(server, visit, GAME, name="Ada", permissions=["clipboard-read", "clipboard-write"])
    await page.get_by_role("button", name="Copy the link").click()
    await page.locator("#slot", has_text="Only the owner and the writers can open it.").wait_for()
    await page.get_by_role("button", name="Share by link").click()
    await page.locator("#slot", has_text="Anybody with the link can see this study now.").wait_for()
    await expect(page.get_by_label("Visible to")).to_have_value("link")
    await page.get_by_role("button", name="Copy the link").click()
    await page.locator("#slot", has_text="The link is copied.").wait_for()
    assert "Only the owner" not in await page.locator("#slot").inner_text()


async def test_the_skip_link_leads_to_a_square(server: ServerProcess, visit: Visit) -> None:
    page = await begun(server, visit, GAME, name="Ada")
    await node(page, "e4").click()
    await page.locator(".skip").focus()
    await page.keyboard.press("Enter")
    assert await page.evaluate("document.activeElement.dataset.square") == "e1"
    await page.keyboard.press("ArrowUp")
    assert await page.evaluate("document.activeElement.dataset.square") == "e2"
    assert page.url.endswith("#1.1")


async def test_a_position_is_given_glyphs_too(server: ServerProcess, visit: Visit) -> None:
    page = await begun(server, visit, GAME, name="Ada")
    await node(page, "e5").click()
    await page.get_by_role("button", name="good move").click()
    await node(page, "e5").locator(".glyph", has_text="!").wait_for()
    assert await page.get_by_role("button", name="White is slightly better").is_hidden()
    await page.locator("summary", has_text="More glyphs").click()
    await page.get_by_role("button", name="White is slightly better").click()
    await node(page, "e5").locator(".glyph", has_text="+=").wait_for()
    await page.get_by_role("button", name="unclear").click()
    await node(page, "e5").locator(".glyph", has_text="∞").wait_for()
    assert await node(page, "e5").locator(".glyph").all_inner_texts() == ["!", "∞"]
    await page.keyboard.press("ArrowRight")
    assert await page.get_by_role("button", name="unclear").is_visible(), "the row stays open"
    assert await faults(page) == []


@pytest.mark.parametrize("size", [(390, 844), (1280, 800)], ids=str)
async def test_what_is_only_said_takes_no_room(server: ServerProcess, visit: Visit, size: tuple[int, int]) -> None:
    page = await begun(server, visit, GAME, name="Ada", viewport={"width": size[0], "height": size[1]})
    before, after = await page.evaluate(
        """() => {
            const heights = () =>
                [document.documentElement, document.querySelector("#side")].map((part) => part.scrollHeight);
            const before = heights(); // at once: parts of the page that come later change them
            const table = document.createElement("table");
            table.className = "unseen";
            for (let row = 0; row < 200; row++) table.insertRow().insertCell().textContent = row;
            document.querySelector("#sharing").append(table);
            return [before, heights()];
        }"""
    )
    assert max(now - then for now, then in zip(after, before, strict=True)) <= 16
