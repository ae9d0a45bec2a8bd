"""Fuzzes one of the parsers, from the command line.

python -m tests.fuzz TARGET [--seconds 60] [--seed N]

from the root of the repository. With `atheris` installed (it has wheels only for Linux, so it is not a dependency of
the tests), the branches that the last input took guide the next one. Without it, inputs are mutations of real games,
positions and messages, the same for the same seed. A finding is an input that crashes a parser or takes longer than ten
seconds. It is kept in `vectors/`, where the tests check it from then on, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import importlib.util
import signal
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

SLOW = 10
"""How many seconds an input may take."""

GUIDED = importlib.util.find_spec("atheris") is not None
if GUIDED:
    import atheris
watching: contextlib.AbstractContextManager[Any] = atheris.instrument_imports() if GUIDED else contextlib.nullcontext()
with watching:
    from tests.fuzz.targets import TARGETS, VECTORS, Target
from tests.fuzz.mutations import MOST, mutate  # noqa: E402


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("target", choices=TARGETS)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--seed", type=int, default=None, help="repeats a run without atheris")
    options = parser.parse_args()
    run = _guided if GUIDED else _random
    return run(options.target, options.seconds, options.seed)


def _try(name: str, target: Target, data: bytes) -> None:
    """Check an input. Any exception is a finding, and ends the run."""
    passed = False
    try:
        target.check(data)
        passed = True
    finally:
        if not passed:
            path = VECTORS / name / hashlib.sha256(data).hexdigest()[:12]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            print(f"{name}: a finding, kept as {path}", flush=True)


def _random(name: str, seconds: int, seed: int | None) -> int:
    seed = Random().randrange(10**6) if seed is None else seed
    random, target = Random(seed), TARGETS[name]
    seeds = target.seeds
    signal.signal(signal.SIGALRM, _late)
    end, tried = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        data = mutate(random, seeds, target.words)
        tried += 1
        signal.alarm(SLOW)
        _try(name, target, data)
        signal.alarm(0)
    print(f"{name}: {tried} inputs with seed {seed}, no finding")
    return 0


def _late(_number: int, _frame: FrameType | None) -> None:
    raise TimeoutError(f"it takes longer than {SLOW} s")


def _guided(name: str, seconds: int, _seed: int | None) -> int:
    target = TARGETS[name]
    folder = Path(tempfile.mkdtemp(prefix="fourfold-fuzz-"))
    for number, seed in enumerate(target.seeds):
        (folder / f"{number:04}").write_bytes(seed[:MOST])
    words = folder.with_suffix(".dict")
    words.write_text("".join(f'"{_escaped(word)}"\n' for word in target.words))
    arguments = [
        sys.argv[0], str(folder), f"-max_total_time={seconds}", f"-max_len={MOST}", f"-timeout={SLOW}",
        f"-dict={words}", f"-artifact_prefix={folder}-", "-print_final_stats=1", "-verbosity=0",
    ]  # fmt: skip
    atheris.Setup(arguments, partial(_try, name, target))
    atheris.Fuzz()  # ends the process
    return 0


def _escaped(word: bytes) -> str:
    return "".join(f"\\x{byte:02x}" for byte in word)


if __name__ == "__main__":
    sys.exit(main())
