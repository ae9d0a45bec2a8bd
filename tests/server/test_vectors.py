"""The published conversation and bad frames, replayed with a real server."""

import json
from pathlib import Path
from typing import Any

import msgpack
import pytest

from fourfold.protocol.from_client import REQUESTS

FOLDER = Path(__file__).resolve().parents[2] / "protocol" / "vectors"
STEPS = json.loads((FOLDER / "conversation.json").read_text())["steps"]
BAD_FRAMES = json.loads((FOLDER / "bad_frames.json").read_text())

Dial = Any  # see conftest


class Names:
    """The values of the names in angle brackets in this run."""

    def __init__(self) -> None:
        self._values: dict[str, Any] = {}

    def fill(self, said: Any) -> Any:
        """A frame with the values in place of the names."""
        if isinstance(said, dict):
            return {key: self.fill(value) for key, value in said.items()}
        return self._values[said] if isinstance(said, str) and said.startswith("<") else said

    def match(self, expected: Any, got: Any, where: str = "") -> None:
        """Check that a frame is the expected one, and learn the names in it."""
        if isinstance(expected, dict):
            assert isinstance(got, dict), where
            for key, value in expected.items():
                assert key in got, f"{where}.{key}"
                self.match(value, got[key], f"{where}.{key}")
        elif isinstance(expected, list):
            assert isinstance(got, list) and len(got) == len(expected), where
            for number, (one, other) in enumerate(zip(expected, got, strict=True)):
                self.match(one, other, f"{where}[{number}]")
        elif expected == "<any>":
            pass
        elif isinstance(expected, str) and expected.startswith("<"):
            assert self._values.setdefault(expected, got) == got, where
        else:
            assert got == expected, where


@pytest.mark.parametrize("text", [True, False], ids=["json", "msgpack"])
async def test_the_conversation(dial: Dial, text: bool) -> None:
    wires = {name: await dial(text=text, hello=False) for name in {step["client"] for step in STEPS}}
    read = dict.fromkeys(wires, 0)
    names = Names()
    for step in STEPS:
        client = step["client"]
        wire = wires[client]
        if "send" in step:
            message = names.fill(step["send"])
            await wire.connection.send(json.dumps(message) if text else msgpack.packb(message))
        else:

            def is_next(frame: dict[str, Any], client: str = client) -> bool:
                frames = [f for f in wires[client].frames if f["type"] not in ("presence", "watchers")]
                return len(frames) > read[client] and frames[read[client]] is frame

            names.match(step["receive"], await wire.seen(is_next), step["receive"]["type"])
            read[client] += 1


def test_the_conversation_says_of_most_requests_how_they_are_answered() -> None:
    asked: dict[tuple[str, int], str] = {}
    answered = set()
    for step in STEPS:
        if "send" in step:
            asked[step["client"], step["send"]["id"]] = step["send"]["type"]
        elif "id" in step["receive"]:
            type = asked.pop((step["client"], step["receive"]["id"]))
            assert type not in REQUESTS or step["receive"]["type"] in (*REQUESTS[type].answers, "error")
            answered.add(type)
    assert not asked
    assert answered >= {"hello", "create", "join", "watch", "move", "propose", "vote", "resign", "leave", "export"}


async def test_bad_frames_are_answered(dial: Dial) -> None:
    for vector in BAD_FRAMES:
        for text in (True, False):
            if "value" in vector:
                data = json.dumps(vector["value"]) if text else msgpack.packb(vector["value"])
            elif text and "json" in vector:
                data = vector["json"]
            elif not text and "msgpack" in vector:
                data = bytes.fromhex(vector["msgpack"])
            else:
                continue
            wire = await dial(text=text, hello=False)
            await wire.connection.send(data)
            error = await wire.seen(lambda frame: frame["type"] == "error")
            assert (error["code"], error.get("id")) == (vector["code"], vector["id"]), vector["why"]
            await wire.end()
