"""Builds what a move passes through, and level 5, as machine code, if asked: ``FOURFOLD_COMPILE=1 pip install .``

The source is the same: mypyc compiles it by its types. It needs a C compiler and Python's headers. Unlisted modules
stay uncompiled: they take hardly any time. These stay though they do:

* errors, which are pickled;
* `values`, decorators that type checkers know;
* the messages of the protocol, classes of `msgspec`;
* `metrics`, which reads the annotations of its own class: compiled classes have only the plain types;
* `redis_log`, which has an asynchronous generator, and mypyc knows none.

Classes made by `values`, named tuples, and subclasses of other libraries' classes stay Python classes, with compiled
methods. Nothing interpreted can inherit from a compiled class, so each class is listed together with its base. The
referees and `Fen` are exceptions: anything can inherit from them.

Without the variable nothing here does anything. ``FOURFOLD_COMPILE=match,server`` compiles only these groups. With
``FOURFOLD_OPTIMIZE=0`` the C compiler takes a fraction of the time, and the code is slower than the interpreter. With
``g`` it takes a fifth longer than that, and the code is twice as fast.
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

_PACKAGE = "fourfold"
_GROUPS = {
    "engine": (
        "engine/attacks engine/board engine/castling engine/coordinates engine/editor engine/geometry engine/movegen "
        "engine/moves engine/outcome engine/perft engine/pickling engine/pieces engine/position engine/questions "
        "engine/rules engine/setup engine/tables engine/variants engine/zobrist "
        "engine/fourplayer/antichess engine/fourplayer/elimination engine/fourplayer/fen4 engine/fourplayer/hill "
        "engine/fourplayer/lan "
        "engine/fourplayer/referee engine/fourplayer/three_check "
        "engine/fourplayer/rules engine/fourplayer/scoring "
        "engine/notation/comments engine/notation/game engine/notation/movetext engine/notation/pgn "
        "engine/twoplayer/antichess engine/twoplayer/atomic engine/twoplayer/crazyhouse engine/twoplayer/draws "
        "engine/twoplayer/fen engine/twoplayer/horde engine/twoplayer/king_of_the_hill engine/twoplayer/racing_kings "
        "engine/twoplayer/rules "
        "engine/twoplayer/san engine/twoplayer/three_check"
    ),
    "match": (
        "engine/decisions engine/match/clock engine/match/commands engine/match/decide engine/match/display "
        "engine/match/events engine/match/evolve engine/match/history engine/match/progress engine/match/state "
        "engine/match/terms engine/match/votes"
    ),
    "server": (
        "protocol/codec protocol/projection server/limits/turns "
        "server/replication/fanout server/replication/feed server/replication/hosted server/replication/log_writer "
        "server/replication/replica server/rooms/deadlines server/rooms/presence server/rooms/retention "
        "server/rooms/room server/rooms/watched server/rooms/writer server/studies/room server/studies/writer "
        "server/sessions/game server/sessions/inbound server/sessions/session "
        "server/storage/pipeline server/storage/records server/transport/connection server/transport/frames"
    ),
    "bots": (
        "clients/bots/levels/level5 clients/bots/levels/lookahead clients/bots/search/alpha_beta "
        "clients/bots/search/board clients/bots/search/evaluation clients/bots/search/known "
        "clients/bots/search/mailbox clients/bots/search/mates clients/bots/search/mates_among_four "
        "clients/bots/search/ordering "
        "clients/bots/search/placement clients/bots/search/plan clients/bots/search/pseudo_legal "
        "clients/bots/search/structure"
    ),
    "environments": "clients/environments/layout",
}
"""The modules that are compiled. Those of a group call each other directly; one group of all takes the C compiler
longer."""

_SETUP = """
import sys
from mypyc.build import mypycify
from setuptools import setup
groups = [(modules.split(","), name) for name, modules in (group.split("=") for group in sys.argv[3:])]
options = ["--ignore-missing-imports", *(module for modules, _ in groups for module in modules)]
modules = mypycify(options, opt_level=sys.argv[2], debug_level="0", separate=groups)
setup(name="fourfold", packages=[], ext_modules=modules, script_args=["-q", "build_ext", "--inplace", "-j2"])
"""


def _chosen_groups() -> list[str]:
    """The groups of modules that ``FOURFOLD_COMPILE`` names. Raises `SystemExit` for an unknown name."""
    chosen = os.environ.get("FOURFOLD_COMPILE", "0")
    if chosen in ("", "0"):
        return []
    groups = list(_GROUPS) if chosen == "1" else chosen.split(",")
    for group in groups:
        if group not in _GROUPS:
            raise SystemExit(
                f"FOURFOLD_COMPILE={chosen}: unknown group {group!r}. The groups are {', '.join(_GROUPS)}. "
                "Name some of them, separated by commas, or set 1 for all, or 0 for none."
            )
    return groups


class CompiledModules(BuildHookInterface[Any]):
    """Adds the compiled modules to a wheel, beside their source."""

    def dependencies(self) -> list[str]:
        """The requirements of a build: the server's libraries too, since compiled code calls them by their types."""
        if not _chosen_groups():
            return []
        core = self.metadata.core
        extra = (name for name in core.optional_dependencies["server"] if not name.startswith(_PACKAGE))
        return ["mypy>=1.19", "setuptools>=77", *core.dependencies, *extra]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        chosen = _chosen_groups()
        if not chosen or self.target_name != "wheel" or version == "editable":
            return
        self._workshop = Path(tempfile.mkdtemp(prefix="fourfold-compile-"))
        package = self._workshop / _PACKAGE
        ignored = shutil.ignore_patterns("__pycache__", "*.so", "*.pyd", "static")
        for folder in ("clients", "engine", "protocol", "server"):
            # Here they are in an sdist too, which has no folders at its top.
            shutil.copytree(Path(self.root, ".src", _PACKAGE, folder), package / folder, ignore=ignored)
        shutil.copy(Path(self.root, ".src/fourfold/__init__.py"), package)
        level = os.environ.get("FOURFOLD_OPTIMIZE", "2")
        groups = [
            f"{name}=" + ",".join(f"{_PACKAGE}/{module}.py" for module in _GROUPS[name].split()) for name in chosen
        ]
        # In files of this size, this one warning takes gcc as long as everything else. Python's flags have -Wall.
        environment = os.environ | {"CFLAGS": f"-Wno-misleading-indentation {os.environ.get('CFLAGS', '')}"}
        command = [sys.executable, "-c", _SETUP, "--", level, *groups]
        subprocess.run(command, cwd=self._workshop, env=environment, check=True)
        for suffix in ("so", "pyd"):
            for path in [*self._workshop.glob(f"*.{suffix}"), *package.rglob(f"*.{suffix}")]:
                build_data["force_include"][str(path)] = str(path.relative_to(self._workshop))
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if hasattr(self, "_workshop"):
            shutil.rmtree(self._workshop)
