"""The codecs: accepted frames, refused frames, and their errors."""

import re
from typing import Any

import msgpack
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode

from fourfold.protocol import events as happened
from fourfold.protocol import examples
from fourfold.protocol import from_client as ask
from fourfold.protocol import from_server as tell
from fourfold.protocol.codec import CODECS, JSON, MSGPACK, Codec
from fourfold.protocol.errors import Unreadable
from fourfold.protocol.from_client import REQUESTS
from tests.each import each

codecs = pytest.mark.parametrize("codec", [JSON, MSGPACK], ids=["json", "msgpack"])

def write(codec: Codec, fields: Any) -> bytes | str:
    """A client's frame, encoded without our codec."""
    if codec is JSON:
        return msgspec.json.encode(fields).decode()
    packed: bytes = msgpack.packb(fields)
    return packed


@codecs
@each("request_", examples.REQUESTS, ids=lambda request: type(request).__name__)
def test_requests_come_through(codec: Codec, request_: ask.Request) -> None:
    assert codec.read_request(write(codec, msgspec.to_builtins(request_))) == request_


@codecs
@each("size", [*range(130), *range(2**16 - 60, 2**16)])
def test_what_is_sent_is_a_whole_frame(codec: Codec, size: int) -> None:
    message = tell.Closing(size * "x", 0)
    opcode = Opcode.TEXT if codec.text else Opcode.BINARY
    assert codec.frame(message) == Frame(opcode, codec.encode(message)).serialize(mask=False)


@codecs
@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ([], "map"),
        ({}, "type"),
        ({"type": "fly"}, "Requests: abort, account, accounts, administer, analyse, answer, backup,"),
        ({"type": "ping", "id": "4"}, "id"),
        ({"type": "leave", "room": "r" * 33}, "length <= 32 - at `$.room`"),
        ({"type": "leave"}, "room"),
        ({"type": "create", "clock": {"base": 0, "increment": 5000}}, "without a `base` needs a `delay`"),
        ({"type": "leave", "room": "r", "seat": "white"}, "seat"),
    ],
)
def test_what_is_wrong_is_said(codec: Codec, fields: Any, says: str) -> None:
    with pytest.raises(Unreadable, match=re.escape(says)):
        codec.read_request(write(codec, fields))


@pytest.mark.parametrize(
    ("codec", "data", "code"),
    [
        (JSON, b'{"type":"ping"}', "wrong_frame"),
        (MSGPACK, '{"type":"ping"}', "wrong_frame"),
        (JSON, "[" * 5000, "not_a_message"),
        (MSGPACK, b"\x93" * 5000, "not_a_message"),
    ],
)
def test_frames_of_the_other_kind_or_without_end(codec: Codec, data: bytes | str, code: str) -> None:
    with pytest.raises(Unreadable) as caught:
        codec.read_request(data)
    assert caught.value.code == code


@given(st.binary(max_size=200))
def test_no_bytes_break_the_msgpack_reader(data: bytes) -> None:
    with pytest.raises(Unreadable):
        MSGPACK.read_request(data)


@given(st.text(max_size=200))
def test_no_text_breaks_the_json_reader(data: str) -> None:
    with pytest.raises(Unreadable):
        JSON.read_request(data)


PLAIN = st.none() | st.booleans() | st.integers(-(2**40), 2**40) | st.text(max_size=10)


@codecs
@given(
    name=st.sampled_from(sorted(REQUESTS)),
    fields=st.dictionaries(
        st.sampled_from(["id", "room", "seat", "move", "seq", "key", "kind", "plies", "proposal", "accept"]), PLAIN
    ),
)
def test_any_fields_make_a_request_or_an_error(codec: Codec, name: str, fields: dict[str, Any]) -> None:
    try:
        request = codec.read_request(write(codec, {"type": name, **fields}))
    except Unreadable as error:
        assert error.code == "bad_field"
    else:
        assert msgspec.to_builtins(request)["type"] == name


# -- the server's frames ------------------------------------------------------------------------

@codecs
@each("frame", examples.FRAMES, ids=lambda frame: type(frame).__name__)
def test_frames_come_through(codec: Codec, frame: tell.Frame) -> None:
    data = codec.encode(frame)
    assert codec.read_frame(data.decode() if codec.text else data) == frame


@codecs
def test_newer_servers_are_tolerated(codec: Codec) -> None:
    assert codec.read_frame(write(codec, {"type": "fanfare", "loud": True})) is None
    assert codec.read_frame(write(codec, {"type": "pong", "time": 5, "mood": "good"})) == tell.Pong(5)


@codecs
def test_news_of_newer_servers_are_left_out(codec: Codec) -> None:
    events = [{"type": "fanfare", "loud": True}, {"type": "started"}, {"type": "fanfare"}]
    update = {"type": "update", "room": "r", "seq": 4, "time": 5, "events": events}
    assert codec.read_frame(write(codec, update)) == tell.Update("r", 4, 5, [happened.Started()])
    for bad in ("fanfare", {"type": 5}, {}):
        with pytest.raises(Unreadable):
            codec.read_frame(write(codec, {**update, "events": [bad]}))


@codecs
def test_a_server_that_talks_nonsense_is_caught(codec: Codec) -> None:
    for fields, code in (([], "not_a_message"), ({"type": "pong", "time": "late"}, "bad_field")):
        with pytest.raises(Unreadable) as caught:
            codec.read_frame(write(codec, fields))
        assert caught.value.code == code


def test_both_forms_carry_the_same_maps() -> None:
    for frame in examples.FRAMES:
        assert msgpack.unpackb(MSGPACK.encode(frame)) == msgspec.json.decode(JSON.encode(frame))


def test_msgpack_is_preferred() -> None:
    assert list(CODECS) == ["fourfold.v1+msgpack", "fourfold.v1+json"]


@codecs
def test_a_field_that_an_older_server_does_not_know_is_left_out(codec: Codec) -> None:
    """It would refuse the whole request."""
    assert b"key" not in codec.encode(ask.Hello(name="Ann"))
    sent = codec.encode(ask.Hello())
    assert codec.read_request(sent.decode() if codec is JSON else sent) == ask.Hello()
