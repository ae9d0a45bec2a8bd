"""Both forms of the wire: what is read, what is not, and that each says why."""

from typing import Any, get_args

import msgpack
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol import from_client as ask
from protocol import from_server as tell
from protocol.codec import CODECS, JSON, MSGPACK, Codec
from protocol.errors import Unreadable
from protocol.from_client import REQUESTS

codecs = pytest.mark.parametrize("codec", [JSON, MSGPACK], ids=["json", "msgpack"])

REQUEST = [
    ask.Hello(),
    ask.Hello(token="t", name="Ann", id=1),
    ask.Create(variant="survivor", position="classic", visibility="private", password="x", chat=False, id=2),
    ask.Join("r", "red", "x", id=3),
    ask.Watch("r", 0, "x", id=4),
    ask.Leave("r", id=5),
    ask.Move("r", "e7e8q", 7, "k", id=6),
    ask.Propose("r", "undo", 7, "k", 3, id=7),
    ask.Vote("r", 1, False, "k", id=8),
    ask.Resign("r", "k", id=9),
    ask.Abort("r", "k", id=9),
    ask.Bot("r", 3, "red", id=9),
    ask.Propose("r", "stand_in", 7, "k", None, "red", 2, id=7),
    ask.Create(clock=ask.Clock(300000, 2000), id=2),
    ask.Legal("r", "n14", id=10),
    ask.Say("r", "hello", "table", id=11),
    ask.Export("r", "pgn4", id=11),
    ask.Rooms("standard", "open", 10, True, id=12),
    ask.Seek("standard", ask.Clock(60_000), id=13),
    ask.Unseek(id=14),
    ask.Ping(id=2**53),
]


def write(codec: Codec, fields: Any) -> bytes | str:
    """A client's frame, written by the libraries alone."""
    if codec is JSON:
        return msgspec.json.encode(fields).decode()
    packed: bytes = msgpack.packb(fields)
    return packed


def test_every_request_is_among_the_examples() -> None:
    assert {type(request) for request in REQUEST} == set(REQUESTS.values())


@codecs
@pytest.mark.parametrize("request_", REQUEST, ids=lambda request: type(request).__name__)
def test_requests_come_through(codec: Codec, request_: ask.Request) -> None:
    assert codec.read_request(write(codec, msgspec.to_builtins(request_))) == request_


PROPOSE = {"type": "propose", "id": 6, "room": "r", "kind": "undo", "seq": 1, "key": "k"}
MOVE = {"type": "move", "id": 5, "room": "r", "move": "e2e4", "seq": 1, "key": "k"}


@codecs
@pytest.mark.parametrize(
    ("fields", "code", "id", "says"),
    [
        ([], "not_a_message", None, "map"),
        ("move", "not_a_message", None, "map"),
        (None, "not_a_message", None, "map"),
        ({}, "no_type", None, "type"),
        ({"type": 3, "id": 4}, "no_type", 4, "string"),
        ({"type": "fly", "id": 4}, "unknown_type", 4, "there are abort, bot, create"),
        ({"type": "ping", "id": "4"}, "bad_field", None, "id"),
        ({"type": "ping", "id": -1}, "bad_field", -1, "id"),
        ({"type": "ping", "id": True}, "bad_field", None, "id"),
        ({**MOVE, "seat": "white"}, "bad_field", 5, "seat"),
        ({**MOVE, "room": ""}, "bad_field", 5, "room"),
        ({**MOVE, "room": "r" * 33}, "bad_field", 5, "room"),
        ({**MOVE, "move": 5}, "bad_field", 5, "move"),
        ({**MOVE, "seq": 1.5}, "bad_field", 5, "seq"),
        ({**MOVE, "seq": -1}, "bad_field", 5, "seq"),
        ({**MOVE, "key": None}, "bad_field", 5, "key"),
        ({name: MOVE[name] for name in MOVE if name != "key"}, "bad_field", 5, "key"),
        ({**PROPOSE, "kind": "fork"}, "bad_field", 6, "kind"),
        ({**PROPOSE, "plies": 0}, "bad_field", 6, "plies"),
    ],
)
def test_what_is_wrong_is_said(codec: Codec, fields: Any, code: str, id: int | None, says: str) -> None:
    with pytest.raises(Unreadable) as caught:
        codec.read_request(write(codec, fields))
    assert (caught.value.code, caught.value.id) == (code, id)
    assert says in caught.value.message


@pytest.mark.parametrize(
    ("codec", "data", "code"),
    [
        (JSON, b'{"type":"ping"}', "wrong_frame"),
        (MSGPACK, '{"type":"ping"}', "wrong_frame"),
        (JSON, "", "not_a_message"),
        (JSON, '{"type":"ping"', "not_a_message"),
        (JSON, "[" * 5000, "not_a_message"),
        (JSON, '{"type":"ping","name":"\ud800"}', "not_a_message"),
        (MSGPACK, b"", "not_a_message"),
        (MSGPACK, b"\xc1", "not_a_message"),
        (MSGPACK, b"\x93" * 5000, "not_a_message"),
        (MSGPACK, b"\xdf\xff\xff\xff\xff", "not_a_message"),
        (MSGPACK, b"\x81\x01\x02", "not_a_message"),
        (MSGPACK, b"\x80\x80", "not_a_message"),
        (MSGPACK, b"\x81\xa4type\xa4\xff\xff\xff\xff", "not_a_message"),
    ],
)
def test_bytes_that_are_no_message(codec: Codec, data: bytes | str, code: str) -> None:
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

RESULT = tell.Result("checkmate", ["red"], {"red": 1, "blue": 2}, None)
EVENTS: list[tell.Event] = [
    tell.Seated("red", "p", "Ann"),
    tell.Unseated("red"),
    tell.Started(),
    tell.Moved("red", "h2h4", 1, tell.Tick(900, 20, 2000, 301100)),
    tell.Eliminated("blue", "checkmate", "red"),
    tell.Resigned("red"),
    tell.Flagged("red"),
    tell.Proposed(1, "undo", "red", 2, 5, "fen", ["red", "blue"], 99),
    tell.Voted(1, "blue", True),
    tell.Closed(1, "carried"),
    tell.Undone(2, 5, "fen", {"blue": "time"}, {"red": 5, "blue": 0}),
    tell.Redone(1, 6, ["h2h4"], "fen"),
    tell.Finished(RESULT, {"red": 1, "blue": 0.5}),
    tell.Invited("red", 3),
    tell.StoodIn("red", "bot:p", "Level 3"),
    tell.Returned("red"),
    tell.Removed("red"),
    tell.Credited("red", 1500, 99),
    tell.Rematched(2, [tell.Player("red", "p", "Ann", 1.5)]),
]
LISTING = tell.Listing(
    room="r",
    variant="survivor",
    clock=tell.Control(60_000, 0, 5_000),
    status="open",
    seats=[tell.ListedSeat("red", "Ann"), tell.ListedSeat("blue", None, True)],
    ply=0,
    watchers=2,
    created=5,
    seek=True,
)
FRAMES: list[tell.Frame] = [
    tell.Welcome("p", "Ann", "t", "fourfold", 5, id=1),
    tell.Created("r", id=1),
    tell.Joined("r", "red", 3, id=1),
    tell.Ok(),
    tell.Ok(room="r", seq=4, id=1),
    tell.Error(kind="illegal", code="no_piece", message="m", room="r", seq=4, id=1),
    tell.Pong(5),
    tell.Legal("r", "red", ["h2h4"], 4),
    tell.Exported("r", "fen", "text", 4),
    tell.Room(
        room="r",
        variant="survivor",
        status="playing",
        game=1,
        seats=[tell.Seat("red", "p", "Ann", True, None), tell.Seat("blue", None, None, False, "checkmate")],
        start="fen",
        position="fen",
        moves=["h2h4"],
        redo=0,
        clocks=tell.Clocks(300000, 2000, 0, {"red": 5, "blue": 6}, 99),
        turn="red",
        proposal=tell.Proposal(1, "draw", "red", None, None, None, ["red"], {"red": True}, 99),
        result=RESULT,
        watchers=2,
        seq=9,
        time=5,
    ),
    tell.Update("r", 4, 5, EVENTS),  # type: ignore[arg-type]
    tell.Turn("r", 4, "red", ["h2h4"]),
    tell.Presence("r", "red", True),
    tell.Watchers("r", 3),
    tell.Rooms([LISTING], True, id=1),
    tell.Lobby([LISTING], ["r2"]),
    tell.Said("r", None, "Ann", "hello", "all", 5),
    tell.Closing("restart", 500),
]


def test_every_frame_and_event_is_among_the_examples() -> None:
    assert {type(frame) for frame in FRAMES} == set(get_args(tell.AnyFrame))
    assert {type(event) for event in EVENTS} == set(get_args(tell.AnyEvent))


@codecs
@pytest.mark.parametrize("frame", FRAMES, ids=lambda frame: type(frame).__name__)
def test_frames_come_through(codec: Codec, frame: tell.Frame) -> None:
    data = codec.encode(frame)
    assert codec.read_frame(data.decode() if codec.text else data) == frame


@codecs
def test_newer_servers_are_tolerated(codec: Codec) -> None:
    assert codec.read_frame(write(codec, {"type": "fanfare", "loud": True})) is None
    assert codec.read_frame(write(codec, {"type": "pong", "time": 5, "mood": "good"})) == tell.Pong(5)


@codecs
def test_a_server_that_talks_nonsense_is_caught(codec: Codec) -> None:
    for fields in ([], {"type": "pong", "time": "late"}):
        try:
            frame = codec.read_frame(write(codec, fields))
        except Unreadable as error:
            assert error.code == "bad_field"
        else:
            assert frame is None


def test_both_forms_carry_the_same_maps() -> None:
    for frame in FRAMES:
        assert msgpack.unpackb(MSGPACK.encode(frame)) == msgspec.json.decode(JSON.encode(frame))


def test_msgpack_is_preferred() -> None:
    assert list(CODECS) == ["fourfold.v1+msgpack", "fourfold.v1+json"]
