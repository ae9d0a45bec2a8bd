"""The tables of a variant: one for all threads."""

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from fourfold.engine import VARIANTS
from fourfold.engine.tables import Tables, tables_of


def test_threads_that_need_new_tables_at_once_get_the_same() -> None:
    """Pieces are objects of the tables, and are compared by identity."""
    rules, ready = replace(VARIANTS["ffa"], name="of several threads"), threading.Barrier(4)

    def first() -> Tables:
        ready.wait()
        return tables_of(rules)

    with ThreadPoolExecutor(4) as threads:
        found = [one.result() for one in [threads.submit(first) for _ in range(4)]]
    assert all(one is found[0] for one in found)
