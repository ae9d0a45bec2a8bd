"""`python -m fourfold.protocol` writes the published files: schemas, declarations, vectors, and the lists in
README.md."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from fourfold.protocol import page, schema, typescript, vectors

HERE: Final = Path(__file__).parent


def published() -> Iterator[tuple[Path, str]]:
    """Every published file, with its present content."""
    yield HERE / schema.REQUESTS_FILE, _json(schema.requests())
    yield HERE / schema.FRAMES_FILE, _json(schema.frames())
    yield HERE / "asyncapi.json", _json(schema.asyncapi())
    yield HERE / "vectors" / "messages.json", _by_line(vectors.messages())
    yield HERE / typescript.FILE, typescript.declarations()
    readme = HERE / "README.md"
    yield readme, page.fill(readme.read_text())


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def _by_line(lists: dict[str, list[dict[str, Any]]]) -> str:
    """Named lists, with an entry a line."""
    written = []
    for name, entries in lists.items():
        lines = ",\n".join(f"    {json.dumps(entry, ensure_ascii=False)}" for entry in entries)
        written.append(f"  {json.dumps(name)}: [\n{lines}\n  ]")
    return "{\n" + ",\n".join(written) + "\n}\n"


def main() -> None:
    """Write the changed files, and print their names."""
    for path, text in published():
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
            print(f"wrote {path.relative_to(HERE.parent)}", file=sys.stderr)


if __name__ == "__main__":
    main()
