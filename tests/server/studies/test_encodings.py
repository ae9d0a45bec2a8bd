"""A study's chapters are encoded once for all watchers, a change costs only its chapter, and watchers pay by size."""

import json
from typing import Any

import pytest

from fourfold.engine.decisions import Decision
from fourfold.engine.study import Study, decide, evolve, record
from fourfold.engine.study import commands as c
from fourfold.protocol import study_projection
from fourfold.protocol.codec import JSON, MSGPACK
from fourfold.server.limits.prices import PLAYED, SENT
from fourfold.server.limits.turns import TokenBucket
from fourfold.server.rooms.export import GameConverter
from fourfold.server.studies import sources
from fourfold.server.studies.encodings import Encodings, Snapshot
from fourfold.server.yielding_lock import YieldingLock
from tests.server.conftest import Dial

PGN = "1. e4 e5 2. Ke2 Ke7 *\n\n1. d4 d5 {so} (1... f5 2. c4) 2. c4 *\n"
LONG = "1. e4 e5 " + " ".join(f"{n}. Ke2 Ke7 {n + 1}. Ke1 Ke8" for n in range(2, 100, 2)) + " *"


def changed(study: Study | None, change: c.Change) -> Study:
    events = decide(study, c.Edit("Ann", change), "ann", 1000)
    assert isinstance(events, tuple), events
    return evolve(study, Decision((study.seq if study else 0) + 1, 1000, "ann", "", events))


def opened() -> Study:
    made = sources.of_text(PGN, None, None, str)
    assert isinstance(made, sources.Made)
    return changed(None, c.Create("Two", "link", "owner", made.chapters))


async def test_a_chapter_is_encoded_again_only_when_it_has_changed() -> None:
    study, encodings, lock = opened(), Encodings(), YieldingLock()
    for codec in (JSON, MSGPACK):
        first = await encodings.encode(study, codec, lock)
        assert (first.chapters, first.moves) == (2, 5 + 6)
        assert (await encodings.encode(study, codec, lock)) == (0, 0, first.size)
    later = changed(study, c.Comment(1, 1, "Yes", None))
    work = await encodings.encode(later, JSON, lock)
    assert (work.chapters, work.moves) == (1, 5)
    head = study_projection.head("r", later, "ann", [], 1, 0)
    for codec in (JSON, MSGPACK):
        whole = study_projection.snapshot("r", later, "ann", [], 1, 0)
        assert Snapshot(head, later, encodings)[codec] == codec.frame(whole)


async def test_a_chapter_is_written_again_only_when_it_has_changed() -> None:
    study, encodings, converter = opened(), Encodings(), GameConverter()
    text, work = await encodings.write(study, list(study.chapters), converter.apart)
    assert (text, work) == (record.write(study, study.chapters), (2, 11, len(text)))
    later = changed(study, c.Comment(2, 1, "Yes", None))
    text, work = await encodings.write(later, list(later.chapters), converter.apart)
    assert (text, work.chapters) == (record.write(later, later.chapters), 1)
    retitled = changed(later, c.Title("Else"))  # each chapter names its study
    text, work = await encodings.write(retitled, list(retitled.chapters), converter.apart)
    assert (text, work.chapters) == (record.write(retitled, retitled.chapters), 2)
    shorter = changed(retitled, c.RemoveChapter(2))
    encodings.forget(shorter)
    assert (await encodings.write(retitled, list(retitled.chapters), converter.apart))[1].chapters == 1


@pytest.mark.interpreted
async def test_who_watches_or_writes_a_study_pays_by_its_size(dial: Dial, monkeypatch: pytest.MonkeyPatch) -> None:
    paid = 0.0
    spend = TokenBucket.spend

    def counted(self: TokenBucket, now: float, tokens: float) -> None:
        nonlocal paid
        paid += tokens
        spend(self, now, tokens)

    async def price(type: str, **fields: Any) -> tuple[float, dict[str, Any]]:
        nonlocal paid
        paid = 0.0
        reply = await ann.asks(type, **fields)
        assert reply["type"] != "error", reply
        await ann.asks("ping")  # the rest of the previous request's cost is charged now
        return paid, reply

    ann = await dial()
    monkeypatch.setattr(TokenBucket, "spend", counted)
    (cheap, short), (dear, long) = [await price("study", source={"text": text}) for text in (PGN, LONG)]
    assert dear - cheap > 150 * PLAYED
    small, large = short["room"], long["room"]
    for room in (small, large):
        await price("watch", room=room)
    (cheap, short), (dear, long) = [await price("watch", room=room) for room in (small, large)]
    more = len(json.dumps(long)) - len(json.dumps(short))
    assert dear - cheap > more * SENT / 2  # these have spaces
    cheap, dear = [(await price("export", room=room, format="pgn"))[0] for room in (small, large)]
    assert dear - cheap > 150 * PLAYED
    again, _ = await price("export", room=large, format="pgn")
    assert again < dear - 150 * PLAYED

