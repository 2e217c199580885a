"""`assert_judged`: a test fails if a text is not good enough, and shows the claims with problems beside the sources.

Imports the engine when it is called, so that a test runner can load it at its start.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from assay.domain.json import JSON
    from assay.domain.rubric import Rubric
    from assay.domain.scorecard import Scorecard
    from assay.judges.judge import Judge
    from assay.report.result import Result
    from assay.report.summary import ClaimCounts
    from assay.store.runs import RunUsage
    from assay.store.store import Store


@dataclass(frozen=True, slots=True)
class Judgement:
    """One judged text: `faults` say what is not good enough, `failures` which metrics the judge failed to answer.

    `findings` says how many of its `claims` are at fault.
    """

    card: "Scorecard"
    usage: "RunUsage"
    faults: tuple[str, ...]
    failures: tuple[str, ...]
    findings: str
    claims: "ClaimCounts"


@dataclass(frozen=True, slots=True)
class _Wanted:
    """How good a text must be: the least goodness, the most claims at fault, the share of metrics with a score."""

    at_least: float | Mapping[str, float] | None
    max_findings: int | None
    min_scored: float


@dataclass(frozen=True, slots=True)
class RunningTest:
    """What a test runner sets for a test: defaults of arguments, the record's id, and who is told each result."""

    defaults: Mapping[str, Any] = field(default_factory=dict)
    name: str | None = None
    tell: Callable[[Judgement], None] = lambda _judgement: None


# A runner runs one test of a process at a time; its threads belong to it.
_running = [RunningTest()]


@contextmanager
def running(test: RunningTest) -> Iterator[None]:
    _running.append(test)
    try:
        yield
    finally:
        _running.remove(test)


def assert_judged(  # noqa: PLR0913  # the keywords of `assay.judge_text`, and how good the text must be
    output: str,
    sources: "str | Sequence[str | Mapping[str, JSON]]",
    query: str | None = None,
    *,
    at_least: float | Mapping[str, float] | None = None,
    max_findings: int | None = None,
    min_scored: float | str | None = None,
    rubric: "str | Path | None" = None,
    judge: "str | Judge | Sequence[str | Judge] | None" = None,
    store: "str | Path | Store | None" = None,
    **options: Any,
) -> "Result":
    """Judges one output against its sources and returns its result if it is good enough.

    Args:
        output: the text that is judged.
        sources: a text, or several; each is a text or a dict with `content` and optionally `title` and `url`.
        query: what the output answers. The default rubric needs it.
        at_least: the least goodness, from 0 to 1, of every metric; or {metric: goodness} for these metrics.
        max_findings: the most claims that may be at fault, 0 for none. It fails too where no claim was decided. Use it
            with the built-in judge, which leaves many metrics without a score.
        min_scored: the share of the metrics of `at_least` that must have a score, by default 0.9. With 0, a metric
            without a score fails nothing, nor does a text of which no claim was decided.
        rubric: as `assay.judge_text` takes it.
        judge: as `assay.judge` takes it; the default is the built-in judge.
        store: a file that keeps results and replies: a text that was judged before costs no call.
        options: the other arguments of `assay.judge`.

    Raises:
        AssertionError: the text is not good enough, or was not judged.
        JudgeError: the judge failed, so nothing is known about the text.
        InputError: something in the arguments is wrong; nothing was sent.

    """
    __tracebackhide__ = True  # a test shows the line that calls
    test = _running[-1]
    limits = {"at_least": at_least, "max_findings": max_findings, "min_scored": min_scored}
    named = {**limits, "rubric": rubric, "judge": judge, "store": store, **options}
    given = {**test.defaults, **{name: value for name, value in named.items() if value is not None}}
    judgement = _judge(test.name, output, sources, query, given)
    test.tell(judgement)
    if judgement.failures:
        from assay.errors import JudgeError

        raise JudgeError("\n".join(judgement.failures))
    if judgement.faults:
        raise AssertionError("\n".join(_explain(judgement)))
    from assay.report.result import build_result

    return build_result(judgement.card)


def _judge(name: str | None, output: str, sources: Any, query: str | None, given: dict[str, Any]) -> Judgement:
    from contextlib import nullcontext

    from assay.api.config import EMBEDDED
    from assay.api.judging import judge as judge_records
    from assay.domain.listed import build_listed
    from assay.files.rubrics import open_rubric
    from assay.files.texts import build_values
    from assay.packs.default import DEFAULT
    from assay.report.gate import check_findings
    from assay.report.summary import ClaimCounts
    from assay.store.opening import MEMORY
    from assay.store.store import Store, open_store

    named, judge, store = (given.pop(*each) for each in (("rubric", DEFAULT), ("judge", EMBEDDED), ("store", MEMORY)))
    rubric = open_rubric(str(named))
    wanted = _read_wanted(given, rubric)
    texts = [sources] if isinstance(sources, str | Mapping) else sources
    values = build_values(rubric, output, texts, query, name=name)
    with nullcontext(store) if isinstance(store, Store) else open_store(store) as kept:
        run = judge_records([values], named, judge, store=kept, **given)
        [card] = run.cards
        claims = ClaimCounts()
        claims.add(build_listed(card), rubric)
        findings = check_findings(wanted.max_findings or 0, claims, min_scored=wanted.min_scored)
        faults = list(_list_faults(card, wanted))
        if wanted.max_findings is not None and not findings.passed:
            faults.append(findings.said)
        return Judgement(card, kept.usage(run.id), tuple(faults), tuple(_list_failures(card)), findings.said, claims)


def _read_wanted(given: dict[str, Any], rubric: "Rubric") -> _Wanted:
    """Takes the limits out of the arguments. Raises InputError where there is none, or one that can't be."""
    from assay.errors import InputError
    from assay.report.gate import parse_share
    from assay.report.mean import ENOUGH_SCORED

    wanted = _Wanted(
        given.pop("at_least", None),
        given.pop("max_findings", None),
        parse_share(given.pop("min_scored", ENOUGH_SCORED)),
    )
    at_least, known = wanted.at_least, [metric.id for metric in rubric.metrics]
    most: object = wanted.max_findings  # whatever a marker says
    remedy = f"Write at_least=0.8, a normalized score of 0 to 1, or at_least={{{known[0]!r}: 0.8}}, or max_findings=0."
    if (at_least is None and most is None) or at_least == {}:
        raise InputError("no requirement for the text is given", remedy=remedy)
    if most is not None and (not isinstance(most, int) or isinstance(most, bool) or most < 0):
        raise InputError(f"max_findings={most!r} is not a number of claims", remedy="Write max_findings=0 or more.")
    if isinstance(at_least, Mapping) and (unknown := [name for name in at_least if name not in known]):
        raise InputError(f"{rubric.id} has no metric {unknown[0]!r}", remedy=f"Write one of: {', '.join(known)}.")
    values = [] if at_least is None else at_least.values() if isinstance(at_least, Mapping) else [at_least]
    if wrong := [each for each in values if not 0 <= each <= 1]:
        raise InputError(f"{wrong[0]!r} is not a number from 0 to 1", remedy=remedy)
    return wanted


def _list_failures(card: "Scorecard") -> Iterator[str]:
    from assay.domain.outcome import Failure
    from assay.domain.terms import say_why

    for metric in card.rubric.metrics:
        outcome = card.outcomes[metric.id]
        if isinstance(outcome, Failure):
            yield f"{metric.name}: the judge {card.judge} failed ({say_why(outcome.status, outcome.reason)})"


def _list_faults(card: "Scorecard", wanted: _Wanted) -> Iterator[str]:
    """Metrics below their least goodness, and those without a score where too few have one."""
    from assay.domain.outcome import Verdict
    from assay.domain.scale import exceeds
    from assay.domain.terms import say_why
    from assay.report.display import format_score, gives_weakest_support
    from assay.report.gate import say_share
    from assay.report.mean import has_enough

    least = wanted.at_least
    if least is None:
        return
    asked = [metric for metric in card.rubric.metrics if not isinstance(least, Mapping) or metric.id in least]
    unscored = []
    for metric in asked:
        outcome = card.outcomes[metric.id]
        goal = least[metric.id] if isinstance(least, Mapping) else least
        if not isinstance(outcome, Verdict):
            unscored.append(
                f"{metric.name}: not scored ({say_why(outcome.status, outcome.reason)}), wanted at least {goal:g}"
            )
        elif exceeds(goal, goodness := float(outcome.score.goodness)):
            yield f"{metric.name} {format_score(outcome)}: normalized score {goodness:.2f}, wanted at least {goal:g}"
    scored = len(asked) - len(unscored)
    if not has_enough(scored, len(asked), wanted.min_scored):
        yield f"only {scored} of {len(asked)} metrics scored, wanted at least {say_share(wanted.min_scored)}"
        yield from unscored
        if gives_weakest_support([card.judge]):
            yield "This judge leaves many claims uncertain: use max_findings=0, or at_least for metrics that it scores."


def _explain(judgement: Judgement) -> Iterator[str]:
    """For people: what was wanted, then the claims at fault, each with what the source says."""
    from assay.report.findings import explain_doubts

    card = judgement.card
    yield from judgement.faults
    if judgement.findings not in judgement.faults:
        yield f"{judgement.claims.decided_share}."
    yield from (f"  {line}" for line in explain_doubts(card))
    yield f"Judged by {card.judge}, {card.rubric.id} version {card.rubric.version}."
