"""The declared tags of the pages' elements are those of the pages."""

import pytest

from fourfold.clients.web import ids

pytestmark = pytest.mark.by_default


def test_the_declarations_are_up_to_date() -> None:
    assert ids.PATH.read_text() == ids.declarations(), "`python -m fourfold.clients.web.ids` writes them anew"


def test_an_element_of_a_page_and_one_that_a_script_makes_are_declared() -> None:
    lines = ids.declarations().splitlines()
    assert '  "board": "div";' in lines
    assert '  "report-why": "input";' in lines
