"""`python -m fourfold.protocol` writes the published files: schemas, declarations, vectors, and the lists in
README.md."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from fourfold.protocol import page, schema, typescript, vectors

HERE: Final = Path(__file__).parent

LINE: Final = 7000
"""The preferred length of a JSON file's lines, in characters: longer than each definition, shorter than each list."""


def published() -> Iterator[tuple[Path, str]]:
    """Every published file, with its present content."""
    for name, value in {
        schema.REQUESTS_FILE: schema.requests(),
        schema.FRAMES_FILE: schema.frames(),
        "asyncapi.json": schema.asyncapi(),
        "vectors/messages.json": vectors.messages(),
    }.items():
        yield HERE / name, page.show(value, LINE) + "\n"
    yield HERE / typescript.FILE, typescript.declarations()
    readme = HERE / "README.md"
    yield readme, page.fill(readme.read_text())


def main() -> None:
    """Write the changed files, and print their names."""
    for path, text in published():
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
            print(f"wrote {path.relative_to(HERE.parent)}", file=sys.stderr)


if __name__ == "__main__":
    main()
