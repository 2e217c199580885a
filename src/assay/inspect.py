"""A scorer for Inspect: judges the output of each sample against its sources.

from assay.inspect import scorer

Task(dataset=…, solver=generate(), scorer=scorer(judge="openai:MODEL"))
"""

from math import nan
from typing import Any

from anyio import to_thread
from inspect_ai.scorer import Score, Scorer, Target, mean, stderr
from inspect_ai.scorer import scorer as register
from inspect_ai.solver import TaskState

from assay.api.config import EMBEDDED
from assay.api.judging import judge as judge_records
from assay.domain.json import JSON
from assay.domain.outcome import Verdict
from assay.domain.scorecard import Scorecard
from assay.errors import InputError
from assay.files.json_values import is_list
from assay.files.rubrics import open_rubric
from assay.files.texts import build_values
from assay.packs.default import DEFAULT
from assay.report.display import format_score
from assay.report.findings import explain_doubts
from assay.report.result import build_rubric

_INPUT = "input"


@register(metrics={"*": [mean(), stderr()]}, name="assay")
def scorer(
    rubric: str = DEFAULT, judge: str = EMBEDDED, sources: str = "sources", query: str = _INPUT, **options: Any
) -> Scorer:
    """A score for each metric: its goodness, from 0 to 1. A metric without a verdict is unscored.

    Args:
        rubric: a rubric with one source, one output and at most a query among its required inputs.
        judge: as `assay.judge` takes it.
        sources: the key of the sample's metadata that holds a text or several, or `input`: what the sample asks.
        query: the same for what the output answers.
        options: the other arguments of `assay.judge`. A budget is for each sample.

    """
    opened = open_rubric(rubric)
    has_query = any(spec.role == "query" for spec in opened.inputs)

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001  # the target is no source
        given = _find(state, sources)
        texts = list(given) if is_list(given) else [given]
        asked = _find(state, query) if has_query else None
        values = build_values(opened, state.output.completion, texts, asked, name=str(state.sample_id))
        # In a thread, so that Inspect's other samples go on.
        run = await to_thread.run_sync(lambda: judge_records([values], rubric, judge, **options))
        return _build_score(run.cards[0])

    return score


def _find(state: TaskState, name: str) -> JSON:
    if name == _INPUT:
        return str(state.input_text)
    if name not in state.metadata:
        remedy = f"Add it, or name another key: scorer(sources=…, query=…). `{_INPUT}` is the sample's input."
        raise InputError(f"the metadata of sample {state.sample_id} has no {name!r}", remedy=remedy)
    found: JSON = state.metadata[name]
    return found


def _build_score(card: Scorecard) -> Score:
    """Inspect leaves a value that is no number out of its means and counts it as unscored."""
    names = {metric.id: metric.name for metric in card.rubric.metrics}
    lines = [
        f"{names[metric]}: {format_score(outcome)}"
        f" – {outcome.score.derivation if isinstance(outcome, Verdict) else outcome.reason}"
        for metric, outcome in card.outcomes.items()
    ]
    return Score(
        value={
            metric: float(outcome.score.goodness) if isinstance(outcome, Verdict) else nan
            for metric, outcome in card.outcomes.items()
        },
        answer=card.record.output,
        explanation="\n".join([*lines, "", *explain_doubts(card)]).strip(),
        metadata={
            "judge": card.judge,
            "rubric": build_rubric(card.rubric),
            "status": {metric: outcome.status for metric, outcome in card.outcomes.items()},
        },
    )
