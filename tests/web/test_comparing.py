"""Two kept runs as the page compares them."""

import re
from dataclasses import replace

from kept_many import EVIL, begin, judge_by_hand
from markup import Page
from runs import claim_card

from assay.domain.outcome import Failure, Score, Trail, Verdict
from assay.domain.record import Record
from assay.domain.rubric import Rubric
from assay.domain.span import Span
from assay.files.rubrics import open_rubric, read_rubric
from assay.store.store import Store
from assay.web.compare_view import PAGE_CHANGES, ComparisonView, build_comparison
from assay.web.library import Library
from equipment.page_server import serve_view

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


def count_changes(view: ComparisonView) -> dict[str, int]:
    return dict(view.chosen.counts)


def test_records_that_only_one_run_scored_move_no_mean_and_are_listed_as_no_longer_scored(own_store: Store) -> None:
    rubric = open_rubric("article-audit")
    whole = {(f"i{item}", system): level for item in range(20) for system, level in (("A", 1), ("B", 0))}
    keep(own_store, "whole", rubric, whole)
    keep(own_store, "lacking", rubric, {**whole, **{(f"i{item}", "B"): None for item in range(1, 20, 2)}})
    view = compare(own_store, "whole", "lacking")
    (found,) = (each for each in view.differences if each.metric.id == METRIC)
    assert (found.difference.n, found.unpaired, found.difference.mean, found.difference.p_value) == (20, 10, 0, 1)
    assert count_changes(view) == {"unscored": 10}
    ((title, count, records),) = view.changes
    assert (title, count, len(records)) == ("No longer scored", 10, 10)
    change, _ = records[0]
    assert (change.before.status, change.after.status) == ("ok", "malformed")


def test_the_record_that_both_runs_have_is_paired_and_the_others_are_counted(own_store: Store) -> None:
    rubric = open_rubric("article-audit")
    keep(own_store, "one", rubric, {("i", "A"): 1, ("i", "B"): 0})
    keep(own_store, "two", rubric, {("i", "C"): 1, ("i", "B"): 1})
    view = compare(own_store, "one", "two")
    ((title, _, [(change, _)]),) = view.changes
    assert (title, change.name, change.said) == ("Better in the second run", "iB (B)", "+10")
    assert view.alone == "Records without a partner: 1 only in the first run, 1 only in the second run."


def test_every_change_is_on_one_of_the_pages(own_store: Store) -> None:
    rubric = open_rubric("article-audit")
    count = 2 * PAGE_CHANGES + 5
    for name, level in (("one", 1), ("two", 0)):
        keep(own_store, name, rubric, {(f"i{item:03}", "A"): level for item in range(count)})
    runs = own_store.find_run("one"), own_store.find_run("two")
    library = Library(own_store)
    seen = []
    for page in (1, 2, 3):
        view = build_comparison(library, *runs, METRIC, page)
        ((_, found, records),) = view.changes
        assert (view.pages, found) == (3, count)
        seen += [change.first.record for change, _ in records]
    assert seen == [f"i{item:03}A" for item in range(count)]
    assert build_comparison(library, *runs, METRIC, 99).page == 3


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
    assert (view.chosen.metric.id, rubric.metrics[0].id != METRIC) == (METRIC, True)
    assert (view.name_metrics("worse"), view.name_metrics("better")) == ("Alignment", "")
    ((_, count, records),) = view.changes
    assert (count, len(records), records[0][0].said) == (9, 9, "−10")
    assert records[0][0].scores == ("10", "0")
    assert compare(own_store, "two", "one", "ghost").name_metrics("better") == "Alignment"


def test_the_claims_whose_labels_changed_are_named(own_store: Store) -> None:
    rubric = open_rubric("comparison-faithfulness")
    for name, value, said in (("one", 5, "supported"), ("two", 1, "absent")):
        begin(own_store, name, rubric)
        claims = [(Span(0, 6), said, ()), (Span(7, 14), "supported", ())]
        own_store.add_record(name, 0, claim_card("It is. It was.", [], claims, value=value))
    own_store.flush()
    ((_, _, [(_, diff)]),) = compare(own_store, "one", "two", "").changes
    (claim,) = diff.claims
    assert (claim.kind, claim.claim.unit.placed_text, claim.before.said, claim.claim.said) == (
        *("relabelled", "It is.", "supported", "not in source"),
    )


def test_the_page_marks_the_words_that_changed_and_no_text_becomes_markup(own_store: Store) -> None:
    rubric = open_rubric("comparison-faithfulness")
    for name, value, output in (("one", 5, f"It is {EVIL} old."), ("two", 1, f"It was {EVIL} <del>new</del>.")):
        begin(own_store, name, rubric)
        span = Span(0, len(output))
        own_store.add_record(name, 0, claim_card(output, [], [(span, "absent", ())], value=value))
    own_store.flush()
    with serve_view(own_store) as served:
        for path in ("/compare?first=one&second=two", "/compare/records?first=one&second=two&one=1&two=1"):
            text = served.get(path).text
            page = Page(text)
            assert (page.open, page.misnested) == ([], [])
            assert not page.of("x-evil")
            assert "window.executed=1&lt;/script&gt;" in text
            assert [each.strip() for each in re.findall("<del>(.*?)</del>", text)] == ["is", "old"]
            inserted = [each.strip() for each in re.findall("<ins>(.*?)</ins>", text)]
            assert inserted == ["was", "&lt;del&gt;new&lt;/del&gt;"]
