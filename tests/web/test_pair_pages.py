"""`assay label --pairs`: two outputs of one source, compared by people who see neither system nor score nor each other."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest
from kept_many import EVIL, begin, hostile_card
from markup import Page, read
from runs import claim_card

from assay.agreement.label_queue import order_pairs
from assay.domain.record import Source
from assay.domain.scorecard import Scorecard
from assay.domain.span import Span
from assay.files.rubrics import open_rubric
from assay.store.labels import Preference
from assay.store.store import Store
from assay.web.labelling import Task
from equipment.page_server import Served, serve_pairs

SOURCE = Source("s1", "It is new.")


def write(item: str, system: str, output: str = "", **record: object) -> Scorecard:
    output = output or f"Text by number {len(system)} on {item}."
    card = claim_card(output, [SOURCE], [(Span(0, 4), "absent", ())], identifier=item, item=item, system=system)
    return replace(card, record=replace(card.record, **record)) if record else card


def keep(store: Store, *cards: Scorecard) -> Task:
    begin(store, "run", cards[0].rubric)
    for position, card in enumerate(cards):
        store.add_record("run", position, card)
    store.flush()
    return Task(store.find_run("run"))


SYSTEMS = ("gamma", "omicron", "upsilonic")


@pytest.fixture
def task(own_store: Store) -> Task:
    return keep(own_store, *(write(item, system) for item in ("tea", "mate", "coffee") for system in SYSTEMS))


@pytest.fixture
def ada(own_store: Store, task: Task) -> Iterator[Served]:
    with serve_pairs(own_store, task, "Ada", "Bo") as served:
        yield served


def follow(served: Served, path: str = "/") -> tuple[str, Page]:
    """Where a path leads, and the page there."""
    while (answer := served.get(path)).status == 303:
        path = answer.headers["location"]
    assert answer.status == 200
    return path.removeprefix(served.keys.root), read(answer.text)


def say(served: Served, path: str, choice: str, note: str = "") -> str:
    answer = served.post(path, {"choice": choice, "note": note, "key": served.keys.write})
    assert answer.status == 303
    return answer.headers["location"]


def read_outputs(page: Page) -> list[str]:
    return re.findall(r"Text by number \d on \w+\.", page.text)


def answer_all(served: Served, choice: str = "first") -> Sequence[list[str]]:
    """The outputs of each pair as they were shown."""
    shown = []
    path, page = follow(served)
    while path != "/done":
        shown.append(read_outputs(page))
        path, page = follow(served, say(served, path, choice))
    return shown


def test_a_pair_tells_neither_system_nor_score_nor_what_was_found(ada: Served):
    path, page = follow(ada)
    assert len(read_outputs(page)) == 2
    assert "It is new." in page.text
    assert not any(system in page.source for system in SYSTEMS)
    assert "not in source" not in page.text
    assert not page.of("a", **{"class": "claim"}) + page.of("span", **{"class": "chip"})
    assert re.fullmatch(r"/pairs/[0-9a-f]{24}/0", path)
    assert "0 of 9 answered" in page.text


def test_an_answer_is_kept_with_the_order_in_which_the_person_saw_the_two(ada: Served, own_store: Store):
    shown = answer_all(ada)
    assert len(shown) == 9
    kept = own_store.labels.preferences("run")
    seen = {(f"Text by number {len(each.first)} on {each.item}.", each.systems) for each in kept}
    assert seen == {
        (first, tuple(sorted(system for system in SYSTEMS if f"number {len(system)} " in f"{first}{second}")))
        for first, second in shown
    }
    assert {each.choice for each in kept} == {"first"}
    assert len({each.first < each.second for each in kept}) == 2, "left and right are drawn by lot"


def test_two_people_compare_the_same_pairs_each_in_an_order_of_their_own(ada: Served, own_store: Store):
    bo = ada.as_person("Bo")
    first = answer_all(ada, "second")
    assert follow(bo)[1].text.count("your answer") == 0
    assert "0 of 9 answered" in follow(bo)[1].text
    second = answer_all(bo, "tie")
    assert [sorted(pair) for pair in first] == [sorted(pair) for pair in second]
    assert first != second
    assert {each.person for each in own_store.labels.preferences("run")} == {"Ada", "Bo"}


def test_the_last_answer_can_be_taken_back_and_a_pair_skipped(ada: Served, own_store: Store):
    path, page = follow(ada)
    (skip,) = page.of("a", rel="next")
    other, page = follow(ada, skip.attributes["href"])
    assert other != path
    (back,) = page.of("a", rel="prev")
    assert follow(ada, back.attributes["href"])[0] == path
    say(ada, other, "unsure", "neither says it")
    assert [(each.choice, each.note) for each in own_store.labels.preferences("run")] == [("unsure", "neither says it")]
    (button,) = [each for each in follow(ada, other)[1].of("button") if "aria-current" in each.attributes]
    assert button.attributes["value"] == "unsure"
    assert ada.post("/undo", {"key": ada.keys.write}).headers["location"].endswith(other)
    assert own_store.labels.preferences("run") == ()
    assert follow(ada)[0] == path, "work goes on at the first open pair"


def test_an_answer_given_elsewhere_in_the_other_order_is_shown_as_this_person_sees_the_pair(ada, own_store):
    path, _ = follow(ada)
    say(ada, path, "first")
    (kept,) = own_store.labels.preferences("run")
    turned = Preference(kept.item, kept.second, kept.first, "second", "Ada")
    assert turned.winner == kept.winner
    own_store.labels.put("run", [turned])
    (button,) = [each for each in follow(ada, path)[1].of("button") if "aria-current" in each.attributes]
    assert button.attributes["value"] == "first"


def test_outputs_that_are_the_same_or_made_from_other_sources_are_not_asked_about(own_store: Store):
    cards = [write("same", system, "One text.") for system in ("a", "b")]
    cards += [write("other", "a"), write("other", "bb", sources=(Source("s1", "It is old."),))]
    task = keep(own_store, *cards, write("good", "a"), write("good", "bb"), write("alone", "a"))
    with serve_pairs(own_store, task) as ada:
        assert [outputs[0].rpartition(" ")[2] for outputs in answer_all(ada)] == ["good."]
        assert "1 of 1 question" in follow(ada, "/done")[1].text


def test_with_metrics_each_is_asked_about_each_pair(own_store: Store, task: Task):
    with serve_pairs(own_store, replace(task, metrics=("faithfulness",))) as ada:
        path, page = follow(ada)
        assert "Which output is better in faithfulness?" in page.text
        say(ada, path, "tie")
        assert ada.get(path.removesuffix("0") + "1").status == 404
    assert [each.metric for each in own_store.labels.preferences("run")] == ["faithfulness"]


def test_what_is_no_answer_and_no_pair_is_refused(ada: Served, own_store: Store):
    path, _ = follow(ada)
    assert ada.post(path, {"choice": "best", "key": ada.keys.write}).status == 404
    assert ada.post(path, {"choice": "first", "key": "wrong"}).status == 403
    assert ada.get("/pairs/0123/0").status == 404
    assert own_store.labels.preferences("run") == ()


def test_outputs_of_one_record_are_compared_where_a_system_has_several_on_an_item():
    outputs = [("i", "a", "r1", 0), ("i", "a", "r2", 1), ("i", "b", "r2", 2), ("i", "b", "r3", 3), ("j", "a", "r4", 4)]
    (pair,) = order_pairs("run", outputs)
    assert (pair.systems, pair.places) == (("a", "b"), (1, 2))


def test_a_hostile_pair_is_text(own_store: Store):
    rubric = open_rubric("article-audit")
    card = hostile_card(EVIL, rubric)
    other = replace(card, record=replace(card.record, system="tame", output=f"{EVIL} too"))
    with serve_pairs(own_store, keep(own_store, card, other), EVIL[:90]) as evil:
        for path in (follow(evil)[0], "/done"):
            page = follow(evil, path)[1]
            assert "window.executed=1" in page.text
            assert not page.of("x-evil") + page.of("img")
            assert not [name for each in page.elements for name in each.attributes if name.startswith("on")]
            assert (page.open, page.misnested) == ([], [])
        assert say(evil, follow(evil)[0], "first", EVIL[:90]).endswith("/")
    assert [each.choice for each in own_store.labels.preferences("run")] == ["first"]
