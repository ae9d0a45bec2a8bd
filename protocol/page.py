"""The generated parts of README.md: each message, event and code, from the Structs and tables.

The rest of the page is written by hand. `fill` replaces the text between a line `<!-- NAME: made by python -m
fourfold.protocol -->` and the next `<!-- end -->`.
"""

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any, Final, get_args

from msgspec import Struct

from fourfold.protocol import examples, schema
from fourfold.protocol.errors import CLOSES, ERRORS
from fourfold.protocol.events import AnyEvent
from fourfold.protocol.from_client import AnyRequest, Request
from fourfold.protocol.from_server import AnyFrame

WIDTH: Final = 110
"""The preferred length of an example's lines, in characters."""

_PART: Final = re.compile(r"(<!-- (\w+): made by python -m fourfold.protocol -->\n).*?(<!-- end -->)", re.DOTALL)


def fill(page: str) -> str:
    """The page with its generated parts filled in again. Raises KeyError for an unknown part."""
    made = parts()
    return _PART.sub(lambda part: f"{part[1]}\n{made[part[2]]}\n{part[3]}", page)


def parts() -> dict[str, str]:
    """The generated parts, by name."""
    asked, told = schema.requests()["$defs"], schema.frames()["$defs"]
    requests, frames, events = get_args(AnyRequest), get_args(AnyFrame), get_args(AnyEvent)
    inside = asked | told
    for shape in (*requests, *frames, *events):
        inside.pop(shape.__name__, None)
    return {
        "requests": _messages(requests, asked, examples.REQUESTS),
        "frames": _messages(frames, told, examples.FRAMES),
        "events": _messages(events, told, examples.EVENTS),
        "parts": "\n".join(
            f"#### {name}\n\n{part['description']}\n\n{_fields(part)}\n" for name, part in sorted(inside.items())
        ),
        "errors": _table(
            ("code", "kind", "means", "what helps"),
            ((f"`{code}`", fault.kind, fault.meaning, fault.cure) for code, fault in ERRORS.items()),
        ),
        "closes": _table(
            ("code", "means", "what helps"), ((str(code.value), *close) for code, close in CLOSES.items())
        ),
    }


def show(value: Any, width: int = WIDTH, indent: str = "") -> str:
    """A value as JSON, on one line if it fits, otherwise with as few breaks as possible."""
    line = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(line) <= width or not isinstance(value, dict | list) or not value:
        return line
    deeper = indent + "  "
    if isinstance(value, dict):
        inner = [f"{deeper}{json.dumps(key)}: {show(item, width, deeper)}" for key, item in value.items()]
    else:
        inner = [deeper + show(item, width, deeper) for item in value]
    left, right = "{}" if isinstance(value, dict) else "[]"
    return left + "\n" + ",\n".join(inner) + f"\n{indent}{right}"


def _messages(shapes: Sequence[type[Struct]], definitions: schema.Json, shown: Sequence[Struct]) -> str:
    sections = []
    for shape in shapes:
        first = next(message for message in shown if type(message) is shape)
        section = [f"#### `{schema.type_of(shape)}`", schema.describe(shape)]
        fields = _fields(definitions[shape.__name__])
        if issubclass(shape, Request):
            answer = f"Answer: {' or '.join(f'`{name}`' for name in shape.answers)}"
            fields = f"{fields}<br>\n{answer}" if fields else answer
        section.append(fields)
        section.append(f"```json\n{show(schema.example(first))}\n```")
        sections.append("\n\n".join(part for part in section if part) + "\n")
    return "\n".join(sections)


def _fields(definition: schema.Json) -> str:
    """The fields in one line, without `type` and `id`: optional ones in brackets, limits as ranges."""
    from_client = definition.get("additionalProperties") is False
    always = schema.always(definition)
    fields = []
    for name, field in definition["properties"].items():
        if "const" in field or name == "id":
            continue
        kind = _kind(field)
        if from_client and name not in always:
            kind = kind.removesuffix(" or null")
        fields.append(f"`{name}` {kind}" if name in always else f"[`{name}` {kind}]")
    return f"Fields: {' · '.join(fields)}" if fields else ""


def _kind(field: schema.Json) -> str:
    """The type of a field, in words."""
    if "$ref" in field:
        name = field["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "enum" in field:
        return " / ".join(f"`{json.dumps(value)}`" for value in field["enum"])
    if "anyOf" in field:
        kinds = [_kind(choice) for choice in field["anyOf"]]
        if len(kinds) <= 3:
            return " or ".join(kinds)
        return "event" if field["anyOf"][0]["$ref"].endswith(_FIRST_EVENT) else "change"
    match field["type"]:
        case "string":
            return "text" + _range(field.get("minLength"), field.get("maxLength"))
        case "integer":
            return "integer" + _range(field.get("minimum"), field.get("maximum"))
        case "array":
            return f"list of {_kind(field['items'])}"
        case "object":
            return f"map to {_kind(field['additionalProperties'])}"
    return str(field["type"])


def _range(least: int | None, most: int | None) -> str:
    return "" if most is None else f" {least or 0}–{_NAMED.get(most, most)}"


_FIRST_EVENT: Final = f"/{get_args(AnyEvent)[0].__name__}"

_NAMED: Final[dict[int, str | int]] = {2**31: "2³¹", 2**53: "2⁵³"}


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
