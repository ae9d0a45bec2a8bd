"""JSON Schema (2020-12) and AsyncAPI (3.0) documents of the messages, for other programs.

Both are generated from the Structs: their fields, limits and docstrings. README.md says when each request is allowed,
and what its answer means.
"""

import inspect
from collections.abc import Iterable
from typing import Any, Final, get_args

import msgspec
from msgspec import Struct

from fourfold.protocol import examples, from_client, from_server
from fourfold.protocol.errors import CLOSES, ERRORS, SUBPROTOCOL_JSON, SUBPROTOCOL_MSGPACK
from fourfold.protocol.events import AnyEvent
from fourfold.protocol.from_client import AnyRequest, Request
from fourfold.protocol.from_server import AnyFrame, Reply
from fourfold.protocol.studies import Node, Shape

VERSION: Final = "1"
"""The version of the protocol: the `v1` in the names of the subprotocols."""

REQUESTS_FILE: Final = "from_client.schema.json"
FRAMES_FILE: Final = "from_server.schema.json"

Json = dict[str, Any]

_TOLD: Final = (*get_args(AnyFrame), *get_args(AnyEvent), Node, Shape)
_OMITTING: Final = {shape.__name__ for shape in _TOLD if shape.__struct_config__.omit_defaults}


def type_of(message: Struct | type[Struct]) -> str:
    """The `type` of a message or event."""
    return str(message.__struct_config__.tag)


def describe(thing: Any) -> str:
    """A docstring as text, one line for each paragraph."""
    paragraphs = (inspect.getdoc(thing) or "").split("\n\n")
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


def requests() -> Json:
    """The JSON Schema of requests. The server refuses requests that do not match it."""
    return _schema(AnyRequest, "Requests to a Fourfold server", from_client)


def frames() -> Json:
    """The JSON Schema of the frames of this version's servers. Newer servers may send more fields: ignore them."""
    return _schema(AnyFrame, "Frames of a Fourfold server", from_server)


def _schema(union: Any, title: str, module: Any) -> Json:
    schema = msgspec.json.schema(union)
    definitions: Json = schema["$defs"]
    for definition in definitions.values():
        if "description" in definition:
            definition["description"] = " ".join(definition["description"].split())
    root = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        "description": describe(module),
        "anyOf": schema["anyOf"],
        "$defs": dict(sorted(definitions.items())),
    }
    plain: Json = _plain(root)
    return plain


def always(definition: Json) -> set[str]:
    """The fields that are never missing from an object of this definition.

    A client may leave out fields with a default. A server sends it all the same, unless its Struct omits defaults.
    """
    required = set(definition.get("required", ()))
    if definition.get("additionalProperties") is False or definition["title"] in _OMITTING:
        return required
    return required | {name for name, field in definition["properties"].items() if "default" in field}


def _plain(schema: Any) -> Any:
    """The schema with constants as `const`, and without `discriminator`, which repeats each message's `type`."""
    if isinstance(schema, list):
        return [_plain(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    plain = {key: _plain(value) for key, value in schema.items() if key != "discriminator"}
    if len(plain.get("enum", ())) == 1:
        plain["const"] = plain.pop("enum")[0]
    return plain


def example(message: Struct) -> Json:
    """A message as a map. A request leaves out fields with their default, as clients do."""
    fields: Json = msgspec.to_builtins(message)
    if isinstance(message, Request):
        defaults = {field.encode_name: field.default for field in msgspec.structs.fields(message)}
        order = [name for name in ("type", "id", *fields) if name in fields]
        return {name: fields[name] for name in order if fields[name] != defaults.get(name, msgspec.NODEFAULT)}
    return fields


def asyncapi() -> Json:
    """The AsyncAPI document, from the server's side: it receives requests, replies to them, and sends frames.

    Its payloads are in the JSON Schema files beside it.
    """
    asked, told = get_args(AnyRequest), get_args(AnyFrame)
    messages = {
        **{f"ask.{type_of(shape)}": _message(shape, REQUESTS_FILE, examples.REQUESTS) for shape in asked},
        **{f"tell.{type_of(shape)}": _message(shape, FRAMES_FILE, examples.FRAMES) for shape in told},
    }
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Fourfold",
            "version": VERSION,
            "description": (
                "Real-time chess for two and four players. One WebSocket carries all messages, as JSON or MessagePack. "
                "README.md beside this file explains the order of messages."
            ),
            "license": {"name": "MIT"},
        },
        "defaultContentType": "application/json",
        "servers": {
            "here": {"host": "127.0.0.1:8080", "protocol": "ws", "description": "A server on this machine."},
        },
        "channels": {
            "socket": {
                "address": "/ws",
                "title": "The socket",
                "description": (
                    f"Subprotocol `{SUBPROTOCOL_JSON}`: each text frame is one message as JSON. Subprotocol "
                    f"`{SUBPROTOCOL_MSGPACK}`: each binary frame is the same map as MessagePack."
                ),
                "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in messages},
                "bindings": {
                    "ws": {
                        "method": "GET",
                        "headers": {
                            "type": "object",
                            "properties": {
                                "Sec-WebSocket-Protocol": {
                                    "type": "string",
                                    "enum": [SUBPROTOCOL_JSON, SUBPROTOCOL_MSGPACK],
                                    "default": SUBPROTOCOL_JSON,
                                }
                            },
                        },
                        "bindingVersion": "0.1.0",
                    }
                },
                "x-close-codes": {
                    str(code.value): {"name": code.name, **close._asdict()} for code, close in CLOSES.items()
                },
            }
        },
        "operations": {
            **{type_of(shape): _operation(shape) for shape in asked},
            **{f"push.{type_of(shape)}": _operation(shape) for shape in told if not issubclass(shape, Reply)},
        },
        "components": {
            "messages": messages,
            "correlationIds": {
                "id": {"description": "A reply repeats the `id` of its request.", "location": "$message.payload#/id"}
            },
        },
        "x-error-codes": {code: fault._asdict() for code, fault in ERRORS.items()},
    }


def _message(shape: type[Struct], file: str, shown: Iterable[Struct]) -> Json:
    described: Json = {"name": type_of(shape), "title": type_of(shape), "summary": describe(shape).split("\n\n")[0]}
    if issubclass(shape, Request | Reply):
        described["correlationId"] = {"$ref": "#/components/correlationIds/id"}
    described["payload"] = {"$ref": f"./{file}#/$defs/{shape.__name__}"}
    described["examples"] = [{"payload": example(message)} for message in shown if type(message) is shape]
    return described


def _refer(*names: str) -> list[Json]:
    return [{"$ref": f"#/channels/socket/messages/{name}"} for name in names]


def _operation(shape: type[Struct]) -> Json:
    """The server's operation with a message: receive a request and reply, or send a frame."""
    channel, request = {"$ref": "#/channels/socket"}, issubclass(shape, Request)
    operation: Json = {
        "action": "receive" if request else "send",
        "channel": channel,
        "summary": describe(shape).split("\n\n")[0],
        "messages": _refer(f"{'ask' if request else 'tell'}.{type_of(shape)}"),
    }
    if issubclass(shape, Request):
        answers = (*shape.answers, "error")
        operation["reply"] = {"channel": channel, "messages": _refer(*(f"tell.{name}" for name in answers))}
    return operation
