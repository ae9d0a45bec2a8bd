"""Time is an argument: one module of the server reads this machine's clocks, so that a test can move time."""

import ast
from collections.abc import Iterator
from pathlib import Path

SERVER = Path(__file__).parents[1] / "server"
READER = SERVER / "clock.py"

CLOCKS = {
    "time.time", "time.time_ns", "time.monotonic", "time.monotonic_ns", "time.clock_gettime", "time.gmtime",
    "time.localtime", "datetime.now", "datetime.utcnow", "datetime.today", "date.today",
}  # fmt: skip
"""How a clock is read. `perf_counter` may be: by it nothing is decided, it measures."""

MEASURING = {"replication/log_writer.py", "metrics.py"}
"""The modules that measure how long something took."""


def readings(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """The lines on which a clock is read, or imported by its name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == "time":
            yield from ((node.lineno, f"time.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.Attribute):
            name = ".".join(ast.unparse(node).split(".")[-2:])
            if name in CLOCKS or name.startswith("time.perf_counter"):
                yield node.lineno, name


def test_one_module_reads_the_clocks() -> None:
    offenders = [
        f"server/{name}:{line}: {clock}"
        for path in sorted(SERVER.rglob("*.py"))
        if path != READER
        for name in [path.relative_to(SERVER).as_posix()]
        for line, clock in readings(ast.parse(path.read_text()))
        if not (name in MEASURING and "perf_counter" in clock)
    ]
    assert not offenders, "\n".join(offenders)


def test_the_reader_is_seen_to_read() -> None:
    assert {clock for _, clock in readings(ast.parse(READER.read_text()))} == {"time.monotonic_ns", "time.time"}
