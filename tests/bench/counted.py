"""The server with counted Python calls: `python -m tests.bench.counted FILE ARGUMENTS OF THE SERVER`.

It counts from SIGRTMIN to the signal after it. Then it writes each function with its calls and its own seconds to FILE,
as JSON. Built-in functions have no file in their name. Code compiled by `FOURFOLD_COMPILE` is not counted.
"""

import cProfile
import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

from fourfold.server.__main__ import main


def _name(code: Any) -> str:
    return code if isinstance(code, str) else f"{code.co_filename}:{code.co_firstlineno} {code.co_qualname}"


def count(file: Path) -> None:
    """Handle the two signals."""
    profile = cProfile.Profile()

    def stop(*_: object) -> None:
        profile.disable()
        found = [(_name(entry.code), entry.callcount, entry.inlinetime) for entry in profile.getstats()]
        profile.clear()
        whole = file.with_suffix(".part")
        whole.write_text(json.dumps(found))
        os.replace(whole, file)

    signal.signal(signal.SIGRTMIN, lambda *_: profile.enable())
    signal.signal(signal.SIGRTMIN + 1, stop)


if __name__ == "__main__":
    count(Path(sys.argv.pop(1)))
    main()
