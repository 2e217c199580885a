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
from assay.files.rubrics import open_rubric
from assay.store.store import Store
from assay.web.reading import PAGE_CHANGES
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


def test_the_record_that_both_runs_have_is_paired_and_the_others_are_counted(own_store: Store) -> None:
    rubric = open_rubric("article-audit")
    keep(own_store, "one", rubric, {("i", "A"): 1, ("i", "B"): 0})
    keep(own_store, "two", rubric, {("i", "C"): 1, ("i", "B"): 1})
    with serve_view(own_store) as served:
        page = Page(served.get("/compare?first=one&second=two").text)
    assert "Better in the second run 1 record" in " ".join(page.text.split())
    assert [each.text for each in page.of("a") if "data-step" in each.attributes] == ["iB"]
    assert "Records without a partner: 1 only in the first run, 1 only in the second run." in page.text


def test_every_change_is_on_one_of_the_pages(own_store: Store) -> None:
    rubric = open_rubric("article-audit")
    count = 2 * PAGE_CHANGES + 5
    for name, level in (("one", 1), ("two", 0)):
        keep(own_store, name, rubric, {(f"i{item:03}", "A"): level for item in range(count)})
    address = f"/compare?first=one&second=two&metric={METRIC}"
    seen = []
    with serve_view(own_store) as served:
        while address:
            page = Page(served.get(address.partition("#")[0]).text)
            seen += [each.text for each in page.of("a") if "data-step" in each.attributes]
            address = next((each.attributes["href"] for each in page.of("a", rel="next")), "")
        assert "page 3 of 3" in served.get("/compare?first=one&second=two&page=99").text
    assert seen == [f"i{item:03}A" for item in range(count)]


def test_it_opens_on_the_metric_that_changed_most_and_says_what_got_worse(own_store: Store) -> None:
    rubric = open_rubric("article-audit")
    levels = {(f"i{item}", "A"): 1 for item in range(12)}
    keep(own_store, "one", rubric, levels)
    keep(own_store, "two", rubric, {**levels, **{(f"i{item}", "A"): 0 for item in range(9)}})
    assert rubric.metrics[0].id != METRIC
    with serve_view(own_store) as served:
        pages = [
            Page(served.get(f"/compare?{given}").text)
            for given in ("first=one&second=two", "first=two&second=one&metric=ghost")
        ]
    for page, said in zip(pages, ("Worse", "Better"), strict=True):
        assert f"{said} in the second run: Alignment." in page.text
        assert "Records that changed: Alignment" in page.text
    assert [each.text for each in pages[0].of("b")].count("−10") == 9


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
