"""The contrastive pairs are sound: valid records, one small edit apart, decided by a sentence that is really there."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache

import pytest
from bench import contrastive

from assay.domain.ask import Answer, Ask, MetricAsk
from assay.domain.findings import Citation, Findings, Label
from assay.domain.record import Record
from assay.errors import Refused
from assay.files.records import records_from
from assay.files.rubrics import open_rubric
from assay.judges.judge import Judge
from assay.text.keywords import keywords
from assay.text.sentences import split_sentences
from assay.units.passages import OUTPUT, Passages

RUBRICS = (
    "article-audit",
    "comparison-faithfulness",
    "opinion-relevance",
    "search-summary",
    "trial-eligibility",
)
KINDS = [
    "addition", "cause", "comparison", "date", "direction", "dose", "entity", "frequency", "hedge", "laterality",
    "merge", "negation", "number", "order", "price", "quantifier", "rating", "role", "route", "unit",
]  # fmt: skip
MOST_WORDS_APART = 6


pairs = cache(contrastive.read_pairs)


@cache
def records() -> dict[tuple[str, str], Record]:
    return contrastive.build_records(pairs())


def count_words_apart(one: str, other: str) -> int:
    before, after = one.split(), other.split()
    edits = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return sum(max(i2 - i1, j2 - j1) for tag, i1, i2, j1, j2 in edits if tag != "equal")


def test_every_pair_has_an_id_of_its_own_and_a_record_without_its_output() -> None:
    assert [name for name, count in Counter(pair.id for pair in pairs()).items() if count > 1] == []
    assert [pair.id for pair in pairs() if pair.output_field in pair.record] == []


def test_every_kind_of_error_has_at_least_six_pairs_and_every_rubric_many_kinds() -> None:
    counts = Counter(pair.kind for pair in pairs())
    assert sorted(counts) == KINDS
    assert min(counts.values()) >= 6
    kinds = {rubric: {pair.kind for pair in pairs() if pair.rubric == rubric} for rubric in RUBRICS}
    assert {pair.rubric for pair in pairs()} == set(RUBRICS)
    assert min(len(found) for found in kinds.values()) >= 12


@pytest.mark.parametrize("rubric", RUBRICS)
def test_both_twins_are_records_of_their_rubric_and_hold_nothing_it_does_not_know(rubric: str) -> None:
    twins = [pair.build_twin(twin) for pair in pairs() if pair.rubric == rubric for twin in ("correct", "corrupted")]
    read = records_from(twins, open_rubric(rubric))
    assert len(read) == len(twins) > 0
    assert read.unknown_fields == ()


def test_twins_differ_by_one_small_edit() -> None:
    apart = {pair.id: count_words_apart(pair.correct, pair.corrupted) for pair in pairs()}
    assert {name: count for name, count in apart.items() if not 1 <= count <= MOST_WORDS_APART} == {}


def test_the_deciding_sentence_stands_in_a_source_word_for_word() -> None:
    missing = [
        pair.id
        for pair in pairs()
        if not any(pair.where and pair.where in source.text for source in records()[pair.id, "correct"].sources)
    ]
    assert missing == []


def test_sources_are_as_long_as_real_ones() -> None:
    lengths = {
        pair.id: sum(len(source.text.split()) for source in records()[pair.id, "correct"].sources) for pair in pairs()
    }
    assert {name: words for name, words in lengths.items() if not 80 <= words <= 250} == {}


def test_outputs_have_up_to_five_sentences_besides_their_table_and_the_determination() -> None:
    long = []
    for pair in pairs():
        prose = "\n".join(line for line in pair.correct.splitlines() if not line.startswith("|"))
        prose = prose.removeprefix("Determination: Likely Eligible. ")
        if not 1 <= len(split_sentences(prose, "en")) <= 5:
            long.append(pair.id)
    assert long == []


@pytest.mark.parametrize("baseline", ["overlap", "best-sentence"])
def test_counting_words_does_not_tell_most_twins_apart(baseline: str) -> None:
    scores = contrastive.score_by_words(records(), baseline)
    higher = sum(contrastive.compare(pair, scores) == "higher" for pair in pairs())
    assert 0 < higher < 0.5 * len(pairs())


@pytest.mark.parametrize(
    ("correct", "corrupted", "verdict"),
    [
        ((0.9, "ok"), (0.4, "ok"), "higher"),
        ((0.4, "ok"), (0.4, "repaired"), "tie"),
        ((0.0, "ok"), (0.4, "ok"), "lower"),
        ((None, "abstained"), (0.4, "ok"), "abstained"),
        ((None, "abstained"), (None, "abstained"), "abstained"),
        ((0.9, "ok"), (None, "refused"), "failed"),
        ((None, "abstained"), (None, "refused"), "failed"),
    ],
)
def test_a_pair_is_told_apart_only_where_both_twins_have_a_score(
    correct: tuple[float | None, str], corrupted: tuple[float | None, str], verdict: str
) -> None:
    pair = pairs()[0]
    scores = {
        (pair.id, "correct"): contrastive.Score(correct[0], status=correct[1]),
        (pair.id, "corrupted"): contrastive.Score(corrupted[0], status=corrupted[1]),
    }
    assert contrastive.compare(pair, scores) == verdict
    assert contrastive.compare(pair, {}) == "failed"


@dataclass
class ClaimJudge(Judge):
    """Labels each claim of an article's summary by one test, and quotes the sentence nearest to it."""

    supports: Callable[[str], bool]

    @property
    def name(self) -> str:
        return "claim-judge"

    async def answer(self, ask: Ask, passages: Passages) -> Answer:
        if not isinstance(ask, MetricAsk) or ask.metric.id != "hallucination":
            raise Refused("only claims are judged here")
        part = ask.metric.label_parts[0].id
        sentences = [each for each in passages.all if each.source != OUTPUT]
        labels = []
        for unit in ask.units:
            nearest = max(sentences, key=lambda each: len(keywords(each.text) & keywords(unit.text)))
            label = "supported" if self.supports(unit.text) else "absent"
            labels.append(Label(part, unit.id, label, (Citation(nearest.id, nearest.text),)))
        return Answer(Findings(tuple(labels)))

    async def close(self) -> None:
        """Nothing is open."""


@pytest.mark.parametrize(
    ("knows", "verdict"), [(True, "higher"), (False, "tie")], ids=["knows the articles", "believes everything"]
)
def test_the_script_ranks_twins_by_what_a_judge_says_of_their_claims(knows: bool, verdict: str) -> None:
    articles = [pair for pair in pairs() if pair.rubric == "article-audit"][:6]
    correct = "\n".join(pair.correct for pair in articles)
    judge = ClaimJudge(lambda claim: not knows or claim in correct)
    scores = contrastive.judge_twins(articles, judge)
    assert {contrastive.compare(pair, scores) for pair in articles} == {verdict}


def test_the_written_results_name_every_kind_every_rubric_and_every_miss() -> None:
    scores = contrastive.score_by_words(records(), "overlap")
    text = contrastive.render_results(pairs(), "overlap", scores, [scores, scores])
    assert all(f"| {name} |" in text for name in (*KINDS, *RUBRICS))
    missed = [pair.id for pair in pairs() if contrastive.compare(pair, scores) != "higher"]
    assert all(f"`{name}`" in text for name in missed)
