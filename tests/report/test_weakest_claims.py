"""The built-in judge's `weakest_support`, wherever a value is needed and there may be no score."""

import io
from functools import cache

import assay
from assay.agreement.figures import Scope, measure_agreement
from assay.agreement.join import join_labels
from assay.agreement.labels import LabelRow
from assay.domain.listed import build_listed
from assay.report.display import STRONGER
from assay.report.gate import check_gates, parse_thresholds
from assay.report.ranking import Ranking
from assay.report.summary import Summary
from assay.report.terminal import build_row, open_console, print_records, print_summary
from assay.store.labels import PersonLabel

ARTICLE = (
    "The council of Marlow Bay voted on Tuesday to extend its harbour tram line by 4.2 kilometres. "
    "Work starts in March and should end in the autumn of the following year. "
    "The council puts the cost at 86 million crowns, two thirds of which the state will pay."
)
SUMMARIES = {
    "copied": "Work starts in March and should end in the autumn of the following year.",
    "unsure": "The council bribed the state.",
    "wrong": "Work starts in March and should end in the autumn of the following year. The council puts the cost at 96 million crowns.",
}
METRIC = "hallucination"


@cache
def judge() -> assay.Run:
    records = [{"id": name, "article": ARTICLE, "summary": text} for name, text in SUMMARIES.items()]
    return assay.judge(records, "article-audit")


def summarise() -> Summary:
    summary = Summary(judge().rubric)
    for card in judge().cards:
        summary.add(build_listed(card))
    return summary


def test_a_record_without_a_score_has_a_weakest_claim_and_no_number_that_looks_like_a_score() -> None:
    metrics = {name: judge()[name].metrics[METRIC] for name in SUMMARIES}
    assert (metrics["unsure"].score, metrics["unsure"].goodness) == (None, None)
    supports = {name: metric.weakest_support or 0 for name, metric in metrics.items()}
    assert supports["copied"] > supports["unsure"] > supports["wrong"] > 0


def test_a_gate_on_weakest_claims_counts_all_records_and_one_on_scores_those_with_a_score() -> None:
    rubric, summary = judge().rubric, summarise()
    by_score, by_support = check_gates(
        parse_thresholds([f"{METRIC}=0.9", f"{METRIC}.weakest_support=0.3"], rubric), summary
    )
    assert "only 2 of 3 records scored, wanted at least 90 %" in by_score.said
    assert (by_support.passed, "mean support of the weakest claims" in by_support.said) == (True, True)
    assert by_support.said.endswith("(3 rated of 3 asked)")


def test_a_comparison_has_the_weakest_claims_beside_the_scores() -> None:
    found = {each.metric.id: each.difference.n for each in assay.compare(judge(), judge())}
    # One item: all three summaries are of one article.
    assert (found[METRIC], found[f"{METRIC}.weakest_support"]) == (1, 1)
    assert "coverage.weakest_support" not in found


def test_people_are_compared_with_weakest_claims_under_their_own_name() -> None:
    said = [
        PersonLabel(name, None, METRIC, "", None, "ann", score) for name, score in (("copied", "10"), ("wrong", "2"))
    ]
    rows = [LabelRow(label, is_score=True) for label in said]
    joined = join_labels(judge().cards, rows, judge().rubric)
    found = measure_agreement(Scope("run", judge().rubric, "labels"), joined)
    assert [each.name for each in found.metrics] == ["Hallucination", "Hallucination, weakest claim"]


def test_the_worst_records_are_ranked_by_what_was_found_and_then_by_support() -> None:
    ranking = Ranking()
    for position, card in enumerate(judge().cards):
        ranking.add(build_listed(card, position), card)
    assert [each.name for each in ranking.worst.records] == ["wrong", "unsure", "copied"]
    assert "weakest claim 0." in ranking.worst.records[1].why


def test_a_table_leaves_out_what_the_judge_never_scores_and_names_stronger_judges() -> None:
    stream = io.StringIO()
    console = open_console(stream, 100)
    print_records(console, judge().rubric, [build_row(card) for card in judge().cards])
    print_summary(console, summarise())
    said = stream.getvalue()
    head = said.splitlines()[0].split()
    assert head == ["record", "Hallucination", "weakest", "claim"]
    assert "Not scored by this judge: Coverage, Alignment, Relevance, Bias and toxicity." in " ".join(said.split())
    assert "closest source sentence (s1): “" in " ".join(said.split())
    assert STRONGER in said
