"""Checks that these tests run the intended modules: with FOURFOLD_COMPILE=1, compiled ones."""

from __future__ import annotations

import os
from pathlib import Path
from types import ModuleType

import pytest

from fourfold.clients.bots.levels import level5, lookahead
from fourfold.clients.bots.search import alpha_beta, evaluation, mailbox, ordering, placement, structure
from fourfold.engine import movegen, position
from fourfold.engine.match import votes
from fourfold.protocol import codec, projection
from fourfold.server.replication import feed
from fourfold.server.rooms import watched, writer
from fourfold.server.sessions import session
from fourfold.server.storage import pipeline, records
from fourfold.server.transport import connection

MODULES = [
    movegen, position, votes, codec, projection, feed, watched, writer, session, pipeline, records, connection,
    alpha_beta, evaluation, level5, lookahead, mailbox, ordering, placement, structure,
]  # fmt: skip


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_a_module_is_compiled_if_and_only_if_asked_for(module: ModuleType) -> None:
    asked = os.environ.get("FOURFOLD_COMPILE", "0") not in ("", "0")
    assert module.__file__ is not None
    assert (Path(module.__file__).suffix != ".py") is asked, module.__file__
