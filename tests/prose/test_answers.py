import pytest
from bench.prose.answers import read_answer
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.replies.reading import Misreading, Reading

STATEMENTS = {"not consistent": "No", "inconsistent": "No", "is consistent": "Yes"}


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        ("B", "B"),
        ("b", "B"),
        ("(B)", "B"),
        ("B.", "B"),
        ("B) mostly fluent", "B"),
        ("**B**", "B"),
        ("Ｂ", "B"),
        ("B: it drifts", "B"),
    ],
)
def test_a_letter_set_off_from_the_rest_is_the_answer(text, letter):
    assert read_answer(text, "ABCDE") == Reading(letter)


@pytest.mark.parametrize("text", ["The answer is B.", "It drifts.\nAnswer: (B)", "Option B is too strong.\n\nB"])
def test_a_letter_may_be_named_in_a_sentence(text):
    assert read_answer(text, "ABCDE") == Reading("B", "answer in a sentence")


@pytest.mark.parametrize("text", ["", "A good summary, all in all.", "F", "Excellent", "Both are fine"])
def test_a_letter_that_only_opens_a_word_or_a_sentence_is_none(text):
    assert isinstance(read_answer(text, "ABCDE"), Misreading)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("No. Evidence: the dose differs.", "No"),
        ("Yes, it does.", "Yes"),
        ("No\n\nReasoning: the dose differs.", "No"),
        ("The dose differs.\nAnswer: No, it is wrong.", "No"),
        ('The dose differs. Therefore, the answer is "No".', "No"),
        ('The dose differs. Thus, "No".', "No"),
        ("The dose differs.\n\nNo", "No"),
        ("The summary is not consistent with the text.", "No"),
        ("It is consistent throughout.", "Yes"),
    ],
)
def test_yes_and_no_are_found_where_they_answer(text, answer):
    reading = read_answer(text, ("Yes", "No"), STATEMENTS)
    assert isinstance(reading, Reading)
    assert reading.value == answer


@pytest.mark.parametrize(
    "text", ["No.\n\nAnswer: Yes", "A is consistent. B is not consistent.", "Answer: Yes. Answer: No."]
)
def test_answers_that_differ_are_ambiguous(text):
    reading = read_answer(text, ("Yes", "No"), STATEMENTS)
    assert isinstance(reading, Misreading)
    assert reading.status == "ambiguous"


def test_no_as_the_first_word_of_a_sentence_is_no_answer():
    assert read_answer("No evidence was missed. Answer: Yes", ("Yes", "No")) == Reading("Yes", "answer in a sentence")


@settings(deadline=None, derandomize=True)
@given(st.text(alphabet='answer: is"YesNo,.\n*()', max_size=50) | st.text())
def test_no_text_breaks_the_answer_reader(text):
    reading = read_answer(text, ("Yes", "No"), STATEMENTS)
    assert isinstance(reading, Misreading) or reading.value in {"Yes", "No"}


@pytest.mark.parametrize("pattern", ["answer is ", "not ", "\n", "* ", "therefore, "])
def test_a_large_hostile_text_ends(pattern):
    read_answer(pattern * (60_000 // len(pattern)), ("Yes", "No"), STATEMENTS)
