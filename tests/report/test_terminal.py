"""What a run looks like on a terminal, at the widths people have."""

import io
import re
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

import pytest
from cards import card, failure, judged, verdict

from assay.domain.listed import build_listed
from assay.domain.outcome import FAILURE_STATUSES, Abstention
from assay.domain.scorecard import Notice, Scorecard
from assay.files.rubrics import open_rubric
from assay.report.display import SCREENING
from assay.report.summary import Summary, summarize
from assay.report.terminal import build_row, format_unscored, open_console, print_records, print_summary
from equipment.example_runs import SCRIPTED

AUDIT = ("coverage", "alignment", "hallucination", "relevance", "bias_toxicity")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def show_records(cards: list[Scorecard], width: int) -> str:
    stream = io.StringIO()
    print_records(open_console(stream, width), cards[0].rubric, [build_row(each) for each in cards])
    return "\n".join(line.rstrip() for line in stream.getvalue().splitlines())


def show_summary(cards: list[Scorecard], width: int = 80) -> str:
    stream = io.StringIO()
    summary = Summary(cards[0].rubric)
    for each in cards:
        summary.add(build_listed(each))
    print_summary(open_console(stream, width), summary)
    return "\n".join(line.rstrip() for line in stream.getvalue().splitlines())


def by_hand() -> list[Scorecard]:
    rubric = open_rubric("article-audit")
    capped = {
        "coverage": verdict(rubric, "coverage", 4, 7.23, flags=("capped_extraneous",)),
        "hallucination": verdict(rubric, "hallucination", 4, 6, flags=("capped_extraneous",)),
        "relevance": verdict(rubric, "relevance", 4, 10, flags=("capped_extraneous",)),
    }
    blank = Abstention("empty_input", "summary is blank")
    return [
        card("article-audit", "good", dict.fromkeys(AUDIT, 10), system="a"),
        card("article-audit", "wrong-number", {**dict.fromkeys(AUDIT, 8.5), **capped}, system="b",
             notices=(Notice("low_containment", "…"), Notice("low_containment", "…"))),
        card("article-audit", "unreachable-then-blank", {**dict.fromkeys(AUDIT, blank), "coverage": 0,
             "alignment": failure("unreachable")}),
    ]  # fmt: skip


RECORDS_120 = """\
record                  system  Coverage  Alignment    Hallucination  Relevance    Bias and toxicity
─────────────────────────────────────────────────────────────────────────────────────────────────────
good                    a       10        10           10             10           10
wrong-number            b       4 (7.23)  8.5          4 (6)          4 (10)       8.5
unreachable-then-blank          0         unreachable  empty input    empty input  empty input
Scale 0–10, best 10. (score): before a cap or limit.
  wrong-number (b): capped_extraneous, low_containment ×2"""
RECORDS_80 = """\
                                                                      Bias and
record       system  Coverage  Alignment    Hallucination  Relevance  toxicity
────────────────────────────────────────────────────────────────────────────────
good         a       10        10           10             10         10
wrong-       b       4 (7.23)  8.5          4 (6)          4 (10)     8.5
number
unreachable          0         unreachable  empty          empty      empty
-then-blank                                 input          input      input
Scale 0–10, best 10. (score): before a cap or limit.
  wrong-number (b): capped_extraneous, low_containment ×2"""
SUMMARY_80 = """\
metric                 mean  normalized score   groups  scored  no score
──────────────────────────────────────────────────────────────────────────────
Coverage               4.67  0.47 [0.03, 0.96]  3       3 of 3
Alignment          6.17–9.5  0.62–0.95          2       2 of 3  1 unreachable
Hallucination        4.67–8  0.47–0.80          2       2 of 3  1 empty input
Relevance            4.67–8  0.47–0.80          2       2 of 3  1 empty input
Bias and toxicity  6.17–9.5  0.62–0.95          2       2 of 3  1 empty input
Total                        0.51–0.85          2       2 of 3
Scale 0–10, best 10. Normalized score: 0–1, best 1, 95 % interval over source
groups.
low–high: fewer than 90 % scored; the mean if the rest were worst or best.
Flags, by records: capped_extraneous 1
Rule-based checks, by records: low_containment 1"""


@pytest.mark.parametrize(("width", "shown"), [(120, RECORDS_120), (80, RECORDS_80)])
def test_a_table_of_records(width: int, shown: str) -> None:
    assert show_records(by_hand(), width) == shown


def test_a_summary() -> None:
    for width, means in ((80, SUMMARY_80), (120, SUMMARY_80.replace("source\ngroups", "source groups"))):
        shown = show_summary(by_hand(), width)
        assert shown.startswith(f"{means}\n")
        assert "relevance, bias_toxicity not scored: empty input: summary is blank" in " ".join(shown.split())


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("rubric", SCRIPTED)
def test_nothing_is_cut_and_no_word_is_broken(rubric: str, width: int) -> None:
    cards = list(judged(rubric).values())
    shown = show_records(cards, width) + "\n" + show_summary(cards, width)
    assert "…" not in shown
    assert all(len(line) <= width for line in shown.splitlines())
    words = set(re.findall(r"[\w-]+", shown))
    for metric in open_rubric(rubric).metrics:
        assert set(metric.name.split()) <= words
    pieces = set(re.findall(r"[A-Za-z]+", shown))
    for each in cards:
        assert set(each.record.id.split("-")) <= pieces


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("status", FAILURE_STATUSES)
def test_every_status_can_be_read_in_every_column(width: int, status: str) -> None:
    cards = [card("article-audit", "a record with a longer name", dict.fromkeys(AUDIT, failure(status)), system="one")]
    shown = show_records(cards, width)
    for part in re.findall(r"[a-z]+", status):
        assert len(re.findall(rf"(?<![a-z]){part}", shown)) >= len(AUDIT)
    assert "…" not in shown


@pytest.mark.parametrize("width", [40, 60])
def test_a_terminal_too_narrow_for_the_table_gets_lines(width: int) -> None:
    shown = show_records(by_hand(), width)
    assert "…" not in shown
    said = " ".join(shown.split())
    assert "wrong-number b: Coverage 4 (7.23), Alignment 8.5" in said
    assert "Scale 0–10, best 10." in said
    assert "…" not in show_summary(by_hand(), width)


def test_a_scale_says_which_end_is_best() -> None:
    shown = show_records(list(judged("search-summary").values()), 120)
    assert "0–3, best 0" in shown
    assert "0–3, best 3" in shown
    assert "0–100, best 100" in shown
    said = " ".join(show_summary(list(judged("search-summary").values())).split())
    assert "Scales: Hallucination 0–3, best 0; Summary quality 0–100, best 100" in said


def test_what_undecided_units_leave_open_stands_behind_the_score() -> None:
    rubric = open_rubric("opinion-relevance")
    sure = verdict(rubric, "relevance", 4)
    unsure = replace(sure, score=replace(sure.score, interval=(Fraction(2), Fraction(5))))
    shown = show_records([card("opinion-relevance", "a", {"relevance": unsure})], 80)
    assert "4 [2–5]" in shown
    assert "[low–high]: range if the uncertain claims go either way." in shown


def test_answers_by_truth_stand_beside_their_baseline() -> None:
    metrics = ("hallucination", "accuracy", "clarity", "language_correction")
    truths = ["not_eligible"] * 4 + ["likely_eligible"] * 6
    found = ["likely_eligible", "not_eligible", "undetermined", "needs_confirmation"] + ["likely_eligible"] * 6
    cards = [
        card(
            "trial-eligibility",
            f"r{at}",
            dict.fromkeys(metrics, 5),
            facts={"truth": truth, "determination": answer},
        )
        for at, (truth, answer) in enumerate(zip(truths, found, strict=True))
    ]
    said = " ".join(show_summary(cards).split())
    assert "not eligible 1 1 1 1" in said
    assert "likely eligible 6 0 0 0" in said
    assert re.search(r"False-eligible rate: 1 of 4, 25 % \(95 % interval \d+ to \d+ %\)\.", said)
    assert (
        "Determination equals the truth in 7 of 10 records. Always answering “likely eligible” would be right in 6 of 10."
        in said
    )
    assert "Low variance: Clarity is 5 for 10 of 10 records" in said


def test_no_truth_means_no_table() -> None:
    assert "by truth" not in show_summary(list(judged("article-audit").values()))


def test_low_variance_is_said_only_where_there_are_enough_records() -> None:
    def audit(count: int, others: int) -> list[Scorecard]:
        scores = [4] * count + [9] * others
        return [card("opinion-relevance", f"r{at}", {"relevance": min(5, each)}) for at, each in enumerate(scores)]

    assert "Low variance: Relevance is 4 for 19 of 20 records" in show_summary(audit(19, 1))
    assert "Low variance" not in show_summary(audit(18, 2))
    assert "Low variance" not in show_summary(audit(9, 0))


def test_colour_is_for_terminals_alone() -> None:
    stream, screen = io.StringIO(), Terminal()
    rows = [build_row(each) for each in by_hand()]
    print_records(open_console(stream), by_hand()[0].rubric, rows)
    print_records(open_console(screen, 120), by_hand()[0].rubric, rows)
    assert "\x1b" not in stream.getvalue()
    assert re.sub(r"\x1b\[[\d;]*m", "", screen.getvalue()) == stream.getvalue()


def test_texts_of_records_are_shown_and_not_obeyed() -> None:
    cards = [
        card("opinion-relevance", name, {"relevance": 4}) for name in ("[/b]", "\x1b[2Jx", ":warning:", "a\u202eb")
    ]
    shown = show_records(cards, 80)
    for text in ("[/b]", "�[2Jx", ":warning:", "a�b"):
        assert text in shown


def find_reasons(cards: Iterable[Scorecard]) -> dict[str, list[str]]:
    return summarize(open_rubric("article-audit"), map(build_listed, cards)).reasons


def test_reasons_are_told_once_for_metrics_that_share_one() -> None:
    blank = Abstention("empty_input", "summary is blank")
    cut_off = {**dict.fromkeys(AUDIT, 5), "alignment": failure("truncated")}
    reasons = find_reasons(
        [card("article-audit", "a", dict.fromkeys(AUDIT, blank)), card("article-audit", "b", cut_off)]
    )
    assert format_unscored(reasons) == [
        "1 × not scored: empty input: summary is blank – a",
        "1 × alignment not scored: truncated: it was truncated – b",
    ]
    assert format_unscored(reasons, 1) == [
        "1 × not scored: empty input: summary is blank – a",
        "… and 1 more, for other reasons",
    ]


def test_one_reason_for_many_records_is_one_line_and_the_commonest_comes_first() -> None:
    rare, common = Abstention("abstained", "it is in Welsh"), Abstention("abstained", "an opinion is asked for")
    reasons = find_reasons(
        card("article-audit", f"r{at}", {**dict.fromkeys(AUDIT, 5), "alignment": common if at else rare}, system="s")
        for at in range(40)
    )
    assert format_unscored(reasons) == [
        "39 × alignment not scored: an opinion is asked for – r1 (s), r2 (s), r3 (s), …",
        "1 × alignment not scored: it is in Welsh – r0 (s)",
    ]


def test_of_a_long_reason_the_beginning_is_kept() -> None:
    quoted = Abstention("abstained", f"nothing is said of {'x' * 5000}")
    (line,) = format_unscored(find_reasons([card("article-audit", "r", dict.fromkeys(AUDIT, quoted))]))
    assert len(line) < 600


@pytest.mark.parametrize(
    ("judge", "said"), [("embedded:0123abcd", 1), ("openai:m + embedded:0123abcd", 1), ("by hand", 0)]
)
def test_the_summary_of_an_embedded_judges_scores_says_that_they_are_of_screening_grade(judge, said):
    cards = [replace(each, judge=judge) for each in by_hand()]
    assert " ".join(show_summary(cards).split()).count(SCREENING) == said
