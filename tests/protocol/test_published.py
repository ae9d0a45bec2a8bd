"""The published files are correct: they are up to date, and the codec agrees with them."""

import json
import re
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from fourfold.engine.match.clock import LAG_QUOTA
from fourfold.engine.match.events import Closure
from fourfold.engine.match.events import ProposalKind as VoteKind
from fourfold.engine.match.votes import COOLDOWN_MS, VOTE_MS
from fourfold.engine.outcome import Termination
from fourfold.protocol import examples, schema
from fourfold.protocol.__main__ import HERE, published
from fourfold.protocol.codec import JSON, MAX_FRAME
from fourfold.protocol.errors import SUBPROTOCOL_JSON, SUBPROTOCOL_MSGPACK, Unreadable
from fourfold.protocol.events import AnyEvent
from fourfold.protocol.from_client import REQUESTS, AnyRequest
from fourfold.protocol.from_server import AnyFrame
from fourfold.server.players import names
from fourfold.server.sessions import chat, inbound, passwords, session
from fourfold.server.settings import Settings
from fourfold.server.transport import connection as line
from fourfold.server.transport import gateway

PAGE = (HERE / "README.md").read_text()
MESSAGES = json.loads((HERE / "vectors" / "messages.json").read_text())
BAD_FRAMES = json.loads((HERE / "vectors" / "bad_frames.json").read_text())
USUAL = Settings()
REQUEST_SCHEMA = Draft202012Validator(json.loads((HERE / schema.REQUESTS_FILE).read_text()))
ONE_BY_ONE = {
    name: Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": REQUEST_SCHEMA.schema["$defs"]})
    for name in REQUEST_SCHEMA.schema["$defs"]
}
FRAME_SCHEMA = Draft202012Validator(json.loads((HERE / schema.FRAMES_FILE).read_text()))


@pytest.mark.parametrize(("shapes", "shown"), [
    (AnyRequest, examples.REQUESTS),
    (AnyFrame, examples.FRAMES),
    (AnyEvent, examples.EVENTS),
], ids=["requests", "frames", "events"])  # fmt: skip
def test_everything_has_an_example(shapes: Any, shown: tuple[Any, ...]) -> None:
    missing = {shape.__name__ for shape in get_args(shapes)} - {type(example).__name__ for example in shown}
    assert not missing, f"add an example of {', '.join(missing)} to protocol/examples.py"


def test_the_files_are_what_the_structs_make() -> None:
    stale = [path for path, text in published() if not path.exists() or path.read_text() != text]
    assert not stale, f"`python -m fourfold.protocol` makes anew: {', '.join(path.name for path in stale)}"


class TestSchemas:
    @pytest.mark.parametrize("validator", [REQUEST_SCHEMA, FRAME_SCHEMA], ids=["requests", "frames"])
    def test_they_are_json_schemas(self, validator: Draft202012Validator) -> None:
        Draft202012Validator.check_schema(validator.schema)
        for definition in validator.schema["$defs"].values():
            assert definition["description"]

    def test_limits_show(self) -> None:
        move = REQUEST_SCHEMA.schema["$defs"]["Move"]
        assert move["properties"]["key"] == {"type": "string", "minLength": 1, "maxLength": 64}
        assert move["properties"]["seq"] == {"type": "integer", "minimum": 0, "maximum": 2**53}
        assert move["additionalProperties"] is False

    def test_the_vectors_match(self) -> None:
        for vector in MESSAGES["from_client"]:
            REQUEST_SCHEMA.validate(vector["value"])
        for vector in MESSAGES["from_server"]:
            FRAME_SCHEMA.validate(vector["value"])

    def test_the_bad_frames_do_not(self) -> None:
        for vector in BAD_FRAMES:
            assert "value" not in vector or not REQUEST_SCHEMA.is_valid(vector["value"]), vector["why"]

    @given(data=st.data())
    def test_what_matches_is_what_the_codec_reads(self, data: st.DataObject) -> None:
        """In a valid request, one field is changed, dropped or added."""
        message = dict(data.draw(st.sampled_from([vector["value"] for vector in MESSAGES["from_client"]])))
        shape = REQUESTS[message["type"]].__name__
        names = sorted(REQUEST_SCHEMA.schema["$defs"][shape]["properties"])
        name = data.draw(st.sampled_from([*names, "else"]).filter(lambda name: name != "type"))
        text = st.text(st.characters(codec="ascii"), max_size=70)
        number = st.sampled_from([-1, 0, 1, 5, 6, 100, 101, 2**31, 2**31 + 1, 2**53, 2**53 + 1])
        words = st.sampled_from(["public", "undo", "open", "table", "all"])
        value = data.draw(st.none() | st.booleans() | number | text | words | st.just([]) | st.just({}) | st.just(...))
        if value is ...:
            message.pop(name, None)
        else:
            message[name] = value
        try:
            JSON.read_request(json.dumps(message))
        except Unreadable:
            assert not ONE_BY_ONE[shape].is_valid(message)
        else:
            ONE_BY_ONE[shape].validate(message)


class TestAsyncApi:
    DOCUMENT = json.loads((HERE / "asyncapi.json").read_text())

    def resolve(self, reference: str) -> Any:
        file, _, path = reference.partition("#/")
        found = json.loads((HERE / file).read_text()) if file else self.DOCUMENT
        for step in path.split("/"):
            found = found[step]
        return found

    def references(self, node: Any) -> list[str]:
        if isinstance(node, list):
            return [reference for item in node for reference in self.references(item)]
        if not isinstance(node, dict):
            return []
        if "$ref" in node:
            return [node["$ref"]]
        return [reference for item in node.values() for reference in self.references(item)]

    def test_all_it_refers_to_is_there(self) -> None:
        references = self.references(self.DOCUMENT)
        assert references
        for reference in references:
            assert self.resolve(reference)

    def test_both_subprotocols_are_named(self) -> None:
        channel = self.DOCUMENT["channels"]["socket"]
        header = channel["bindings"]["ws"]["headers"]["properties"]["Sec-WebSocket-Protocol"]
        assert header["enum"] == [SUBPROTOCOL_JSON, SUBPROTOCOL_MSGPACK]

    def test_every_request_has_its_answers_and_every_other_frame_is_pushed(self) -> None:
        operations = self.DOCUMENT["operations"]
        named = set()
        for name, request in REQUESTS.items():
            messages = self.references(operations[name]["reply"]["messages"])
            answers = [reference.rpartition(".")[2] for reference in messages]
            assert answers == [*request.answers, "error"]
            named.update(answers)
        named.update(name.removeprefix("push.") for name in operations if name.startswith("push."))
        assert named == {schema.type_of(shape) for shape in get_args(AnyFrame)}

    def test_the_examples_match_their_payloads(self) -> None:
        for message in self.DOCUMENT["components"]["messages"].values():
            file, _, path = message["payload"]["$ref"].partition("#/$defs/")
            whole = self.resolve(f"{file}#/$defs")
            validator = Draft202012Validator({"$ref": f"#/$defs/{path}", "$defs": whole})
            assert message["examples"]
            for shown in message["examples"]:
                validator.validate(shown["payload"])


class TestPage:
    def test_every_frame_on_it_is_read_by_the_codec(self) -> None:
        blocks = re.findall(r"^```json\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
        events = {schema.type_of(shape) for shape in get_args(AnyEvent)}
        assert len(blocks) == len(REQUESTS) + len(get_args(AnyFrame)) + len(events)
        for block in blocks:
            message = json.loads(block)
            if message["type"] in events:
                block = json.dumps({"type": "update", "room": "r", "seq": 1, "time": 1, "events": [message]})
            try:
                assert JSON.read_frame(block) is not None
            except (Unreadable, AssertionError):
                JSON.read_request(block)

    def test_its_links_lead_somewhere(self) -> None:
        titles = re.findall(r"^#+ (.*)", PAGE, re.MULTILINE)
        anchors = {re.sub(r"[^\w -]", "", title).lower().replace(" ", "-") for title in titles}
        for target in re.findall(r"\]\((.*?)\)", PAGE):
            if target.startswith("#"):
                assert target[1:] in anchors
            else:
                assert (HERE / target).exists(), target

    @pytest.mark.parametrize("words", [Termination, VoteKind, Closure], ids=lambda words: words.__name__)
    def test_it_names_all_words_for(self, words: Any) -> None:
        for word in words:
            assert f"`{word.value}`" in PAGE

    @pytest.mark.parametrize(
        "line",
        [
            f"| a frame from a client | {MAX_FRAME} bytes |",
            f"in one connection | {session.MAX_STRIKES} |",
            f"| time to say `hello` | {inbound.HELLO:.0f} s |",
            f"| {USUAL.max_rate} a second, after a burst of {2 * USUAL.max_rate} |",
            f"| connections from one address | {USUAL.max_connections} |",
            f"| {USUAL.max_rooms} a minute |",
            f"| {chat.PACE[0]} times in {chat.PACE[1] // 1000} s |",
            f"| {passwords.GUESSES_AT_ROOM[0]} a minute at one room |",
            f"| {line.MAX_OUTBOX // 2**20} MiB |",
            f"| silence | {gateway.HEARTBEAT:.0f} s after a ping |",
            f"| {names.MAX_NAME} characters are kept |",
            f"`deadline`, {VOTE_MS // 1000} seconds on",
            f"{COOLDOWN_MS // 1000}·n² seconds",
            f"up to {LAG_QUOTA} ms",
        ],
    )
    def test_its_numbers_are_the_servers(self, line: str) -> None:
        assert line in " ".join(PAGE.split())
