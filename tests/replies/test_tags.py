"""The score tag in every form in which it was written or missing."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.files.rubrics import open_rubric
from assay.formats.prose import read_score
from assay.replies.values import Misreading, Reading

SEVERAL, OUT_OF = "several tags, the last line's taken", "number as text, scale beside the number"
FAITHFULNESS = open_rubric("comparison-faithfulness")
RUBRIC = """The levels are:
<score>1</score> - nothing can be verified.
<score>2</score> - very little can be verified.
<score>3</score> - most can be verified.
<score>4</score> - all but one item.
<score>5</score> - everything.
"""


@pytest.mark.parametrize(
    ("text", "score", "repaired"),
    [
        ("All prices match.\nScore- <score>5</score>", 5, None),
        ("All prices match.\nScore- <score> 4 </score>", 4, None),
        ("All prices match.\nScore- < Score >4</ SCORE >.", 4, None),
        ("One item is missing.\nScore- <score>4</score>\nSo: <score>4</score>", 4, None),
        ("<think>Perhaps <score>2</score></think>One item is missing.\nScore- <score>4</score>", 4, None),
        ("All prices match.\nScore- <score>5/5</score>", 5, OUT_OF),
        ("All prices match.\nScore- <score>four</score>", 4, "number as text, number in words"),
        ("All prices match.\nScore- <score>４</score>", 4, None),
        ("全部一致。\nScore- ＜score＞４＜/score＞", 4, None),
        ("<score>4</score>", 4, None),
        ("Score- <score>4</score>\nOne item cannot be verified.", 4, None),
        ("All prices match.\nScore: 4", 4, "score without a tag"),
        ("All prices match.\n**Final score: 4/5**\n", 4, "score without a tag"),
        ("All prices match.\nScore- <score>4</sco", 4, "unclosed tag"),
        ("Draft: <score>3</score> at first.\nScore- <score>4</score>", 4, SEVERAL),
        (RUBRIC + "One item is missing.\nScore- <score>4</score>", 4, SEVERAL),
        (RUBRIC + "Score- <score>5</score>", 5, SEVERAL),
        ("The form is Score- <score>n</score>, n from 1 to 5.\nScore- <score>2</score>", 2, None),
        ("One of <score>1</score>, <score>2</score>, <score>3</score>.\nFine overall.\nScore- <score>3</score>", 3, SEVERAL),
    ],
)  # fmt: skip
def test_a_score_tag_is_read(text, score, repaired):
    assert read_score(text, (), FAITHFULNESS) == Reading(score, repaired)


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("", "malformed"),
        ("The summary is good.", "malformed"),
        ("All prices match.\nScore- <score>", "malformed"),
        ("All prices match and the verdict", "malformed"),
        ("Score: 4 or so\nAll prices match.", "malformed"),
        ("Score: 4\nAll prices match.\nScore: 3\nThe end.", "ambiguous"),
        ("I cannot evaluate this request.", "malformed"),
        ("Score- <score>n</score>", "malformed"),
        (RUBRIC, "ambiguous"),
        ("<think>It is <score>4</score>", "malformed"),
        ("Good.\nScore- <score>4.5</score>", "ambiguous"),
        ("Good.\nScore- <score>3-4</score>", "ambiguous"),
        ("Good.\nScore- <score>8/10</score>", "ambiguous"),
        ("Good.\nScore: 4.5", "ambiguous"),
        ("First <score>4</score>, then <score>3</score>, I think.", "ambiguous"),
        ("Score- <score>4</score>\nOr rather <score>2</score>", "ambiguous"),
        ("<score>4</score> - for the prices.\n<score>3</score> - for the rest.", "ambiguous"),
        ("Good.\nScore- <score>0</score>", "out_of_range"),
        ("Good.\nScore- <score>6</score>", "out_of_range"),
        ("Good.\nScore: 6", "out_of_range"),
    ],
)
def test_a_reply_without_one_clear_tag_has_no_score(text, status):
    reading = read_score(text, (), FAITHFULNESS)
    assert isinstance(reading, Misreading)
    assert reading.status == status


@pytest.mark.parametrize("levels", [(1, 2, 3, 4, 5), (5, 4, 3, 2, 1), (1, 2)])
def test_a_repeated_rubric_in_either_direction_is_passed_over(levels):
    echo = "\n".join(f"- <score>{level}</score>: level {level} in words" for level in levels)
    assert read_score(f"{echo}\n\nScore- <score>3</score>", (), FAITHFULNESS) == Reading(3, SEVERAL)


@settings(deadline=None, derandomize=True)
@given(st.text(alphabet="<>/score 0123456789.\n-:Sn", max_size=80) | st.text())
def test_no_text_breaks_the_tag_reader(text):
    reading = read_score(text, (), FAITHFULNESS)
    assert isinstance(reading, Misreading) or 1 <= reading.value <= 5


@pytest.mark.parametrize(
    "pattern", ["<score>", "<score>1</score>", "<score>4</score> x <score>2</score>\n", "score ", "< "]
)
def test_a_large_hostile_text_ends(pattern):
    read_score(pattern * (1_000_000 // len(pattern)), (), FAITHFULNESS)
