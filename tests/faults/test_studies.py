"""Three clients edit a study while nodes and the store die: a few schedules of `python -m tests.faults.studies`."""

import pytest

from tests.faults.studies import campaign


@pytest.mark.slow
async def test_a_study_ends_the_same_everywhere() -> None:
    found = await campaign(range(1, 5))
    assert len(found) == 4
    assert sum(one["acknowledged"] for one in found) > 100
    assert {"node", "store"} <= {blow for one in found for blow in one["blows"]}
