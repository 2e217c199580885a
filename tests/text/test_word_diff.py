"""Words deleted and inserted: always enough to rebuild both texts, and in bounded work."""

import random

import pytest

from assay.text.word_diff import WordEdit, clip_edits, diff_words, find_replaced, list_words


def rebuild(edits: tuple[WordEdit, ...], kind: str) -> list[str]:
    return list_words(" ".join(edit.text for edit in edits if edit.kind in {"same", kind}))


def show(first: str, second: str) -> list[tuple[str, str]]:
    return [(edit.kind, edit.text.strip()) for edit in diff_words(first, second)]


def test_deleted_words_stand_before_those_in_their_place() -> None:
    assert show("The cost is 86 million.", "The whole cost is 68.5 million.") == [
        ("same", "The"),
        ("inserted", "whole"),
        ("same", "cost is"),
        ("deleted", "86"),
        ("inserted", "68.5"),
        ("same", "million."),
    ]


@pytest.mark.parametrize(
    ("first", "second", "changed"),
    [
        ("", "", []),
        ("One.", "One.", []),
        ("One  two\n", "One two", []),
        ("", "New", [("inserted", "New")]),
        ("Old", "", [("deleted", "Old")]),
        ("東京は大きい", "東京は小さい", [("deleted", "大き"), ("inserted", "小さ")]),
        ("<b>x</b>", "<b>y</b>", [("deleted", "x"), ("inserted", "y")]),
    ],
)
def test_only_other_words_are_a_change(first: str, second: str, changed: list[tuple[str, str]]) -> None:
    assert [each for each in show(first, second) if each[0] != "same"] == changed


def test_both_texts_can_be_rebuilt_from_the_edits() -> None:
    chance = random.Random(7)
    for _ in range(300):
        first = [f"w{chance.randrange(chance.choice((3, 40, 4000)))}" for _ in range(chance.randrange(260))]
        second = [word for word in first if chance.random() > 0.1]
        second.insert(chance.randrange(len(second) + 1), "new")
        if chance.random() < 0.3:
            chance.shuffle(second)
        edits = diff_words(" ".join(first), " ".join(second))
        assert (rebuild(edits, "deleted"), rebuild(edits, "inserted")) == (first, second)


def test_one_changed_word_of_a_long_text_is_one_change() -> None:
    words = [f"word{at}" for at in range(9_000)]
    changed = [*words[:4_000], "other", *words[4_001:8_000], *words[8_001:]]
    edits = diff_words(" ".join(words), " ".join(changed))
    assert [(edit.kind, edit.text.strip()) for edit in edits if edit.kind != "same"] == [
        ("deleted", "word4000"),
        ("inserted", "other"),
        ("deleted", "word8000"),
    ]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("a b " * 15_000, "b a " * 15_000),
        ("a " * 30_000, "a " * 29_999 + "b"),
        ("x" * 60_000, "x" * 59_999),
        (".," * 30_000, ",." * 30_000),
        (" ".join(map(str, range(12_000))), " ".join(map(str, range(12_000, 0, -1)))),
    ],
)
def test_texts_without_an_end_of_repetition_are_compared_without_trying_every_pair(first: str, second: str) -> None:
    """Every pair of their words would be up to 900 million steps; the test would never end."""
    edits = diff_words(first, second)
    assert rebuild(edits, "deleted") == list_words(first)
    assert rebuild(edits, "inserted") == list_words(second)


def test_a_clipped_diff_has_the_changes_and_says_how_many_are_left_out() -> None:
    filler = "Nothing changed here at all. " * 20
    edits = diff_words(f"{filler}Old. {filler}Older.", f"{filler}New. {filler}Newer.")
    shown, left = clip_edits(edits, 30, 100)
    assert left == 0
    assert sum(len(edit.text) for edit in shown) < 200
    assert [edit.text.strip() for edit in shown if edit.kind != "same"] == ["Old", "New", "Older", "Newer"]
    assert clip_edits(edits, 30, 2)[1] == 3
    long, left = clip_edits(diff_words("a", "b " * 5_000), 30, 50)
    assert (sum(len(edit.text) for edit in long) < 70, left) == (True, 0)


@pytest.mark.parametrize(
    ("first", "second", "replaced"),
    [
        ("It costs 18 euros, daily.", "It costs 12 euros, daily.", [("18", "12")]),
        ("Ann Lee won.", "Bo Lee has won.", [("Ann", "Bo"), ("", "has")]),
        ("The old red bus.", "The bus.", [("old red", "")]),
        ("Same.", "Same.", []),
    ],
)
def test_words_in_the_place_of_others_are_found_where_they_stand(first, second, replaced) -> None:
    assert [(own.of(first), other.of(second)) for own, other in find_replaced(first, second)] == replaced
