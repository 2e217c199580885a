"""A found quote that says less than its claim, or the opposite, is asked about once, then flagged with a wider interval."""

import pytest

from assay.domain.ask import Answer
from assay.domain.findings import Citation, Findings, Label, Piece
from runner.clerks import Clerk, walk

METRIC = "hallucination"


def judge(article, claim, *quotes, label="supported", pieces=(), again=None):
    """The outcome where a judge gives these quotes each time, or another answer when it is asked again."""

    cited = tuple(Citation("S1.1", quote) for quote in quotes)
    answer = Answer(Findings((Label("claim", "c1", label, cited, pieces=pieces),)), reply="the same")
    clerk = Clerk({METRIC: [answer, again or answer, answer]})
    outcome = walk("article-audit", {"article": article, "summary": claim}, clerk).outcomes[METRIC]
    return outcome, clerk.asked(METRIC)


def flags_of(*arguments, **options):
    outcome, asks = judge(*arguments, **options)
    flags = {flag for flag in outcome.trail.flags if flag.startswith("quote_") or flag == "unsourced_figure"}
    assert (len(asks) == 2) == bool(flags)
    assert bool(outcome.trail.findings.of("claim")[0].suspicion) == bool(flags)
    return flags


FERRY = "Dogs never travel free on Sundays. The ferry leaves at noon from Tolna. A ticket costs 12 euros."
DOSE = "Patients took at most 40 mg of relvastine a day. Nobody took 80 mg. The trial began on 3 May in Lund."


def test_a_negation_that_the_quote_has_and_the_claim_has_not_is_asked_about_by_name_then_flagged():
    outcome, asks = judge(FERRY, "Dogs travel free on Sundays.", "Dogs never travel free on Sundays")
    first, second = asks
    assert first.faults == ()
    (fault,) = second.faults
    assert fault.startswith("c1: the quote says “never travel free on sundays”, the claim does not deny it; look again")
    assert "quote_negation" in outcome.trail.flags
    assert outcome.score.value == 10, "a suspicion changes no number"
    assert outcome.score.interval == (0, 10)


def test_a_judge_that_takes_the_label_back_leaves_no_flag():
    again = Answer(Findings((Label("claim", "c1", "contradicted", (Citation("S1.1", "Dogs never travel free"),)),)))
    outcome, _ = judge(FERRY, "Dogs travel free on Sundays.", "Dogs never travel free on Sundays", again=again)
    assert outcome.score.value == 0
    assert "quote_negation" not in outcome.trail.flags


@pytest.mark.parametrize(
    ("article", "claim", "quote", "flags"),
    [
        (FERRY, "Dogs travel free on Sundays.", "travel free on Sundays", {"quote_negation"}),
        (FERRY, "Dogs never ride free on Sundays.", "Dogs never travel free on Sundays", set()),
        (DOSE, "Patients took at least 40 mg of relvastine a day.", "at most 40 mg of relvastine", {"quote_bound"}),
        (DOSE, "Patients took 40 mg of relvastine a day.", "40 mg of relvastine a day", {"quote_bound"}),
        (DOSE, "Patients took at most 80 mg of relvastine a day.", "at most 40 mg of relvastine", {"quote_incomplete"}),
        (DOSE, "Patients took at most 40 mg of relvastine a day.", "at most 40 mg of relvastine", set()),
        (DOSE, "The trial began on 5 May.", "The trial began on 3 May", {"quote_incomplete"}),
        (DOSE, "The trial began in May.", "The trial began on 3 May", set()),
        (FERRY, "The ferry from Tolna leaves on Friday.", "The ferry leaves at noon", {"quote_incomplete"}),
        (FERRY, "The ferry from Brask leaves at noon.", "The ferry leaves at noon", {"quote_incomplete"}),
        (FERRY, "The ferry from Tolna leaves at noon.", "The ferry leaves at noon", set()),
        (FERRY, "A ticket costs 19 euros.", "A ticket costs 12 euros", {"unsourced_figure"}),
        (FERRY, "The captain retired last year.", "The ferry leaves at noon", {"quote_unrelated"}),
        (FERRY, "The ferry was painted green in spring.", "The ferry leaves at noon", set()),
        (FERRY + " The ferry is old.", "The ferry was painted green in spring.", "The ferry leaves at noon",
         {"quote_unrelated"}),
        (FERRY, "A ticket for the ferry costs 12 euros.", "12 euros", {"quote_short"}),
        ("Price: 12 euros\nColour: red and blue", "The price is 12 euros.", "12 euros", set()),
        ("| price | 12 euros |\n|---|---|\n| colour | red |", "The price is 12 euros.", "12 euros", set()),
        ("It rained. The fair went on in the hall.", "Rain fell.", "It rained", set()),
    ],
)  # fmt: skip
def test_a_supported_claim_beside_its_quote_is_flagged_as(article, claim, quote, flags):
    assert flags_of(article, claim, quote) == flags


def test_quotes_count_together_and_a_name_may_stand_before_them():
    article = "Ida Brost set out on Tuesday. Her partner turned back. She reached the summit on Friday. It was 12 May."
    claim = "Brost reached the summit on Friday, 12 May."
    assert flags_of(article, claim, "She reached the summit on Friday") == {"quote_incomplete"}
    assert flags_of(article, claim, "She reached the summit on Friday", "It was 12 May") == set()


def test_only_supported_and_partial_labels_are_held_to_what_their_quotes_say():
    assert flags_of(FERRY, "Dogs travel free on Sundays.", "Dogs never travel free", label="contradicted") == set()
    assert flags_of(FERRY, "Dogs travel free.", "Dogs never travel free", label="partial") == {"quote_negation"}


def test_the_words_at_fault_of_a_partial_claim_need_no_quote():
    claim, quote = "The ferry leaves Tolna at noon for 19 euros.", "The ferry leaves at noon from Tolna"
    pieces = (Piece("for 19 euros", "slight"),)
    assert flags_of(FERRY, claim, quote, label="partial", pieces=pieces) == set()
    assert flags_of(FERRY, claim, quote, label="partial") == set(), "which words are at fault is not known"


GERMAN = "Am Abend schneite es in der Altstadt von Lindau. Auf der Strasse standen 1.250 Autos und warteten lange."


@pytest.mark.parametrize(
    ("claim", "quote", "flags"),
    [
        ("Snow fell on the old town in the evening.", "Am Abend schneite es in der Altstadt", set()),
        ("It never snowed in the old town of Lindau.", "Am Abend schneite es in der Altstadt", set()),
        ("There were 1,250 cars waiting on the road.", "Auf der Strasse standen 1.250 Autos", set()),
        ("There were 1,250 cars waiting on the road.", "Am Abend schneite es in der Altstadt", {"quote_incomplete"}),
    ],
)
def test_across_languages_only_figures_are_compared(claim, quote, flags):
    assert flags_of(GERMAN, claim, quote) == flags


def test_suspicions_about_several_claims_go_into_one_re_ask():
    article = "Dogs never travel free. The ferry leaves at noon. A ticket costs at most 12 euros."
    summary = "Dogs travel free. The ferry leaves at noon. A ticket costs at least 12 euros."
    quotes = {"c1": "Dogs never travel free", "c2": "The ferry leaves at noon", "c3": "costs at most 12 euros"}

    def answer(ask):
        labels = [Label("claim", unit.id, "supported", (Citation("S1.1", quotes[unit.id]),)) for unit in ask.units]
        return Answer(Findings(tuple(labels)), reply="the same")

    clerk = Clerk({METRIC: [answer, answer, answer]})
    outcome = walk("article-audit", {"article": article, "summary": summary}, clerk).outcomes[METRIC]
    _, second = clerk.asked(METRIC)
    assert [unit.id for unit in second.units] == ["c1", "c3"]
    assert len(second.faults) == 2
    assert {"quote_negation", "quote_bound"} <= set(outcome.trail.flags)


def test_a_moved_quote_is_named_as_a_repair():
    outcome, asks = judge(FERRY, "A ticket costs 12 euros.", "A ticket costs 12 euros")
    assert len(asks) == 1
    assert outcome.trail.repairs == ("c1: a quote moved from S1.1 to S1.3",)
