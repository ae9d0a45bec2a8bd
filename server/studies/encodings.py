"""A study's chapters as messages and as text. Each is encoded once, and again when it has changed.

Chapters are immutable: the same object has not changed.
"""

from collections.abc import Awaitable, Callable
from typing import Final, NamedTuple

import msgspec

from fourfold.engine.study import Chapter, Study, record
from fourfold.protocol import from_server as wire
from fourfold.protocol import study_projection
from fourfold.protocol.codec import Codec
from fourfold.server.replication.fanout import Encoded
from fourfold.server.yielding_lock import YieldingLock

Apart = Callable[[Callable[[], str]], Awaitable[str]]
"""Runs a function in a thread, and returns its result."""


class Work(NamedTuple):
    """The work done: the number of encoded chapters, the number of their moves, and the total characters or bytes."""

    chapters: int
    moves: int
    size: int


class Encodings:
    """The encoded chapters of one study, as far as they were requested."""

    def __init__(self) -> None:
        self._encoded: dict[tuple[Codec, int], tuple[Chapter, msgspec.Raw]] = {}
        self._texts: dict[int, tuple[Chapter, str, str]] = {}

    async def encode(self, study: Study, codec: Codec, long_work: YieldingLock) -> Work:
        """Encode the changed chapters, each in its own turn of the event loop: a thousand moves take a millisecond."""
        chapters = moves = size = 0
        for chapter in study.chapters:
            if not self._has(codec, chapter):
                async with long_work:
                    self.encoded(codec, chapter)
                chapters, moves = chapters + 1, moves + len(chapter.nodes)
            size += len(self.encoded(codec, chapter))
        return Work(chapters, moves, size)

    def encoded(self, codec: Codec, chapter: Chapter) -> msgspec.Raw:
        """A chapter in the form for a snapshot."""
        if not self._has(codec, chapter):
            data = codec.encode(study_projection.chapter(chapter))
            self._encoded[codec, chapter.number] = chapter, msgspec.Raw(data)
        return self._encoded[codec, chapter.number][1]

    def _has(self, codec: Codec, chapter: Chapter) -> bool:
        known = self._encoded.get((codec, chapter.number))
        return known is not None and known[0] is chapter

    async def write(self, study: Study, chapters: list[Chapter], apart: Apart) -> tuple[str, Work]:
        """Chapters as text. The changed ones are written by `apart`, one at a time."""
        texts, written, moves = list[str](), 0, 0
        for chapter in chapters:
            known = self._texts.get(chapter.number)
            if known is None or known[0] is not chapter or known[1] != study.title:
                text = await apart(lambda one=chapter: record.write(study, [one]))  # type: ignore[misc]
                known = self._texts[chapter.number] = chapter, study.title, text
                written, moves = written + 1, moves + len(chapter.nodes)
            texts.append(known[2])
        text = "\n".join(texts)
        return text, Work(written, moves, len(text))

    def forget(self, study: Study) -> None:
        """Forget the chapters that the study no longer has."""
        there: Final = {chapter.number for chapter in study.chapters}
        self._encoded = {key: known for key, known in self._encoded.items() if key[1] in there}
        self._texts = {number: known for number, known in self._texts.items() if number in there}


class Snapshot(Encoded):
    """A snapshot that reuses the encoded chapters."""

    __slots__ = ("_encodings", "_study")

    def __init__(self, frame: wire.Study, study: Study, encodings: Encodings) -> None:
        super().__init__(frame)
        self._study = study
        self._encodings = encodings

    def __missing__(self, codec: Codec) -> bytes:
        chapters = [self._encodings.encoded(codec, chapter) for chapter in self._study.chapters]
        assert isinstance(self.frame, wire.Study)
        whole = msgspec.structs.replace(self.frame, chapters=chapters)
        self[codec] = data = codec.frame(whole)
        return data
