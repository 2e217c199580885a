"""Every JSON form a reply was seen in, down to the values it must give and the repairs it must confess."""

import json
import math
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.domain.ask import Fault
from assay.replies.salvage import MAX_CHARACTERS, find_body, salvage_json
from assay.replies.strict import MAX_DEPTH, Torn
from assay.replies.tolerant import Tolerated, read_tolerantly
from assay.replies.values import Misreading, read_level, read_number

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
json_objects = st.dictionaries(st.text(), json_values, max_size=5)


@pytest.mark.parametrize(
    ("text", "value", "repair"),
    [
        ('Here you go: {"score": 3} Let me know!', {"score": 3}, "prose around JSON"),
        ('Reasoning: all fine.\n{"score": 3}', {"score": 3}, "prose around JSON"),
        ('```json\n{"score": 3}\n```', {"score": 3}, "code fence"),
        ("```\n[1, 2]\n```", [1, 2], "code fence"),
        ('Sure.\n```json\n{"score": 3}\n```\nDone.', {"score": 3}, "code fence"),
        ('```json\n{"score": 3}', {"score": 3}, "code fence"),
        ('\ufeff{"score": 3}', {"score": 3}, "byte-order mark"),
        ('<think>perhaps {"score": 1}</think>\n{"score": 3}', {"score": 3}, "thinking text"),
        ('perhaps {"score": 1}</think>{"score": 3}', {"score": 3}, "thinking text"),
        ('{"a": 1, "b": [1, 2,],}', {"a": 1, "b": [1, 2]}, "trailing comma"),
        ("{'a': 'x'}", {"a": "x"}, "single quotes"),
        ("{'a': 'it's here', 'b': 1}", {"a": "it's here", "b": 1}, "unescaped quote"),
        ("{a: 1, bias-toxicity: 2}", {"a": 1, "bias-toxicity": 2}, "unquoted key"),
        ('{"a": True, "b": False, "c": None}', {"a": True, "b": False, "c": None}, "Python literal"),
        ('{"a": 1, // first\n "b": 2}', {"a": 1, "b": 2}, "comment"),
        ('{"a": 1, /* first */ "b": 2}', {"a": 1, "b": 2}, "comment"),
        ('{"a": 1, # first\n "b": 2}', {"a": 1, "b": 2}, "comment"),
        ('{"a": 4 // of five\n}', {"a": 4}, "comment"),
        ("{“a”: “x”, “b”: 2}", {"a": "x", "b": 2}, "smart quotes"),
        ('{"a": "one\ntwo"}', {"a": "one\ntwo"}, "raw line break in a string"),
        ('{"a": "he said "no" twice", "b": 1}', {"a": 'he said "no" twice', "b": 1}, "unescaped quote"),
        ('{"a": "from "x", "y" and z", "b": 1}', {"a": 'from "x", "y" and z', "b": 1}, "unescaped quote"),
        ('{"a": "he said "no", then left", "b": 1}', {"a": 'he said "no", then left', "b": 1}, "unescaped quote"),
        ('｛"a"：４，"b"：［1］｝', {"a": 4, "b": [1]}, "full-width punctuation"),
        ('{"a": ４}', {"a": 4}, "full-width digits"),
        ('{"a": 1 "b": 2}', {"a": 1, "b": 2}, "missing comma"),
        ('{"a": "x"\n "b": 2}', {"a": "x", "b": 2}, "missing comma"),
        ('{"a": [1, 2}', {"a": [1, 2]}, "missing closer"),
        ('{"a": 4/5, "b": 80%}', {"a": "4/5", "b": "80%"}, "unquoted string"),
        ('{"a": +4, "b": .5}', {"a": 4, "b": 0.5}, "number form"),
        ('{"a": "\\ud83d"} x', {"a": "\ufffd"}, "invalid escape"),
        ('{"a": "50\\%"}', {"a": "50\\%"}, "invalid escape"),
    ],
)
def test_a_repair_is_made_and_named(text, value, repair):
    salvaged = salvage_json(text)
    assert salvaged.values == (value,)
    assert repair in salvaged.repairs
    assert not salvaged.truncated


@pytest.mark.parametrize("literal", ["NaN", "Infinity", "-Infinity", "nan", "1e999"])
def test_a_number_that_is_not_finite_becomes_null_and_never_a_number(literal):
    salvaged = salvage_json(f'{{"score": {literal}, "tone": "neutral"}}')
    assert salvaged.values == ({"score": None, "tone": "neutral"},)
    assert "non-finite number" in salvaged.repairs


@pytest.mark.parametrize("separator", ["\n", "\n\n", ""])
def test_objects_one_after_another_need_no_repair(separator):
    salvaged = salvage_json(separator.join(['{"metric": "coverage"}', '{"metric": "alignment"}']))
    assert salvaged.values == ({"metric": "coverage"}, {"metric": "alignment"})
    assert salvaged.repairs == ()


def test_commas_between_objects_are_a_repair():
    salvaged = salvage_json('{"a": 1},\n{"a": 2}')
    assert salvaged.values == ({"a": 1}, {"a": 2})
    assert salvaged.repairs == ("comma between values",)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"grade": 0, "grade": 100}', {"grade": Torn()}),
        ('{"grade": 0, "grade": 100, "grade": 0,}', {"grade": Torn()}),
        ('{"grade": true, "grade": 1}', {"grade": Torn()}),
        ("{'label': 'contradicted', 'label': 'supported'}", {"label": Torn()}),
        ('{"claims": [{"unit": "c1", "label": "no", "label": "yes"}]}', {"claims": [{"unit": "c1", "label": Torn()}]}),
        ('{"grade": 4, "grade": 4}', {"grade": 4}),
    ],
)
def test_of_duplicate_keys_with_different_values_none_is_taken(text, value):
    found = salvage_json(text).values
    assert found == (value,)
    assert repr(found) == repr((value,))


def test_a_duplicate_key_makes_the_part_ambiguous():
    body = find_body(salvage_json('{"grade": 0, "tone": "warm", "grade": 100}'), ["grade", "tone"], "tone")
    assert body.values == {"tone": "warm"}
    assert body.faults == (Fault("grade stands twice with different contents", "ambiguous", part="grade"),)
    for read in (partial(read_level, whole=True), read_number):
        reading = read(Torn(), 0, 100)
        assert isinstance(reading, Misreading)
        assert reading.status == "ambiguous"


def test_braces_inside_strings_do_not_split_objects():
    salvaged = salvage_json('{"text": "a } and { here"}\n{"text": "}"}\nThat is all.')
    assert salvaged.values == ({"text": "a } and { here"}, {"text": "}"})


def test_five_objects_wrapped_in_an_array_come_as_that_array():
    text = 'Audit: [{"metric": "coverage"}, {"metric": "bias_toxicity"}]'
    assert salvage_json(text).values == ([{"metric": "coverage"}, {"metric": "bias_toxicity"}],)


def test_an_error_object_beside_metrics_keeps_both():
    assert len(salvage_json('{"error": "no article"}\n{"metric": "coverage"}').values) == 2


@pytest.mark.parametrize("text", ["", "no JSON at all", "see [1] and [2, 3]", "[RESULT] 4", "use {name} here"])
def test_prose_holds_no_values(text):
    assert salvage_json(text).values == ()


def test_thinking_that_never_ends_holds_no_answer():
    assert salvage_json('<think>maybe {"score": 4} or').values == ()


def test_a_broken_value_is_dropped_alone_and_its_parts_are_not_raised_to_values():
    salvaged = salvage_json('{"coverage": {"score": 4, very very bad}}\n{"alignment": {"score": 3}}')
    assert salvaged.values == ({"alignment": {"score": 3}},)
    assert "unreadable value dropped" in salvaged.repairs


def test_an_undecidable_quote_drops_the_value_instead_of_guessing():
    salvaged = salvage_json('{"a": "x" y z, "b": 3}\n{"c": 1}')
    assert salvaged.values == ({"c": 1},)
    assert "unreadable value dropped" in salvaged.repairs


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ('{"a": 1, "b": "unfinis', ({"a": 1},)),
        ('{"a": 1, "b": 12', ({"a": 1},)),
        ('{"a": 1, "b": tru', ({"a": 1},)),
        ('{"a": 1, "b"', ({"a": 1},)),
        ('{"a": "x", "b": "y"', ({"a": "x", "b": "y"},)),
        ('{"questions": [{"q": "one"}, {"q": "two"}, {"q": "thr', ({"questions": [{"q": "one"}, {"q": "two"}]},)),
        ('[{"q": "one"}, {"q": "two", "status"', ([{"q": "one"}],)),
        ('{"a": 1}\n{"b": "unfinis', ({"a": 1},)),
        ('{"a": 1}\n{"b": 1, "c": "unfinis', ({"a": 1}, {"b": 1})),
    ],
)
def test_of_a_truncated_reply_only_complete_elements_are_kept(text, values):
    salvaged = salvage_json(text)
    assert salvaged.values == values
    assert salvaged.truncated


def test_a_list_that_had_only_begun_is_absent_not_empty():
    salvaged = salvage_json('{"tone": "neutral", "issues": [')
    assert salvaged.values == ({"tone": "neutral"},)
    assert salvaged.truncated


@settings(deadline=None, derandomize=True)
@given(json_values)
def test_valid_json_comes_back_unchanged_with_no_repairs(value):
    salvaged = salvage_json(json.dumps(value, ensure_ascii=False))
    assert salvaged.values == (value,)
    assert salvaged.repairs == ()
    assert not salvaged.truncated


@settings(deadline=None, derandomize=True, max_examples=60)
@given(json_objects, st.sampled_from([None, 1, 4]))
def test_the_tolerant_reader_takes_no_liberties_with_valid_json(value, indent):
    text = json.dumps(value, indent=indent)
    assert read_tolerantly(text, 0) == Tolerated(value, len(text), (), truncated=False)


@settings(deadline=None, derandomize=True, max_examples=60)
@given(json_objects | st.lists(json_objects, min_size=1), st.floats(0, 1), st.booleans())
def test_truncated_json_never_yields_what_was_not_in_it(value, cut, ascii_only):
    text = json.dumps(value, ensure_ascii=ascii_only)
    salvaged = salvage_json(text[: math.floor(len(text) * cut)])
    assert len(salvaged.values) <= 1
    assert all(is_part_of(part, value) for part in salvaged.values)


def is_part_of(part, whole):
    """Scalars are equal, lists are beginnings, objects have members of the other; nothing else was added."""
    if isinstance(part, dict) and isinstance(whole, dict):
        return all(key in whole and is_part_of(value, whole[key]) for key, value in part.items())
    if isinstance(part, list) and isinstance(whole, list):
        return len(part) <= len(whole) and all(is_part_of(*pair) for pair in zip(part, whole, strict=False))
    return type(part) is type(whole) and part == whole


@settings(deadline=None, derandomize=True, max_examples=200)
@given(st.text(alphabet="{}[]\"'“”:,\\ \n/*#`abntruefalsNI0123.-<>k｛｝：，４ud8", max_size=60) | st.text())
def test_no_text_breaks_the_reader(text):
    salvaged = salvage_json(text)
    json.dumps(salvaged.values, allow_nan=False)


@pytest.mark.parametrize(
    "pattern",
    ["[", '{"a":', "[{", '{"a" ', '{"a": "x" y} ', "{/*", '{"a":"b", ', "{'", '{"a":1,x y}', '"\\"', "<think>", "\n{"],
)
def test_a_large_hostile_text_ends(pattern):
    salvage_json(pattern * (60_000 // len(pattern)))


def test_nesting_is_bounded_even_where_it_is_strict():
    deep = "[" * (MAX_DEPTH + 2) + "]" * (MAX_DEPTH + 2)
    assert salvage_json(deep).values == ()
    assert salvage_json("[" * 30 + "]" * 30).values


@pytest.mark.parametrize("pattern", ["{'", '{"a" '])
def test_after_a_thousand_braces_that_open_nothing_no_more_are_tried(pattern):
    assert salvage_json(pattern * 2_000 + '\n{"a": 1}').values == ()
    assert salvage_json("set {x} " * 500 + '\n{"a": 1}').values == ({"a": 1},)


def test_a_reply_past_the_limit_is_not_read():
    assert salvage_json(" " * MAX_CHARACTERS + "{}").repairs == ("reply too long",)
