"""Received frames: the shortcut past `websockets`' protocol gives the same results."""

from hypothesis import given, settings
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.server import ServerProtocol

from fourfold.protocol.codec import CODECS, MAX_FRAME
from fourfold.server.transport.frames import WebSocketProtocol

HANDSHAKE = (
    b"GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
)

contents = st.one_of(
    st.text(max_size=140).map(str.encode),
    st.binary(max_size=10),
    st.sampled_from([0, 1, 124, 125, 126, 127, 128, MAX_FRAME, MAX_FRAME + 1]).map(lambda size: size * b"x"),
)
control = st.sampled_from([Opcode.PING, Opcode.PONG])
whole = st.builds(Frame, st.sampled_from([Opcode.TEXT, Opcode.BINARY]), contents)
masked = st.one_of(
    whole,
    whole,
    st.builds(Frame, st.sampled_from(list(Opcode)), contents, fin=st.booleans()),
    st.builds(Frame, control, st.binary(max_size=125)),
)


def _masked(frame: Frame) -> bytes:
    try:
        return frame.serialize(mask=True)
    except Exception:  # noqa: BLE001 - a frame that may not be: as bytes it can be all the same
        return bytes([frame.fin << 7 | frame.opcode, 0x80 | 126]) + len(frame.data).to_bytes(2) + b"mask" + frame.data


chunks = st.one_of(
    masked.map(_masked),
    masked.map(_masked),
    st.binary(max_size=12),
    whole.map(lambda frame: frame.serialize(mask=False)),
    whole.map(lambda frame: b"\x81\xfe" + len(frame.data[:100]).to_bytes(2) + bytes(4) + bytes(frame.data[:100])),
)


def opened(protocol: ServerProtocol, offered: str = "") -> ServerProtocol:
    protocol.receive_data(HANDSHAKE + offered.encode() + b"\r\n")
    (request,) = protocol.events_received()
    protocol.send_response(protocol.accept(request))
    protocol.data_to_send()
    return protocol


@settings(max_examples=150)
@given(st.lists(chunks, max_size=12), st.lists(st.integers(1, 300), max_size=4), st.booleans())
def test_the_short_cut_comes_to_the_same(sent: list[bytes], cuts: list[int], whole: bool) -> None:
    """Valid and invalid frames, in one piece each or cut anywhere: both see the same messages and answer the same."""
    ours, theirs = WebSocketProtocol(), ServerProtocol(max_size=MAX_FRAME)
    for protocol in (ours, theirs):
        opened(protocol)
    if not whole:
        stream, sent = b"".join(sent), []
        for cut in cuts:
            sent.append(stream[:cut])
            stream = stream[cut:]
        sent.append(stream)
    for data in sent:
        theirs.receive_data(data)
        expected = theirs.events_received()
        try:
            message = ours.message(data)
        except UnicodeDecodeError:
            (event,) = expected
            assert event.opcode is Opcode.TEXT
            return  # the end of the connection, which the connection handles
        if message is None:
            ours.receive_data(data)
            assert ours.events_received() == expected
        else:
            (event,) = expected
            assert (event.opcode is Opcode.TEXT, event.fin) == (isinstance(message, str), True)
            assert (message.encode() if isinstance(message, str) else message) == event.data
        assert ours.data_to_send() == theirs.data_to_send()
        assert (ours.state, ours.close_sent, ours.close_rcvd) == (theirs.state, theirs.close_sent, theirs.close_rcvd)


def test_the_short_cut_is_taken() -> None:
    frames = opened(WebSocketProtocol())
    assert isinstance(frames, WebSocketProtocol)
    short = Frame(Opcode.TEXT, b'{"type":"ping"}').serialize(mask=True)
    assert frames.message(short) is None  # the handshake may not be complete
    frames.receive_data(short)
    assert frames.message(short) == '{"type":"ping"}'
    assert frames.message(Frame(Opcode.BINARY, b"").serialize(mask=True)) == b""
    frames.receive_data(short[:1])
    assert frames.message(short) is None
    frames.receive_data(short[1:])
    assert frames.message(short) == '{"type":"ping"}'
    frames.receive_data(short + bytes([0x82, 0x80 | len(short), 0, 0, 0, 0]))
    assert frames.message(short) is None  # another frame's data
    frames.receive_data(short)
    assert frames.message(b"\x81\xfe\x00\x7c" + bytes(128)) is None  # has its length in an extended field, needlessly
    assert frames.message(short) == '{"type":"ping"}'
    frames.receive_data(Frame(Opcode.CLOSE, b"").serialize(mask=True))
    assert frames.state is State.CLOSING
    assert frames.message(short) is None


def test_whose_codec_is_preferred() -> None:
    packed, plain = CODECS
    for offered, taken in ((f"{plain}, {packed}", packed), (f"chat, {plain}", plain), ("chat", None)):
        assert opened(WebSocketProtocol(), f"Sec-WebSocket-Protocol: {offered}\r\n").subprotocol == taken
    assert opened(WebSocketProtocol()).subprotocol is None
