"""`python -m fourfold.protocol` writes the published files: schemas, declarations, vectors, and the lists in
README.md."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from fourfold.protocol import page, schema, typescript, vectors

HERE: Final = Path(__file__).parent

LINE: Final = 7000
"""The longest line of a JSON file, in characters: longer than each definition, and shorter than each list of them."""


def published() -> Iterator[tuple[Path, str]]:
    """Every published file, with its present content."""
    for name, value in {
        schema.REQUESTS_FILE: schema.requests(),
        schema.FRAMES_FILE: schema.frames(),
        "asyncapi.json": schema.asyncapi(),
        "vectors/messages.json": vectors.messages(),
    }.items():
        yield HERE / name, _json(value) + "\n"
    yield HERE / typescript.FILE, typescript.declarations()
    readme = HERE / "README.md"
    yield readme, page.fill(readme.read_text())


def _json(value: Any, indent: str = "") -> str:
    """JSON with a definition, a message or an entry a line: what is longer than `LINE` is split into its parts."""
    line = json.dumps(value, ensure_ascii=False)
    if len(line) <= LINE or not isinstance(value, dict | list):
        return line
    inner = f"{indent}  "
    if isinstance(value, list):
        parts, (begin, end) = [_json(part, inner) for part in value], "[]"
    else:
        parts, (begin, end) = [f"{json.dumps(name)}: {_json(part, inner)}" for name, part in value.items()], "{}"
    return f"{begin}\n{inner}" + f",\n{inner}".join(parts) + f"\n{indent}{end}"


def main() -> None:
    """Write the changed files, and print their names."""
    for path, text in published():
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
            print(f"wrote {path.relative_to(HERE.parent)}", file=sys.stderr)


if __name__ == "__main__":
    main()
