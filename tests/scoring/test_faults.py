"""Words at fault: how they are counted, what share of a text they are, and what they do to each rubric's score."""

from dataclasses import replace
from fractions import Fraction

import pytest
from tallies import (
    Judged,
    build_tally,
    label_counts,
    label_units,
    raw_and_final,
    read_judged,
    score_of,
    scored,
    shipped,
)

from assay.domain.findings import NO_FACT, Findings, Label, Piece
from assay.domain.rubric import Metric
from assay.domain.span import Span
from assay.domain.units import Unit
from assay.scoring.severity import Faults, count_faults, is_extraneous

SEARCH = shipped("search-summary", "hallucination")
TRIAL = shipped("trial-eligibility", "hallucination")
COMPARISON = shipped("comparison-faithfulness", "faithfulness")
AUDIT = shipped("article-audit", "hallucination")
COVERAGE = shipped("article-audit", "coverage")


def count(*judged: Judged) -> Faults:
    tally = read_judged(COMPARISON, *judged)
    return count_faults(tally.of("claim"), tally.units)


def test_two_inventions_in_one_sentence_are_two_faults():
    phone = Judged(
        "It is waterproof to IPX7 and sold with a two-year warranty.",
        "absent",
        ("waterproof to IPX7!", "two-year warranty!"),
    )
    assert count(phone) == Faults(serious=2)
    assert score_of(read_judged(COMPARISON, phone, Judged("It weighs 180 grams and costs 90 euros."))).value == 2


def test_the_same_words_at_fault_in_two_sentences_are_one_fault_as_grave_as_its_gravest_place():
    first = Judged("The hinge is made of Steel.", "contradicted", ("Steel",))
    again = Judged("Steel, as was said, lasts for decades.", "contradicted", ("steel!",))
    assert count(first, again) == Faults(serious=1)


@pytest.mark.parametrize("word", ["is", "not"])
def test_the_same_word_without_content_at_fault_in_two_sentences_is_two_faults(word: str) -> None:
    first = Judged(f"The hinge {word} steel.", "contradicted", (word,))
    again = Judged(f"The lid {word} oak.", "contradicted", (f"{word}!",))
    assert count(first, again) == Faults(serious=1, slight=1)


def test_one_stretch_of_the_output_is_one_fault_as_grave_as_it_is_called_anywhere():
    claim = Unit("c1", "claim", "It is steel.", Span(0, 12))
    pieces = (Piece("steel", "slight", Span(6, 11)), Piece("steel", "serious", Span(6, 11)))
    assert count_faults((Label("claim", "c1", "absent", pieces=pieces),), {"c1": claim}) == Faults(serious=1)


def test_the_same_value_in_two_cells_is_two_faults_and_its_echo_in_the_verdict_is_none():
    cells = [Judged("two years", "absent", ("two years!",), f"Warranty | {name}") for name in ("Ono", "Pim")]
    verdict = Judged("Both come with two years.", "absent", ("two years!",))
    assert count(*cells) == Faults(serious=2)
    assert count(*cells, verdict) == Faults(serious=2)


@pytest.mark.parametrize(
    ("label", "qualifier", "faults"),
    [
        ("supported", None, Faults()),
        (NO_FACT, None, Faults()),
        ("partial", None, Faults(slight=1)),
        ("absent", None, Faults(serious=1)),
        ("contradicted", None, Faults(serious=1)),
        ("partial", "serious", Faults(serious=1)),
        ("contradicted", "slight", Faults(slight=1)),
    ],
)
def test_a_claim_of_which_no_words_are_named_is_one_fault_by_its_label_or_the_severity_it_was_given(
    label: str, qualifier: str | None, faults: Faults
) -> None:
    assert count_faults(label_units("claim", (label, qualifier)), {}) == faults


def test_the_severity_count_takes_three_slight_faults_for_a_serious_one():
    assert Faults(serious=2, slight=4).count == 2 + Fraction(4, 3)


def test_pieces_beside_a_supported_label_are_no_fault_and_not_extraneous():
    label = Label("claim", "c1", "supported", pieces=(Piece("steel", "serious"),))
    assert count_faults((label,), {}) == Faults()
    assert not is_extraneous(label)


def faulty(slight: int, serious: int) -> tuple[Judged, ...]:
    """Slight faults two to a claim, serious ones each in a claim of their own, beside two claims without any."""
    words = [f"word{number}" for number in range(slight)]
    pairs = [tuple(words[at : at + 2]) for at in range(0, slight, 2)]
    return (
        Judged("The first claim holds."),
        *(Judged(f"Said of {' and '.join(pair)} in passing.", "partial", pair) for pair in pairs),
        *(Judged(f"The dose is {n + 2} mg.", "contradicted", (f"{n + 2} mg!",)) for n in range(serious)),
        Judged("The last claim holds."),
    )


@pytest.mark.parametrize(
    ("slight", "serious", "score"),
    [(0, 0, 0), (1, 0, 1), (2, 0, 1), (3, 0, 2), (5, 0, 2), (6, 0, 3), (0, 1, 3), (2, 1, 3), (9, 0, 3)],
)
def test_hallucination_of_a_search_summary_counts_pieces_and_not_claims(slight: int, serious: int, score: int) -> None:
    found = score_of(read_judged(SEARCH, *faulty(slight, serious)))
    assert raw_and_final(found) == (score, score)
    assert (found.figures["slight"], found.figures["serious"]) == (slight, serious)
    assert found.goodness == 1 - Fraction(score, 3)


@pytest.mark.parametrize(
    ("slight", "serious", "score"),
    [(0, 0, 5), (1, 0, 4), (2, 0, 4), (3, 0, 3), (5, 0, 3), (6, 0, 2), (0, 1, 2), (9, 1, 2), (0, 2, 1), (1, 3, 1)],
)
def test_groundedness_of_an_eligibility_answer_counts_pieces_and_not_claims(
    slight: int, serious: int, score: int
) -> None:
    found = score_of(read_judged(TRIAL, *faulty(slight, serious)))
    assert raw_and_final(found) == (score, score)
    assert found.goodness == Fraction(score - 1, 4)


@pytest.mark.parametrize(("metric", "absent", "contradicted"), [(SEARCH, 1, 3), (TRIAL, 4, 2)])
def test_an_absent_claim_without_named_words_is_slight_there_and_a_contradicted_one_serious(
    metric: Metric, absent: int, contradicted: int
) -> None:
    assert score_of(build_tally(metric, label_units("claim", "supported", "absent"))).value == absent
    assert score_of(build_tally(metric, label_units("claim", "supported", "contradicted"))).value == contradicted


def test_a_search_summary_that_asserts_nothing_is_free_of_hallucination_and_others_are_not_scored():
    nothing = label_units("claim", NO_FACT, NO_FACT)
    assert score_of(build_tally(SEARCH, nothing)).value == 0
    for metric in (TRIAL, COMPARISON, AUDIT):
        with pytest.raises(AssertionError, match="no claim states a fact"):
            scored(build_tally(metric, nothing))


CELLS = [Judged("Rs. 900", cell=f"Price | {name}") for name in ("Ono", "Pim", "Rua")]
LONG = (
    "The Ono, which several buyers took along on trips of a week or more, costs Rs. 700 and weighs less than the Pim."
)
COMPARISONS = [
    ("nothing at fault", [Judged("The Ono is light."), Judged("The Pim is loud.")], 5, "0"),
    (
        "two loose words in three sentences",
        [
            Judged("The Ono is the lightest of all.", "partial", ("lightest",)),
            Judged("Everybody likes the Pim.", "partial", ("Everybody",)),
            Judged("The Rua is loud."),
        ],
        3,
        "0",
    ),
    (
        "one loose word in three sentences",
        [
            Judged("The Ono is the lightest of all.", "partial", ("lightest",)),
            Judged("Buyers like the Pim."),
            Judged("The Rua is loud."),
        ],
        4,
        "0",
    ),
    (
        "one invention and one loose word",
        [
            Judged("The Ono is the lightest of all three.", "partial", ("lightest",)),
            Judged("Buyers like the Pim, which sings songs.", "partial", ("sings songs!",)),
            Judged("The Rua is loud."),
        ],
        3,
        "2/19",
    ),
    (
        "two inventions in one sentence of three",
        [
            Judged("The Ono folds flat and sings songs.", "absent", ("folds flat!", "sings songs!")),
            Judged("Buyers call the Pim loud but solid."),
            Judged("The Rua is the cheapest of the three."),
        ],
        3,
        "7/22",
    ),
    (
        "one invention in a list of six",
        [
            Judged("The Ono has a lid, a cord, a filter, a lamp, a stand and a bell.", "partial", ("a bell!",)),
            Judged("The Pim is loud."),
        ],
        4,
        "1/10",
    ),
    (
        "a swapped figure in a long sentence counts only its words",
        [Judged(LONG, "contradicted", ("Rs. 700!",)), Judged("The Pim is loud.")],
        4,
        "2/27",
    ),
    (
        "four slight faults and no serious one",
        [
            Judged(f"{word} buyers praise the {name}.", "partial", (word,))
            for word, name in (("All", "Ono"), ("Most", "Pim"), ("Many", "Rua"), ("Countless", "three"))
        ],
        3,
        "0",
    ),
    (
        "one price of three cells wrong, said again in the verdict",
        [
            *CELLS[:2],
            Judged("Rs. 400", "contradicted", ("Rs. 400!",), "Price | Rua"),
            Judged("The Rua is a bargain at Rs. 400 before any discount.", "contradicted", ("Rs. 400!",)),
        ],
        4,
        "1/3",
    ),
    (
        "two of three cells invented, beside a long true verdict",
        [
            CELLS[0],
            Judged("five years", "absent", ("five years!",), "Warranty | Ono"),
            Judged("glass", "absent", ("glass!",), "Body | Ono"),
            Judged(LONG),
        ],
        2,
        "2/3",
    ),
    (
        "everything invented, though not every word of it was named",
        [
            Judged("The Ono sings songs.", "absent", ("sings songs!",)),
            Judged("The Pim comes in nine colours.", "absent", ("nine colours!",)),
        ],
        1,
        "1",
    ),
]


@pytest.mark.parametrize(
    ("judged", "score", "share"), [each[1:] for each in COMPARISONS], ids=[c[0] for c in COMPARISONS]
)
def test_faithfulness_of_a_comparison_by_the_share_of_words_at_fault(
    judged: list[Judged], score: int, share: str
) -> None:
    found = score_of(read_judged(COMPARISON, *judged))
    assert found.figures["share"] == Fraction(share)
    assert raw_and_final(found) == (score, score)


@pytest.mark.parametrize(("share_of_ten", "serious", "score"), [(9, 1, 1), (8, 1, 4), (8, 2, 2), (6, 2, 2), (5, 2, 3)])
def test_the_edges_of_the_share_are_those_of_the_rubric(share_of_ten: int, serious: int, score: int) -> None:
    words = [f"w{number}" for number in range(10)]
    first, rest = words[: share_of_ten - serious + 1], words[share_of_ten - serious + 1 : share_of_ten]
    pieces = (f"{' '.join(first)}!", *(f"{word}!" for word in rest))
    found = score_of(read_judged(COMPARISON, Judged(" ".join(words), "contradicted", pieces)))
    assert found.figures["share"] == Fraction(share_of_ten, 10)
    assert found.value == score


def test_what_states_no_fact_is_no_part_of_the_text_that_the_share_is_of():
    wrong = Judged("The Ono sings songs.", "absent", ("sings songs!",))
    heading = Judged("Which one will you take home in the end?", NO_FACT)
    assert score_of(read_judged(COMPARISON, wrong, heading)).figures["share"] == 1


TEN = "The council met on Monday and voted for the plan."


@pytest.mark.parametrize(
    ("judged", "extraneous", "capped"),
    [
        ([Judged(TEN), Judged(TEN, "partial", ("Monday",))], 0, False),
        ([Judged(TEN), Judged(TEN, "partial", ("Monday!",))], 1, True),
        ([Judged(TEN), Judged(TEN, "partial", ("met on Monday", "the plan!"))], 2, True),
        ([Judged(TEN), Judged(TEN, "contradicted", ("Monday",))], 1, True),
        ([Judged(TEN), Judged(TEN, "contradicted", ("Monday!", "the plan"))], 3, True),
        ([Judged(TEN), Judged(TEN, "absent")], 10, True),
        ([Judged(TEN), Judged(TEN, "partial")], 0, False),
        ([Judged(TEN, "absent", ("Monday!",)), Judged(TEN, "contradicted", ("the plan!",))], 20, True),
        ([Judged(TEN, "absent", ("Monday!",)), Judged(TEN, "partial")], 1, True),
        ([Judged(TEN, "absent", ("Monday!",)), Judged("Here is a summary.", NO_FACT)], 14, True),
    ],
    ids=[
        "slight words of a partial claim do not count",
        "a serious word of a partial claim counts and caps",
        "only the serious words of a partial claim count",
        "slight words of a contradicted claim count and cap",
        "all named words of a contradicted claim count",
        "without named words an absent claim counts with all of them",
        "without named words a partial claim counts with none",
        "every claim unsupported leaves no word supported",
        "one partial claim keeps the rest of the words",
        "an opener is no claim that could hold",
    ],
)
def test_extraneous_words_of_an_article_summary(judged: list[Judged], extraneous: int, capped: bool) -> None:
    tally = read_judged(COVERAGE, *judged)
    points = label_counts("key_point", Fully=3)
    verdict = scored(replace(tally, findings=Findings(points), units=tally.units | {p.unit: POINT for p in points}))
    words = tally.words
    assert verdict.score.figures["precision"] == 1 - Fraction(extraneous, words)
    assert verdict.score.value == (4 if capped and extraneous < words else verdict.score.raw)
    assert verdict.trail.flags == (("capped_extraneous",) if verdict.score.value < verdict.score.raw else ())


POINT = Unit("k1", "key_point", "The council voted for the plan.")


def test_the_fraction_goes_by_labels_and_the_cap_by_words():
    claims = [Judged(TEN), Judged(TEN), Judged(TEN), Judged(TEN, "partial", ("Monday!",))]
    verdict = scored(read_judged(AUDIT, *claims))
    assert raw_and_final(verdict.score) == (8, 4)
    assert "capped at 4 because c4 is partly supported with a serious fault" in verdict.score.derivation
    assert verdict.trail.flags == ("capped_extraneous",)


@pytest.mark.parametrize(
    ("match", "judged", "score"),
    [
        ("match", [Judged(TEN)], 5),
        ("match", [Judged(TEN, "partial", ("Monday", "met", "plan"))], 4),
        ("match", [Judged(TEN, "partial", ("Monday!",))], 3),
        ("match", [Judged(TEN, "absent", ("Monday!", "plan!", "council!"))], 3),
        ("match", [Judged(TEN), Judged("He is old.", "absent")], 4),
        ("partial", [Judged(TEN)], 3),
        ("partial", [Judged(TEN, "contradicted", ("Monday!",))], 3),
        ("mismatch", [Judged(TEN)], 2),
    ],
)
def test_accuracy_without_a_grade_goes_by_the_faults_of_the_reasoning(
    match: str, judged: list[Judged], score: int
) -> None:
    tally = read_judged(shipped("trial-eligibility", "accuracy"), *judged)
    facts = build_tally(tally.metric, facts={"determination_match": match}).facts
    verdict = scored(replace(tally, facts=facts))
    assert raw_and_final(verdict.score) == (score, score)
    assert verdict.trail.flags == ()


def test_a_claim_whose_quote_was_void_counts_as_partial_and_its_words_do_not_count():
    fallen = Judged(TEN, "contradicted", ("Monday!",))
    tally = read_judged(COMPARISON, Judged("The Ono is light."), Judged("The Pim is loud."), fallen)
    labels = tuple(replace(each, label="undecided") if each.pieces else each for each in tally.of("claim"))
    score = score_of(replace(tally, findings=Findings(labels), claims=None))
    assert (score.value, *score.interval) == (4, 4, 5)
    assert score.figures["share"] == 0
