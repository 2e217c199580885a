import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.replies.wrapping import declines_beside, is_refusal


@pytest.mark.parametrize(
    "text",
    [
        "I'm sorry, but I can't help with that.",
        "I’m sorry, but I cannot assist with medical decisions.",
        "I cannot evaluate this content.",
        "I can't provide medical advice.",
        "Sorry, I am unable to rate this summary.",
        "As an AI language model, I cannot judge a patient's eligibility.",
        "I apologize, but I won't score this text.",
        "I must decline to evaluate this.",
        "I'm sorry, but the summary you gave seems incomplete. Therefore, I cannot rate it.",
        "Unfortunately, the text is missing, so it cannot be evaluated.",
        "<think>Policy says no.</think>I cannot comply with this request.",
    ],
)
def test_a_reply_that_declines_is_a_refusal(text):
    assert is_refusal(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The answer says \"I'm sorry, but I can't help with that.\" and so covers nothing.",
        "I cannot find any unsupported statement in the summary.",
        "I can't see a single error. All prices match.",
        "I'm sorry to say that the summary is poor.",
        "Sorry for the length. The summary omits the dose.",
        "I cannot rate this higher than the middle.\nScore: 3",
        "I cannot give more.\nScore- <score>3</score>",
        '{"error": "I cannot evaluate an empty article"}',
        'I cannot evaluate the tone. {"score": 3}',
        "I cannot help but notice that each claim is supported. " + "The first claim is in the source. " * 60,
    ],
)
def test_a_judgement_is_not_a_refusal(text):
    assert not is_refusal(text)


@settings(deadline=None, derandomize=True)
@given(st.text())
def test_no_text_breaks_the_refusal_test(text):
    assert is_refusal(text) in {True, False}


@pytest.mark.parametrize("pattern", ["sorry, ", "i cannot ", "<think>", "</think>"])
def test_a_large_hostile_text_ends(pattern):
    is_refusal(pattern * (1_000_000 // len(pattern)))


@pytest.mark.parametrize(
    "words",
    [
        "I'm sorry, but I can't judge this.",
        "I cannot evaluate this content. Here is an empty form:",
        "Unfortunately, I am unable to rate the summary.",
        "As an AI language model, I cannot provide an assessment.",
        "Here is the form you asked for. However, I won't score this.",
        "I must decline to review such material.",
        "I can't help with that.",
    ],
)
def test_words_beside_a_judgement_that_decline_to_judge_are_a_refusal(words):
    assert declines_beside(words)


@pytest.mark.parametrize(
    "words",
    [
        "",
        "Here is my evaluation:",
        "I hope this helps. Let me know if you need more.",
        "I cannot find any errors in this summary.",
        "I can't rate this any higher, because the dose is wrong.",
        "I cannot give it full marks.",
        "I could not verify c3.",
        "I cannot evaluate the tone.",
        "The summary says that the clinic cannot help with that.",
        'The answer opens with "I am sorry" and goes on to judge.',
        "I can't judge c2 from the sources alone, so it is undecided.",
    ],
)
def test_a_polite_sentence_or_a_finding_beside_a_judgement_is_no_refusal(words):
    assert not declines_beside(words)
