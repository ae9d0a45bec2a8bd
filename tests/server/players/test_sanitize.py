"""The shown form of players' text: everything visible, and nothing that hides, turns, breaks or towers."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfold.server.players.names import MAX_NAME, clean_name
from fourfold.server.players.sanitize import MARKS
from fourfold.server.sessions.chat import clean


@pytest.mark.parametrize(
    "text",
    ["Ann", "Zoë", "Łukasz", "李小龙", "علي", "דָּוִד", "สมชาย", "नमस्ते", "<b>Ann</b>", 'O\'Neil "x"', "👩🏽 Ann", "♔"],
)
def test_what_can_be_seen_stays(text: str) -> None:
    assert clean(text) == unicodedata.normalize("NFC", text)
    assert clean_name(text)


def test_emoji_of_several_parts_stay_whole_in_talk() -> None:
    for text in ("👩‍👩‍👧‍👦", "❤️", "🏳️‍🌈", "می‌خواهم"):
        assert clean(text) == text


@pytest.mark.parametrize(
    "nothing",
    ["", " ", "\t\n", "\0", "\u200b", "\u202e", "\u2066\u2069", "\u3164", "\u115f\u1160", "\uffa0", "\u2800", "\u034f",
     "\ufe0f", "\u0301", "\U000e0041", "\ue000", "\u200d\u200d", "\u00ad", "\u2028", "\u180e"],
)  # fmt: skip
def test_what_cannot_be_seen_is_nothing(nothing: str) -> None:
    assert clean(nothing) == clean_name(nothing) == ""


def test_marks_do_not_tower() -> None:
    for shown in (clean("a" + "\u0323" * 100), clean_name("a" + "\u0323" * 100), clean("ạ̈" + "\u20dd" * 50)):
        assert sum(unicodedata.combining(char) > 0 or char == "\u20dd" for char in shown) <= MARKS


@given(st.text(max_size=200))
def test_of_any_text(text: str) -> None:
    for shown in (clean(text), clean_name(text)):
        assert shown == " ".join(shown.split())
        assert not any(unicodedata.category(char)[0] == "C" and char not in "\u200c\u200d" for char in shown)
        assert not shown or any(unicodedata.category(char)[0] in "LNPS" for char in shown)
    assert clean(clean(text)) == clean(text)
    assert len(clean_name(text)) <= MAX_NAME
