"""Cases mark each sentence end with ‖; the text under test is the case without the marks."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.domain.span import Span
from assay.text.sentences import split_sentences

CLINICAL = [
    "The dose was 3.5 mg daily.‖ It was raised to 7.25 mg.",
    "Take 500 mg b.i.d. with food.‖ Stop if a rash appears.",
    "She was treated b.i.d.‖ The rash cleared in a week.",
    "Dr. Osei saw the patient.‖ Prof. Lind agreed.",
    "See Fig. 2 and Figs. 3 and 4.‖ They show the same trend.",
    "Some antibiotics, e.g. penicillin, cause rashes.‖ Others do not.",
    "The primary endpoint, i.e. Death from any cause, was rare.",
    "It lowers risk.[1]‖ Others doubt it.[2, 3]‖ More work is needed.",
    "Smith et al. [5] showed a benefit.‖ Jones et al. did not.",
    "Vitamin C.‖ It is found in fruit.",
    "mRNA levels rose.‖ mRNA decays fast.",
    "Give 0.5 mL i.v. every 6 h.‖ Repeat once.",
    "I recommend Product A.‖ Product B costs more.",
]

PRICES = [
    "It costs $1,299.00.‖ Shipping is $5.99.",
    "Buy at https://shop.example/a.b?c=d.e now.‖ Hurry!",
    "Mail first.last@example.co.uk for help.‖ We answer fast.",
    "Really?!‖ It broke after a day.",
    "It broke... twice, in fact.‖ Avoid.",
    "Pros:‖\n- Light and cheap‖\n- Strong.‖ Looks good\n",
    "1. Charge it.‖\n2. Turn it on.‖\n3) Pair it",
    "# Verdict‖\nPhone A wins.‖ Phone B is close.",
    "**Verdict.**‖ Phone A wins.",
    "| Base price. | 5. Then |‖\n|---|---|‖\n| x. Y | 7 |‖\nBuy Phone A.‖ Phone B is slow.",
    "Base price 500‖\nFinal price 400‖\nAverage rating 4.1",
    "Great. ‖😀 I love it!",
    "Sold by Acme Inc.‖ The box was torn.",
    "It is 5 ft. 3 in. tall.‖ It folds.",
    "It cost $ 1. 7 million.‖ It sold for 8. 30 each.",
]

NEWS = [
    "he left .‖ she stayed .",
    "the u.s. president spoke .‖ he left at 5 p.m. on monday .",
    'she said " no " .‖ he said " yes . "‖ they left .',
    "he left . ''‖ she stayed .",
    "He was tired. ‖` it is over .",
    "In the U.S.‖ The next day it rained.",
    "The U.S. Senate voted.‖ It passed.",
    "U.S. President Ada Park met J. K. Rowling.‖ They spoke.",
    "At 5 p.m. Mr. Holt left.‖ At 6 p.m.‖ The rest left.",
    '"This is great." she said.‖ He nodded.',
    "He left (it was late.) and slept.‖ She stayed.",
    "He thought ... the plan would fail.‖ It did.",
    "The end came....‖ Nobody saw it.",
    "Yahoo! Finance reported it.‖ Shares fell.",
    "It happened in 1999.‖ 25 people died.",
    "The committee met on\nTuesday with the head of\nState and others who\nleft early.‖ It ended.",
    "A long paragraph line that runs to more than sixty characters in Ohio and\nPittsburgh goes on.‖ It ends.",
    "He went to see Dr.\nSmith about it.",
    "One line ends.‖\nand another begins.",
    "# Head‖\r\nbody text.‖\r\n\r\nmore",
]

MARKUP = [
    "It rained.<br>‖It snowed.<BR/>‖it froze",
    "<div>\n<p>It rained.</p>‖\n<p>It snowed</p>\n</div>\n",
    "<table><tr><td>Price</td>‖<td>500</td></tr>‖<tr><td>Mass</td></tr></table>",
    "It rained.<!-- -->‖It snowed. <!-- a. B. -->‖It froze.",
    "<!-- by me -->\nIt rained.\n\n<!-- and me -->‖\n\nIt snowed.",
    "It <b>rained.</b>‖ <i>It</i> snowed.‖ <a href='http://x.example/a.B?c'><b>It</b></a> froze.",
    "The <span>U.S.</span> Senate voted.‖ It <em>passed</em>.",
    "<b>Dr. Osei</b> gave 3.<!-- -->5 mg.‖ It helped.",
    "| Price<br>in all. | 5. Then |‖\nBuy it.",
    "Mortality fell (p <0.05).‖ It was <p 0.05 then.",
    "He wrote <blank> here. <blank> there.",
    "It rained.\u200b‖ It snowed.\u00ad\u200e‖ It froze.",
    f"It rained.{' ' * 30}‖It snowed.",
    "<br><!-- x --><b></b>",
]

TONGUES = [
    ("zh", "他走了。‖她留下了！‖真的吗？‖是的。"),
    ("zh", "他走了。<br>‖她<b>留下了。</b>"),
    ("zh", "他走了。‖“我也走。”‖她留下了。"),
    ("ar", "هل وصلت؟‖ نعم.‖ شكرا"),
    ("hi", "वह गया।‖ वह आई।‖ ठीक है"),
    ("es", "El Sr. Gil llegó.‖ ¿Quién era?‖ ¡Nadie!"),
    ("fr", "M. Dupont est parti.‖ Il pleuvait."),
    ("fr", "« Bonjour ! » dit-il.‖ Elle rit."),
    ("de", "Am 3. Oktober kam er.‖ Er blieb."),
    ("de", "Sie kaufte z.B. Äpfel, Birnen usw.‖ Das war gut."),
    ("pt-BR", "O Sr. Lima saiu.‖ A Dra. Reis ficou."),
    ("vi", "TS. Lan sống ở TP. Huế.‖ Các bạn đến v.v.‖ Tôi thích."),
]


def sentences(text: str, language: str = "en") -> list[str]:
    return [span.of(text) for span in split_sentences(text, language)]


def parts(case: str) -> list[str]:
    return [part.strip() for part in case.split("‖") if part.strip()]


@pytest.mark.parametrize("case", CLINICAL + PRICES + NEWS + MARKUP)
def test_english_text_is_cut_where_marked(case):
    assert sentences(case.replace("‖", "")) == parts(case)


@pytest.mark.parametrize(("language", "case"), TONGUES)
def test_other_languages_are_cut_where_marked(language, case):
    assert sentences(case.replace("‖", ""), language) == parts(case)


def test_a_language_without_lists_is_read_with_the_english_ones():
    assert sentences("Dr. Moe left. It rained.", "sw") == ["Dr. Moe left.", "It rained."]


def test_an_ordinal_is_no_ordinal_in_english():
    assert len(sentences("He came in 3. October was cold.", "en")) == 2
    assert len(sentences("Er kam am 3. Oktober an.", "de")) == 1


@pytest.mark.parametrize("blank", ["", " ", "\n\n \t", "\u3000"])
def test_a_blank_text_has_no_sentences(blank):
    assert split_sentences(blank) == ()


def test_marks_without_words_stay_with_what_follows():
    assert sentences("... and then he left. She stayed.") == ["... and then he left.", "She stayed."]
    assert sentences("?! She stayed.") == ["?! She stayed."]


def test_spans_are_spans_of_the_given_text():
    text = "  One. \n Two. "
    assert split_sentences(text) == (Span(2, 6), Span(9, 13))


WORDS = 'The he dose 3.5 mg U.S. b.i.d. Dr. . ! ? ... … 。 ؟ । " ” ( ) [1] 「 」 😀 » « `` $ - 1. # | *'
TAGS = ["<br>", "<p>", "</p>", "<p a='b'>", "<b>", "</b>", "<!-- x. Y -->", "<!--", "-->", "<", "\u200b", "\x00"]
SPACES = [" ", "\n", "\n\n", "\r\n", "\u00a0", "\u2028", "- ", "1. ", "# ", "| ", "* "]
PIECES = st.sampled_from(WORDS.split() + SPACES + TAGS)


def check_cover(text: str, language: str) -> None:
    covered = 0
    for span in split_sentences(text, language):
        assert span.start < span.end <= len(text)
        assert text[covered : span.start].strip() == ""
        assert span.of(text) == span.of(text).strip()
        covered = span.end
    assert text[covered:].strip() == ""


@settings(deadline=None, derandomize=True, max_examples=250)
@given(st.lists(PIECES, max_size=40).map("".join), st.sampled_from(["en", "de", "fr", "zh", "vi"]))
def test_every_visible_character_lies_in_exactly_one_trimmed_span(text, language):
    check_cover(text, language)


@pytest.mark.parametrize("text", ["Dr.<b>。</b>", "<b>。</b>**", "!<p>「</b>。<b>", "**<b>\n**</b>。<i>"])
def test_a_stop_between_tags_cuts_none_of_them(text):
    check_cover(text, "en")


@settings(deadline=None, derandomize=True, max_examples=100)
@given(st.text(max_size=80))
def test_any_text_at_all_is_covered(text):
    check_cover(text, "en")


@settings(deadline=None, derandomize=True, max_examples=100)
@given(
    st.lists(st.sampled_from(["It rained.", "Dr. Osei gave 3.5 mg b.i.d. to all.", "Why?", "Prices rose!"]), min_size=1)
)
def test_joining_sentences_and_splitting_them_is_the_identity(given_sentences):
    assert sentences(" ".join(given_sentences)) == given_sentences


@pytest.mark.parametrize(
    "unit",
    [
        "a. ", "(a. ", '. "', "A. ", "「あ。」と", "[1, ", "... ", ". . ", "a.\n", "Ab\n", "1. ", ': 1. A "', "😀. ", "**。", "<br>", "a.<!-- -->",
        "a. <b>", "<p ", "<!--", "a.      ",
    ],
)  # fmt: skip
def test_long_hostile_texts_are_read_to_their_end(unit):
    text = unit * (10_000 // len(unit))
    spans = split_sentences(text)
    assert spans[-1].end == len(text.rstrip())
