"""`assert_judged`: a test fails if a text is not good enough, and shows the claims at fault with what the source says.

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
    from assay.store.runs import RunUsage
    from assay.store.store import Store


@dataclass(frozen=True, slots=True)
class Judgement:
    """One judged text: `faults` say which metrics are not good enough, `failures` which the judge failed to answer."""

    card: "Scorecard"
    usage: "RunUsage"
    faults: tuple[str, ...]
    failures: tuple[str, ...]


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
        at_least: the least goodness, from 0 to 1, of every metric that the judge answers; or {metric: goodness}, and
            then each of these metrics must have a score.
        rubric: as `assay.judge_text` takes it.
        judge: as `assay.judge` takes it; the default is the embedded judge.
        store: a file that keeps results and replies: a text that was judged before costs no call.
        options: the other arguments of `assay.judge`.

    Raises:
        AssertionError: the text is not good enough, or has no score.
        JudgeError: the judge failed, so nothing is known about the text.
        InputError: something in the arguments is wrong; nothing was sent.

    """
    __tracebackhide__ = True  # a test shows the line that calls
    test = _running[-1]
    named = {"at_least": at_least, "rubric": rubric, "judge": judge, "store": store, **options}
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
    from assay.files.rubrics import open_rubric
    from assay.files.texts import build_values
    from assay.packs.default import DEFAULT
    from assay.store.opening import MEMORY
    from assay.store.store import Store, open_store

    named, judge, store = (given.pop(*each) for each in (("rubric", DEFAULT), ("judge", EMBEDDED), ("store", MEMORY)))
    rubric = open_rubric(str(named))
    least = given.pop("at_least", None)
    _check_thresholds(least, rubric)
    texts = [sources] if isinstance(sources, str | Mapping) else sources
    values = build_values(rubric, output, texts, query, name=name)
    with nullcontext(store) if isinstance(store, Store) else open_store(store) as kept:
        run = judge_records([values], named, judge, store=kept, **given)
        [card] = run.cards
        return Judgement(card, kept.usage(run.id), tuple(_list_faults(card, least)), tuple(_list_failures(card)))


def _check_thresholds(at_least: float | Mapping[str, float] | None, rubric: "Rubric") -> None:
    from assay.errors import InputError

    known = [metric.id for metric in rubric.metrics]
    remedy = f"Write at_least=0.8, a goodness from 0 to 1, or at_least={{{known[0]!r}: 0.8}}."
    if at_least is None or at_least == {}:
        raise InputError("it is not said how good the text must be", remedy=remedy)
    if isinstance(at_least, Mapping) and (unknown := [name for name in at_least if name not in known]):
        raise InputError(f"{rubric.id} has no metric {unknown[0]!r}", remedy=f"Write one of: {', '.join(known)}.")
    values = at_least.values() if isinstance(at_least, Mapping) else [at_least]
    if wrong := [each for each in values if not 0 <= each <= 1]:
        raise InputError(f"{wrong[0]!r} is not a goodness", remedy=remedy)


def _list_failures(card: "Scorecard") -> Iterator[str]:
    from assay.domain.outcome import Failure

    for metric in card.rubric.metrics:
        outcome = card.outcomes[metric.id]
        if isinstance(outcome, Failure):
            yield f"{metric.name}: the judge {card.judge} failed ({outcome.status}: {outcome.reason})"


def _list_faults(card: "Scorecard", least: Mapping[str, float] | float) -> Iterator[str]:
    """Without thresholds for single metrics, a metric that the judge does not answer is left out, but not all of them.

    One whose claims it left undecided is one that it answers. One for which the text asserts nothing is left out.
    """
    from assay.domain.outcome import Verdict
    from assay.domain.scale import exceeds
    from assay.report.display import format_score
    from assay.report.summary import list_reasons

    held = 0
    for metric in card.rubric.metrics:
        outcome = card.outcomes[metric.id]
        wanted = least.get(metric.id) if isinstance(least, Mapping) else least
        if wanted is None:
            continue
        if isinstance(outcome, Verdict):
            held += 1
            goodness = float(outcome.score.goodness)
            if exceeds(wanted, goodness):
                yield f"{metric.name} {format_score(outcome)}: goodness {goodness:.2f}, wanted at least {wanted:g}"
        elif isinstance(least, Mapping) or (outcome.status == "abstained" and outcome.trail.findings.labels):
            held += 1
            yield f"{metric.name}: no score ({outcome.status}: {outcome.reason}), wanted at least {wanted:g}"
    if not held:
        yield "; ".join(("no metric has a score", *list_reasons(card)))


def _explain(judgement: Judgement) -> Iterator[str]:
    """For people: what was wanted, then the claims at fault, each with what the source says."""
    from assay.report.doubts import explain_doubts

    card = judgement.card
    yield from judgement.faults
    yield from (f"  {line}" for line in explain_doubts(card))
    yield f"Judged by {card.judge}, {card.rubric.id} version {card.rubric.version}."
