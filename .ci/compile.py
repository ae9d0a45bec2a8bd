"""Builds the engine as machine code, if asked to: ``FOURFOLD_COMPILE=1 pip install .``

The source is the same: mypyc compiles it by its types, with a C compiler, which this needs, and Python's
headers. What takes no time to speak of stays as it is: commands, games as text, the match around a position,
errors, which are pickled, and `values`, a decorator that type checkers know. Without the variable nothing here does
anything.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_ENGINE = "fourfold/engine"
_PACKAGES = (_ENGINE, f"{_ENGINE}/twoplayer", f"{_ENGINE}/fourplayer")
_INTERPRETED = ("__init__", "__main__", "errors", "values")
_SETUP = """
import sys
from mypyc.build import mypycify
from setuptools import setup
modules = mypycify(sys.argv[2:], opt_level="3", debug_level="0", group_name="engine")
setup(name="engine", packages=[], ext_modules=modules, script_args=["-q", "build_ext", "--inplace"])
"""


def _asked() -> bool:
    return os.environ.get("FOURFOLD_COMPILE", "0") not in ("", "0")


class CompiledEngine(BuildHookInterface[Any]):
    """Adds the compiled modules to a wheel, beside their source."""

    def dependencies(self) -> list[str]:
        return ["mypy>=1.19", "setuptools>=77"] if _asked() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if not _asked() or self.target_name != "wheel" or version == "editable":
            return
        self._workshop = Path(tempfile.mkdtemp(prefix="fourfold-compile-"))
        shutil.copytree(
            Path(self.root, "engine"),
            self._workshop / _ENGINE,
            ignore=shutil.ignore_patterns("__pycache__", "*.so", "*.pyd"),
        )
        shutil.copy(Path(self.root, ".src/fourfold/__init__.py"), self._workshop / "fourfold")
        modules = [
            str(path.relative_to(self._workshop))
            for package in _PACKAGES
            for path in sorted((self._workshop / package).glob("*.py"))
            if path.stem not in _INTERPRETED
        ]
        subprocess.run([sys.executable, "-c", _SETUP, "--", *modules], cwd=self._workshop, check=True)
        for suffix in ("so", "pyd"):
            for path in [*self._workshop.glob(f"*.{suffix}"), *(self._workshop / _ENGINE).rglob(f"*.{suffix}")]:
                build_data["force_include"][str(path)] = str(path.relative_to(self._workshop))
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if hasattr(self, "_workshop"):
            shutil.rmtree(self._workshop)
