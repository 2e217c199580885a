"""The shipped examples: what two judges make of them, record by record, and what their page tells about them.

After a change that is meant, write the kept results anew: `UPDATE_GOLDEN=1 pytest tests/test_examples.py`.
"""

import json
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import ClassVar

import onnxruntime
import pytest
from tokenizers import Tokenizer

from assay.api.judging import judge as judge_records
from assay.domain.outcome import Verdict
from assay.domain.scale import number
from assay.domain.scorecard import Scorecard
from assay.judges.embedded import labelling
from assay.judges.embedded.judge import Checker, EmbeddedJudge
from assay.judges.embedded.pair_model import Pair, PairModel, PairRater, Rating, load_pair_model
from assay.judges.embedded.weights import MODEL, TOKENIZER, load_calibration, read_card, read_weights
from assay.packs import list_packs
from assay.report.result import build_result, encode
from equipment.example_runs import SCRIPTED, judge_once

FROZEN = Path(__file__).parent / "frozen"
PAGE = (files("assay.packs") / "EXAMPLES.md").read_text(encoding="utf-8")
RUBRICS = sorted(SCRIPTED)
PROBABILITY = re.compile(r"(?<=probability of support )0\.\d\d")
MOVED = 0.01
"""A probability may move by this much. Kept examples are at least as far from every threshold."""
each_rubric = pytest.mark.parametrize("rubric", RUBRICS)


def judged(rubric: str, judge: str = "recorded") -> dict[str, Scorecard]:
    return judge_once(rubric, scripted=judge == "recorded")


def read_replies(rubric: str) -> list[dict[str, str]]:
    lines = (list_packs()[rubric].folder / "replies.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def freeze(card: Scorecard) -> str:
    """A result without the names of the run and the judge, which change whenever a prompt or a weight does."""
    result = json.loads(encode(build_result(card)))
    return json.dumps({key: value for key, value in result.items() if key not in {"run", "judge"}}, ensure_ascii=False)


def assert_alike(now: object, before: object, at: str = "") -> None:
    """The same but for fractions that are no score: probabilities, and what is computed from them, may move a little."""
    if isinstance(now, dict) and isinstance(before, dict):
        assert list(now) == list(before), at
        for name, value in now.items():
            assert_alike(value, before[name], f"{at}.{name}")
    elif isinstance(now, list) and isinstance(before, list):
        assert len(now) == len(before), at
        for place, pair in enumerate(zip(now, before, strict=True)):
            assert_alike(*pair, f"{at}[{place}]")
    elif isinstance(now, str) and isinstance(before, str):
        assert PROBABILITY.sub("P", now) == PROBABILITY.sub("P", before), at
    elif isinstance(now, float) or isinstance(before, float):
        assert now == pytest.approx(before, abs=1e-9 if at.endswith((".score", ".raw")) else MOVED), at
    else:
        assert now == before, at


@each_rubric
@pytest.mark.parametrize("judge", ["recorded", "embedded"])
def test_results_are_as_they_were(rubric: str, judge: str) -> None:
    lines = [freeze(card) for card in judged(rubric, judge).values()]
    kept = FROZEN / f"{rubric}.{judge}.jsonl"
    if os.environ.get("UPDATE_GOLDEN"):
        kept.parent.mkdir(exist_ok=True)
        kept.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    for now, before in zip(lines, kept.read_text(encoding="utf-8").splitlines(), strict=True):
        assert_alike(json.loads(now), json.loads(before))


def judge_with(rubric: str, load: Callable[[], PairRater]) -> dict[str, Scorecard]:
    """The examples by the built-in judge with another pair model."""
    checker = Checker("embedded:other", load, load_calibration())
    run = judge_records(list_packs()[rubric].folder / "examples.jsonl", rubric, EmbeddedJudge(checker))
    return {card.record.id: card for card in run.cards}


def list_decisions(cards: dict[str, Scorecard]) -> list[tuple[object, ...]]:
    """Statuses, scores and labels."""
    return [
        (
            name,
            metric,
            outcome.status,
            outcome.score.value if isinstance(outcome, Verdict) else None,
            [(label.part, label.unit, label.label) for label in outcome.trail.findings.labels],
        )
        for name, card in cards.items()
        for metric, outcome in card.outcomes.items()
    ]


@dataclass
class Remembering:
    """Rates each pair once with the shipped model, however many tests ask, and shakes what it found."""

    shake: Callable[[Pair, Rating], Rating] = lambda _, rating: rating
    known: ClassVar[dict[Pair, Rating]] = {}

    def rate(self, pairs: Sequence[Pair]) -> list[Rating]:
        fresh = [pair for pair in dict.fromkeys(pairs) if pair not in self.known]
        self.known.update(zip(fresh, load_pair_model().rate(fresh) if fresh else [], strict=True))
        return [self.shake(pair, self.known[pair]) for pair in pairs]


@each_rubric
def test_no_example_lies_near_a_threshold(rubric: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(labelling, "NEAR", MOVED)
    outcomes = [outcome for card in judge_with(rubric, Remembering).values() for outcome in card.outcomes.values()]
    assert [outcome for outcome in outcomes if "near_threshold" in outcome.trail.flags] == []


@each_rubric
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_little_noise_in_the_model_changes_no_label_status_or_score(rubric: str, seed: int) -> None:
    def shake(pair: Pair, rating: Rating) -> Rating:
        chance = Random(f"{seed} {pair}")
        return Rating(*(min(1.0, max(0.0, each + chance.uniform(-0.002, 0.002))) for each in rating))

    assert list_decisions(judge_with(rubric, lambda: Remembering(shake))) == list_decisions(judged(rubric, "embedded"))


@cache
def load_variant(level: str, threads: int) -> PairModel:
    """The shipped model as onnxruntime computes it with other settings, each pair alone."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = getattr(onnxruntime.GraphOptimizationLevel, f"ORT_{level}")
    options.intra_op_num_threads = threads
    session = onnxruntime.InferenceSession(read_weights(MODEL), options, providers=["CPUExecutionProvider"])
    return PairModel(session, Tokenizer.from_buffer(read_weights(TOKENIZER)), read_card().max_tokens)


@each_rubric
@pytest.mark.parametrize(("level", "threads"), [("DISABLE_ALL", 1), ("ENABLE_BASIC", 2), ("ENABLE_ALL", 2)])
def test_results_do_not_depend_on_how_the_model_is_computed(rubric: str, level: str, threads: int) -> None:
    cards, usual = judge_with(rubric, lambda: load_variant(level, threads)), judged(rubric, "embedded")
    assert list_decisions(cards) == list_decisions(usual)
    for name, card in cards.items():
        for metric, outcome in card.outcomes.items():
            pairs = zip(outcome.trail.findings.labels, usual[name].outcomes[metric].trail.findings.labels, strict=True)
            for ours, theirs in pairs:
                assert ours.probability == pytest.approx(theirs.probability, abs=1e-5)


@each_rubric
def test_the_page_tells_every_record_and_every_score(rubric: str) -> None:
    section = PAGE.partition(f"\n## {rubric}\n")[2].partition("\n## ")[0]
    for name, card in judged(rubric).items():
        row = next(line for line in section.splitlines() if line.startswith(f"| {name} |"))
        for metric, outcome in card.outcomes.items():
            scored = str(number(outcome.score.value)) if isinstance(outcome, Verdict) else outcome.status
            repaired = "repaired " if outcome.status == "repaired" else ""
            assert f"{metric} {repaired}{scored}" in row, (name, metric)
            assert [flag for flag in outcome.trail.flags if flag not in {"whole_reply", *row_words(row)}] == []
        assert [notice.check for notice in card.notices if notice.check not in row] == [], name


@each_rubric
def test_the_embedded_judge_ranks_no_text_with_a_false_claim_at_or_above_one_without(rubric: str) -> None:
    """By the scripted replies, which know the seeded errors; where a judge refuses, by what is seeded."""
    faulty: dict[str, bool] = {}
    for name, card in judged(rubric, "embedded").items():
        for metric, outcome in card.outcomes.items():
            known = judged(rubric)[name].outcomes[metric]
            if outcome.trail.weakest_support is not None and isinstance(known, Verdict):
                faulty[name] = known.score.goodness < 1
            elif outcome.trail.weakest_support is not None and known.status == "refused":
                faulty[name] = card.record.facets["seeded"] != "nothing"
    estimates = {name: judged(rubric, "embedded")[name].weakest_support or 0 for name in faulty}
    wrong = [
        (good, bad)
        for good in faulty
        for bad in faulty
        if not faulty[good] and faulty[bad] and estimates[good] <= estimates[bad]
    ]
    assert wrong == []
    assert faulty or rubric in {"opinion-relevance", "checklist"}


@each_rubric
def test_every_example_names_what_is_seeded(rubric: str) -> None:
    assert [name for name, card in judged(rubric).items() if not card.record.facets.get("seeded")] == []


def row_words(row: str) -> set[str]:
    return {word.strip("`,;.()|") for word in row.split()}


@each_rubric
def test_every_scripted_reply_to_a_metric_is_read(rubric: str) -> None:
    outcomes = [outcome for card in judged(rubric).values() for outcome in card.outcomes.values()]
    read = {reply for outcome in outcomes for reply in outcome.trail.replies}
    banks = ("questions.", "key_points", "items", "asked_points")
    assert [
        line for line in read_replies(rubric) if not line["ask"].startswith(banks) and line["text"] not in read
    ] == []


@each_rubric
@pytest.mark.parametrize("judge", ["recorded", "embedded"])
def test_every_piece_of_evidence_stands_where_it_says(rubric: str, judge: str) -> None:
    found = 0
    for card in judged(rubric, judge).values():
        texts = {source.id: source.text for source in card.record.sources} | {"output": card.record.output}
        labels = [label for outcome in card.outcomes.values() for label in outcome.trail.findings.labels]
        for evidence in [each for label in labels for each in label.evidence]:
            found += 1
            assert evidence.span.of(texts[evidence.source]) == evidence.quote
    assert found > 5 or (rubric in {"opinion-relevance", "checklist"} and judge == "embedded")


@pytest.mark.parametrize(
    ("rubric", "metric", "first", "second"),
    [
        ("article-audit", "coverage", "all-good", "contradicted-number"),
        ("search-summary", "summary_quality", "all-good", "wrong-dose"),
    ],
)
def test_two_systems_on_one_item_are_held_to_one_bank(rubric: str, metric: str, first: str, second: str) -> None:
    cards = [judged(rubric)[first], judged(rubric)[second]]
    assert [card.record.system for card in cards] == ["a", "b"]
    assert cards[0].record.item == cards[1].record.item
    banked = [[unit.text for unit in card.outcomes[metric].trail.units] for card in cards]
    assert banked[0] == banked[1] != []


def test_an_altered_quote_is_void_and_the_second_reply_mends_it() -> None:
    outcome = judged("search-summary")["wrong-dose"].outcomes["hallucination"]
    first, second = outcome.trail.replies
    assert "2.5 a week" in first
    assert [claim["unit"] for claim in json.loads(second)["hallucination"]["claims"]] == ["c2"]
    assert all(label.decided for label in outcome.trail.findings.labels)
