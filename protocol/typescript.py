"""TypeScript declarations of the messages, for clients in a browser: `protocol.d.ts`.

They are generated from the JSON Schemas: an interface for each Struct, with its docstring as the comment and limits as
comments of fields. A request's interface has the suffix `Request` (`MoveRequest`), because some replies have the same
names (`Rooms`).
"""

import json
import textwrap
from collections.abc import Iterable, Iterator
from typing import Final, get_args

from msgspec import Struct

from fourfold.protocol import schema
from fourfold.protocol.events import AnyEvent, MatchEvent, StudyEvent
from fourfold.protocol.from_client import REQUESTS
from fourfold.protocol.from_server import AnyFrame
from fourfold.protocol.studies import AnyChange

FILE: Final = "protocol.d.ts"
WIDTH: Final = 110
"""The longest line of a comment, in characters."""

_HEAD: Final = """\
/**
 * The messages of the Fourfold protocol, version {version}: see README.md beside this file.
 * Made by `python -m fourfold.protocol`; do not edit.
 */
"""

_TAIL: Final = """\
export type Request = Requests[keyof Requests];
export type Frame = Frames[keyof Frames];
export type StudyEvent = StudyEvents[keyof StudyEvents];
/** An event of an `update` of a game's room. A study's events are `StudyEvent`s: the room's id tells which. */
export type Event = Events[keyof Events];
export type Change = Changes[keyof Changes];
"""


def declarations() -> str:
    """The content of the file."""
    asked, told = schema.requests()["$defs"], schema.frames()["$defs"]
    requests = {name: f"{request.__name__}Request" for name, request in REQUESTS.items()}
    named = {request.__name__: requests[name] for name, request in REQUESTS.items()}
    frames = get_args(AnyFrame)
    answers = {
        name: " | ".join(frame.__name__ for frame in frames if schema.type_of(frame) in request.answers)
        for name, request in REQUESTS.items()
    }
    sections = [
        _HEAD.format(version=schema.VERSION),
        *(_interface(named.get(name, name), definition) for name, definition in asked.items()),
        *(_interface(name, definition) for name, definition in told.items()),
        _table("Requests", "Every request by its `type`.", requests.items()),
        _table("Answers", "The reply to each request, unless it is refused.", answers.items()),
        _table("Frames", "Every frame of a server by its `type`.", _by_type(frames)),
        _table("Events", "Every event of a room's `update` by its `type`.", _by_type(get_args(MatchEvent))),
        _table("StudyEvents", "Every event of a study's `update` by its `type`.", _by_type(get_args(StudyEvent))),
        _table("Changes", "Every change of an `edit` by its `type`.", _by_type(get_args(AnyChange))),
        _TAIL,
    ]
    return "\n".join(sections)


def _by_type(shapes: Iterable[type[Struct]]) -> Iterator[tuple[str, str]]:
    return ((schema.type_of(shape), shape.__name__) for shape in shapes)


def _interface(name: str, definition: schema.Json) -> str:
    always = schema.always(definition)
    fields = []
    for field, kind in definition["properties"].items():
        limits = _limits(kind)
        fields += [f"  /** {limits} */"] if limits else []
        fields.append(f"  {field}{'' if field in always else '?'}: {_type(kind)};")
    return _declared(name, definition["description"], fields)


def _table(name: str, meaning: str, rows: Iterable[tuple[str, str]]) -> str:
    return _declared(name, meaning, (f"  {key}: {kind};" for key, kind in rows))


def _declared(name: str, meaning: str, fields: Iterable[str]) -> str:
    comment = textwrap.wrap(meaning, WIDTH, initial_indent=" * ", subsequent_indent=" * ")
    described = ["/**", *comment, " */"] if len(comment) > 1 else [f"/** {meaning} */"]
    return "\n".join([*described, f"export interface {name} {{", *fields, "}", ""])


def _type(field: schema.Json) -> str:
    """The TypeScript type of a field."""
    if "$ref" in field:
        name: str = field["$ref"].rpartition("/")[2]
        return name
    if "const" in field:
        return json.dumps(field["const"])
    if "enum" in field:
        return " | ".join(map(json.dumps, field["enum"]))
    if "anyOf" in field:
        choices = [_type(choice) for choice in field["anyOf"]]
        return _UNIONS.get(choices[0], " | ".join(choices))
    match field["type"]:
        case "integer":
            return "number"
        case "array":
            item = _type(field["items"])
            return f"({item})[]" if " " in item else f"{item}[]"
        case "object":
            return f"Record<string, {_type(field['additionalProperties'])}>"
    return str(field["type"])


def _limits(field: schema.Json) -> str:
    """The limits of a field that its type does not express."""
    for choice in (field, *field.get("anyOf", ())):
        for least, most, unit in _LIMITS:
            if most in choice:
                return f"{choice.get(least, 0)} to {choice[most]}{unit}"
    return ""


_UNIONS: Final = {get_args(union)[0].__name__: name for name, union in (("Event", AnyEvent), ("Change", AnyChange))}
"""The names of large unions, by their first member."""

_LIMITS: Final = (
    ("minimum", "maximum", ""),
    ("minLength", "maxLength", " characters"),
    ("minItems", "maxItems", " items"),
)
