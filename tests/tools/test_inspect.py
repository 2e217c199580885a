"""The scorer in a task of Inspect, and logs that Inspect itself wrote, with its mock model."""

import gc
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import assay
from tools.conftest import FARES

pytest.importorskip("inspect_ai", reason="the extra `inspect` is not installed")

pytestmark = pytest.mark.filterwarnings("ignore")  # of Inspect and what it imports
RIGHT, WRONG = "It must be booked by noon of the day before.", "A bicycle costs 32 kroner extra."


@pytest.fixture(autouse=True)
def _collected() -> Iterator[None]:
    """Inspect leaves streams open; what Python says when it collects them must not fall on another test."""
    yield
    gc.collect()


def evaluate(scorer: Any, outputs: list[str], form: str = "eval", **changed: Any) -> Any:
    from inspect_ai import Task, eval  # noqa: A004  # its name
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    def say(text: str) -> ModelOutput:
        output = ModelOutput.from_content("mockllm/model", text)
        # Inspect would otherwise count tokens with a table from the network.
        output.usage = ModelUsage()
        return output

    samples = [
        Sample(id=f"s{at}", **({"input": "What does it cost?", "metadata": {"sources": [FARES]}} | changed))
        for at in range(len(outputs))
    ]
    model = get_model("mockllm/model", custom_outputs=list(map(say, outputs)))
    limits = {"max_samples": 1, "max_connections": 1}
    [log] = eval(Task(samples, scorer=scorer), model=model, display="none", log_dir="logs", log_format=form, **limits)
    return log


def test_a_task_is_scored_with_mean_and_error_and_shows_the_finding_and_its_source():
    from assay.inspect import scorer

    log = evaluate(scorer(), [RIGHT, WRONG])
    assert log.status == "success", log.error
    found = {score.name: score for score in log.results.scores}
    assert set(found["faithfulness"].metrics) == {"mean", "stderr"}
    assert found["faithfulness"].metrics["mean"].value == 0.5
    [_, wrong] = [sample.scores["assay"] for sample in log.samples]
    assert f"“{WRONG}”" in wrong.explanation
    assert "“A bicycle costs 22 kroner extra.”" in wrong.explanation
    assert wrong.metadata["rubric"]["id"] == "grounded-answer"


def test_a_metric_without_a_verdict_is_unscored_and_in_no_mean():
    from assay.inspect import scorer

    log = evaluate(scorer(), [RIGHT])
    found = {score.name: score for score in log.results.scores}
    assert (found["faithfulness"].unscored_samples, found["refusal"].unscored_samples) == (0, 1)
    assert math.isnan(log.samples[0].scores["assay"].value["refusal"])
    assert log.samples[0].scores["assay"].metadata["status"]["refusal"] == "abstained"


def test_the_input_can_be_the_source():
    from assay.inspect import scorer

    log = evaluate(scorer("article-audit", sources="input"), [RIGHT], input=FARES, metadata={})
    assert log.samples[0].scores["assay"].value["hallucination"] == 1


def test_a_sample_without_sources_is_named():
    from assay.inspect import scorer

    log = evaluate(scorer(), [RIGHT], metadata={})
    assert log.status == "error"
    assert "the metadata of sample s0 has no 'sources'" in log.error.message


@pytest.mark.parametrize("form", ["eval", "json"])
def test_a_log_that_inspect_wrote_is_judged(form: str):
    log = evaluate(None, [RIGHT, WRONG], form)
    assert log.status == "success", log.error
    found = assay.judge(Path(log.location), "grounded-answer")
    assert [found[name].metrics["faithfulness"].goodness for name in ("s0", "s1")] == [1, 0]
    assert found["s1"].system == "mockllm/model"
