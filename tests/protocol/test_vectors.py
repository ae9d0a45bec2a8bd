"""The conformance vectors are correct, compared with plain libraries and with our codecs."""

import json
from pathlib import Path
from typing import Any

import msgpack
import pytest

from fourfold.protocol.codec import JSON, MSGPACK, Codec
from fourfold.protocol.errors import ERRORS, ErrorKind, Unreadable
from tests.each import each

FOLDER = Path(__file__).resolve().parents[2] / "protocol" / "vectors"
MESSAGES = json.loads((FOLDER / "messages.json").read_text())
BAD_FRAMES = json.loads((FOLDER / "bad_frames.json").read_text())

Vector = dict[str, Any]


def name(vector: Vector) -> str:
    return vector["value"]["type"] if "code" not in vector else vector["why"].replace(" ", "-")


def bad_frames() -> list[Any]:
    """Each bad frame, with its codec; a value in both."""
    found = []
    for vector in BAD_FRAMES:
        if "value" in vector:
            found.append((JSON, json.dumps(vector["value"]), vector))
            found.append((MSGPACK, msgpack.packb(vector["value"]), vector))
        elif "json" in vector:
            found.append((JSON, vector["json"], vector))
        else:
            found.append((MSGPACK, bytes.fromhex(vector["msgpack"]), vector))
    return [pytest.param(*case, id=f"{name(case[2])}-{'text' if case[0].text else 'binary'}") for case in found]


@each("vector", MESSAGES["from_client"] + MESSAGES["from_server"], ids=name)
def test_both_forms_mean_the_value(vector: Vector) -> None:
    assert json.loads(vector["json"]) == vector["value"]
    assert msgpack.unpackb(bytes.fromhex(vector["msgpack"])) == vector["value"]


@each("vector", MESSAGES["from_client"], ids=name)
def test_requests_are_read_alike(vector: Vector) -> None:
    assert JSON.read_request(vector["json"]) == MSGPACK.read_request(bytes.fromhex(vector["msgpack"]))


@each("vector", MESSAGES["from_server"], ids=name)
def test_frames_are_read_alike_and_written_so(vector: Vector) -> None:
    frame = JSON.read_frame(vector["json"])
    assert frame is not None
    assert frame == MSGPACK.read_frame(bytes.fromhex(vector["msgpack"]))
    assert JSON.encode(frame).decode() == vector["json"]
    assert MSGPACK.encode(frame).hex() == vector["msgpack"]


@pytest.mark.parametrize(("codec", "data", "vector"), bad_frames())
def test_bad_frames_are_refused_for_what_they_are(codec: Codec, data: bytes | str, vector: Vector) -> None:
    with pytest.raises(Unreadable) as caught:
        codec.read_request(data)
    assert (caught.value.code, caught.value.id) == (vector["code"], vector["id"])


def test_every_code_of_a_frame_has_a_vector() -> None:
    frames = set(list(ERRORS)[: list(ERRORS).index("unknown_variant")]) - {"wrong_frame"}  # an unused id
    assert {vector["code"] for vector in BAD_FRAMES} == frames
    assert all(ERRORS[code].kind is ErrorKind.UNREADABLE for code in frames)
