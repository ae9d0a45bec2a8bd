"""Whether these tests speak of the engine that they are meant to: with FOURFOLD_COMPILE=1, the compiled one."""

from __future__ import annotations

import os
from pathlib import Path

from fourfold.engine import movegen, position


def test_the_engine_is_compiled_if_and_only_if_asked_for() -> None:
    asked = os.environ.get("FOURFOLD_COMPILE", "0") not in ("", "0")
    for module in (position, movegen):
        assert module.__file__ is not None
        assert (Path(module.__file__).suffix != ".py") is asked, module.__file__
