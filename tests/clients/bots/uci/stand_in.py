"""Programs in place of an engine: one that replays a recorded conversation, and one that records."""

import subprocess
import sys
import threading
from pathlib import Path
from typing import IO


def repeat(path: Path, done: Path) -> None:
    """Replay the engine's lines of a conversation, and stop at the first unexpected line of the driver. `done` is the
    file with the lines from before a restart."""
    lines = [line for line in path.read_text().splitlines() if line[:1] in "><"]
    told = [number for number, line in enumerate(lines) if line[0] == ">"]
    lines = lines[told[len(done.read_text().splitlines())] :]
    while lines:
        wanted = lines.pop(0)
        heard = sys.stdin.readline()
        if wanted != f"> {heard.rstrip()}":
            sys.exit(f"told '{heard.rstrip()}', not '{wanted}'")
        with done.open("a") as log:
            log.write(heard)
        while lines and lines[0][0] == "<":
            print(lines.pop(0)[2:], flush=True)
    sys.stdin.read()


def record(path: Path, command: list[str]) -> None:
    """Run an engine, and record its conversation with the driver, and its process id, because the driver kills this
    program and not the engine."""
    engine = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    with path.with_suffix(".pids").open("a") as pids:
        pids.write(f"{engine.pid}\n")
    assert engine.stdin is not None and engine.stdout is not None

    def copy(source: IO[str], target: IO[str], sign: str) -> None:
        for line in source:
            with path.open("a") as log:
                log.write(f"{sign} {line.rstrip()}\n")
            target.write(line)
            target.flush()

    threading.Thread(target=copy, args=(engine.stdout, sys.stdout, "<"), daemon=True).start()
    copy(sys.stdin, engine.stdin, ">")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["repeat", conversation, heard_before]:
            repeat(Path(conversation), Path(heard_before))
        case ["record", log, *words]:
            record(Path(log), words)
