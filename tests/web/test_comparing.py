"""Two kept runs as the page compares them."""

from dataclasses import replace

from kept_many import begin, judge_by_hand
from runs import claim_card

from assay.domain.outcome import Failure, Score, Trail, Verdict
from assay.domain.record import Record
from assay.domain.rubric import Rubric
from assay.domain.span import Span
from assay.files.rubrics import open_rubric, read_rubric
from assay.store.store import Store
from assay.web.compare_view import ComparisonView, build_comparison
from assay.web.library import Library

METRIC = "alignment"


def keep(store: Store, name: str, rubric: Rubric, levels: dict[tuple[str, str], int | None]) -> None:
    """A level for each item and system; None where the judge failed."""
    begin(store, name, rubric)
    scale = rubric.metric(METRIC).scale
    for place, ((item, system), level) in enumerate(levels.items()):
        card = judge_by_hand(Record(f"{item}{system}", item, "Output.", (), system=system), rubric, Trail())
        said = Failure("malformed", "no", Trail())
        if level is not None:
            value = scale.low if level == 0 else scale.high
            said = Verdict(Score(value, value, (value, value), scale, "so"), Trail())
        store.add_record(name, place, replace(card, outcomes={**card.outcomes, METRIC: said}))
    store.flush()


def compare(store: Store, first: str, second: str, metric: str = METRIC) -> ComparisonView:
    return build_comparison(Library(store), store.find_run(first), store.find_run(second), metric)


def test_records_that_only_one_run_scored_are_no_change(own_store: Store) -> None:
    rubric = open_rubric("article-audit")
    whole = {(f"i{item}", system): level for item in range(20) for system, level in (("A", 1), ("B", 0))}
    keep(own_store, "whole", rubric, whole)
    keep(own_store, "lacking", rubric, {**whole, **{(f"i{item}", "B"): None for item in range(1, 20, 2)}})
    view = compare(own_store, "whole", "lacking")
    (found,) = (each for each in view.differences if each.metric.id == METRIC)
    assert (found.difference.n, found.unpaired, found.difference.mean, found.difference.p_value) == (20, 10, 0, 1)
    assert [part.count for part in view.changes] == [0, 0]


def test_the_record_that_both_runs_have_stands_for_its_item(own_store: Store) -> None:
    rubric = open_rubric("article-audit")
    keep(own_store, "one", rubric, {("i", "A"): 1, ("i", "B"): 0})
    keep(own_store, "two", rubric, {("i", "C"): 1, ("i", "B"): 1})
    worse, better = compare(own_store, "one", "two").changes
    (change,) = better.records
    assert (worse.count, better.count, better.title) == (0, 1, "Better in the second run")
    assert ([listed.record for listed, _ in change.sides], change.amount) == (["iB", "iB"], 1.0)


def test_a_metric_that_the_second_version_of_the_rubric_lacks_is_listed(own_store: Store) -> None:
    rubric = open_rubric("article-audit")
    keep(own_store, "one", rubric, {("i", "A"): 1})
    shorter = read_rubric(rubric.text[: rubric.text.index("## Metric: bias_toxicity")], "article-audit.md")
    keep(own_store, "two", shorter, {("i", "A"): 1})
    for first, second in (("one", "two"), ("two", "one")):
        found = {
            each.metric.id: (each.difference.n, each.unpaired) for each in compare(own_store, first, second).differences
        }
        assert list(found) == [each.id for each in rubric.metrics]
        assert found["relevance"] == (0, 1)
        assert found["bias_toxicity"] == (0, 0)


def test_it_opens_on_the_metric_that_changed_most_and_says_what_got_worse(own_store: Store) -> None:
    rubric = open_rubric("article-audit")
    levels = {(f"i{item}", "A"): 1 for item in range(12)}
    keep(own_store, "one", rubric, levels)
    keep(own_store, "two", rubric, {**levels, **{(f"i{item}", "A"): 0 for item in range(9)}})
    view = compare(own_store, "one", "two", "")
    assert (view.metric, rubric.metrics[0].id != METRIC) == (METRIC, True)
    assert (view.name_metrics("worse"), view.name_metrics("better")) == ("Alignment", "")
    worse, better = view.changes
    assert (worse.count, better.count, len(worse.records)) == (9, 0, 9)
    assert [chip.score for _, chip in worse.records[0].sides] == ["10", "0"]
    assert compare(own_store, "two", "one", "ghost").name_metrics("better") == "Alignment"


def test_the_claims_whose_labels_changed_are_named(own_store: Store) -> None:
    rubric = open_rubric("comparison-faithfulness")
    for name, value, said in (("one", 5, "supported"), ("two", 1, "absent")):
        begin(own_store, name, rubric)
        claims = [(Span(0, 6), said, ()), (Span(7, 14), "supported", ())]
        own_store.add_record(name, 0, claim_card("It is. It was.", [], claims, value=value))
    own_store.flush()
    (changed,) = compare(own_store, "one", "two", "").changes[0].records
    (unit,) = changed.units
    assert (unit.text, unit.before[1], unit.after[1]) == ("It is.", "supported", "absent")
