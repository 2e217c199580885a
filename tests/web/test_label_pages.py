"""People label by the rubric's own questions, one at a time and blind, and everything is kept at once."""

from dataclasses import replace

import pytest
from kept_many import begin, judge_by_hand
from markup import Page, list_keys, read

from assay.domain.outcome import Trail
from assay.domain.record import Record, Source
from assay.files.rubrics import open_rubric
from assay.web.labelling import Task
from assay.web.library import Library
from assay.web.questions import list_questions
from equipment.example_runs import keep_example
from equipment.page_server import Served, serve_labels


def say(served: Served, path: str, **fields: str):
    return served.post(path, {**fields, "key": served.keys.write})


def follow(served: Served, path: str = "/") -> str:
    """Where a browser ends up: the path of a page, without the key."""
    while (answer := served.get(path)).status == 303:
        path = answer.headers["location"]
    return path.removeprefix(served.keys.root)


def show(served: Served, path: str) -> Page:
    answer = served.get(path)
    assert answer.status == 200, path
    return read(answer.text)


def choices(page: Page, name: str = "label") -> list[str]:
    return [each.attributes["value"] for each in page.of("button", name=name) if each.attributes["value"]]


def find_answer(page: Page) -> list[str]:
    return [each.attributes["value"] for each in page.of("button", aria_current="true")]


def find_path(store, trials: str, record: str, key: tuple[str, str, str | None]) -> str:
    position = store.browser.find_position(trials, record, None)
    card = Library(store).card(store.find_run(trials), position)
    return f"/label/{position}/{[each.key for each in list_questions(card)].index(key)}"


CLAIM = ("hallucination", "claim", "c1")
CLARITY = ("clarity", "grade", None)


@pytest.fixture
def claim(own_store, trials) -> str:
    """The page of one record's first claim."""
    return find_path(own_store, trials, "false-eligible", CLAIM)


def test_a_page_asks_one_question_in_the_rubrics_own_words(labelling: Served, claim):
    page = show(labelling, claim)
    assert choices(page) == ["no_fact", "contradicted", "absent", "partial", "supported", "undecided"]
    assert "The profile or the trial's text says otherwise in some part of it." in page.text
    assert "Would the user understand the answer" not in page.text


def test_the_claim_is_marked_in_its_text_and_the_nearest_sentences_in_the_sources(labelling: Served, own_store, trials):
    page = show(labelling, find_path(own_store, trials, "false-eligible", ("hallucination", "claim", "c2")))
    (marked,) = page.of("span", id="claim")
    assert marked.text == page.of("h1")[0].text
    (quoted,) = [each for each in page.of("a") if each.attributes["href"] == "#near1"]
    assert quoted.text in {"[1] Patient profile", "[4] Eligibility criteria"}
    assert (
        page.of("span", id="near1")[0].text
        in page.text.partition("Most similar source sentences")[2].partition("Is each")[0]
    )


def test_the_page_lists_its_own_keys_and_none_of_a_report(labelling: Served, claim):
    assert list_keys(labelling.get(claim).text) == ["1", "9", "0", "u", "j", "k", "c", "?", "Esc"]


def test_nothing_the_judge_said_is_shown(own_store, trials):
    run, library = own_store.find_run(trials), Library(own_store)
    seen = 0
    with serve_labels(own_store, Task(run)) as served:
        for place in own_store.browser.places(trials):
            card = library.card(run, place)
            notes = {label.note for each in card.outcomes.values() for label in each.trail.findings.labels}
            seen += len(notes)
            for at in range(len(list_questions(card))):
                page = show(served, f"/label/{place}/{at}")
                assert [note for note in notes if len(note) > 12 and note in page.text] == []
                assert [each for each in page.elements if "t-" in each.attributes.get("class", "")] == []
    assert seen > 5


def test_who_wrote_an_output_is_not_shown(own_store, tmp_path):
    run = own_store.find_run(keep_example(own_store, "article-audit", tmp_path))
    with serve_labels(own_store, Task(run)) as served:
        answers = [served.get(f"/label/{place}/0") for place in own_store.browser.places(run.id)]
        assert not any(" by b" in read(answer.text).text for answer in answers)


def test_the_right_answer_is_shown_only_under_the_metric_that_needs_it(labelling: Served, own_store, trials, claim):
    accuracy = find_path(own_store, trials, "false-eligible", ("accuracy", "grade", None))
    assert "ground truth label" not in labelling.get(claim).text.lower()
    assert "ground truth label" in labelling.get(accuracy).text.lower()


def test_an_answer_is_kept_and_the_next_question_follows(labelling: Served, own_store, trials, claim):
    answer = say(labelling, claim, label="supported", note=" so said ")
    assert (answer.status, follow(labelling, answer.headers["location"])) == (303, f"{claim[:-1]}{int(claim[-1]) + 1}")
    (kept,) = own_store.labels.all(trials, person="Ada")
    assert (kept.question, kept.label, kept.qualifier, kept.note) == (CLAIM, "supported", None, "so said")
    again = show(labelling, claim)
    assert find_answer(again) == ["supported"]
    assert again.of("textarea")[0].text == "so said"


def test_how_severe_a_fault_is_is_a_question_of_its_own(labelling: Served, own_store, trials, claim):
    assert say(labelling, claim, label="contradicted").headers["location"].endswith(f"{claim}?more=1")
    page = show(labelling, f"{claim}?more=1")
    assert (choices(page), choices(page, "more")) == ([], ["slight", "serious"])
    assert say(labelling, claim, more="serious").status == 303
    assert [(each.label, each.qualifier) for each in own_store.labels.all(trials)] == [("contradicted", "serious")]
    say(labelling, claim, label="supported")
    assert [(each.label, each.qualifier) for each in own_store.labels.all(trials)] == [("supported", None)]


def test_undo_takes_the_last_answer_back_and_asks_again(labelling: Served, own_store, trials, claim):
    second = f"{claim[:-1]}{int(claim[-1]) + 1}"
    say(labelling, claim, label="supported")
    say(labelling, second, label="supported")
    assert say(labelling, "/label/undo").headers["location"].endswith(second)
    assert [label.unit for label in own_store.labels.all(trials)] == ["c1"]
    assert find_answer(show(labelling, second)) == []
    assert say(labelling, "/label/undo").headers["location"].endswith(claim)
    assert own_store.labels.all(trials) == ()
    assert own_store.find_run(trials)
    assert say(labelling, "/label/undo").status == 303


@pytest.mark.parametrize("value", ["fabulous", "6", "<script>", ""])
def test_an_answer_that_the_rubric_does_not_know_is_refused(labelling: Served, own_store, trials, claim, value):
    for path in (claim, find_path(own_store, trials, "false-eligible", CLARITY)):
        assert say(labelling, path, label=value).status == 404
    assert own_store.labels.all(trials) == ()


def answer_all(served: Served, most: int = 1000) -> int:
    """Every open question by its first choice; how many there were."""
    for number in range(most):
        path = follow(served)
        if path == "/done":
            return number
        assert say(served, path, label=choices(show(served, path))[0]).status == 303
    return most


def test_each_person_goes_on_where_they_stopped(own_store, trials):
    with serve_labels(own_store, Task(own_store.find_run(trials)), "Ada", "Bo / X") as ada:
        first = follow(ada)
        answer_all(ada, 7)
        after = follow(ada)
        assert after != first
        assert follow(ada.as_person("Bo / X")) == first
    with serve_labels(own_store, Task(own_store.find_run(trials))) as again:
        assert follow(again) == after


def test_a_skipped_question_waits_and_the_next_record_comes_first(labelling: Served):
    first = follow(labelling)
    place = first.split("/")[2]
    assert follow(labelling, f"/label?after={place}").split("/")[2] != place
    assert follow(labelling) == first


def test_when_all_is_answered_the_page_says_so_and_waits_for_the_word(own_store, tmp_path):
    run = own_store.find_run(keep_example(own_store, "opinion-relevance", tmp_path))
    with serve_labels(own_store, Task(run)) as served:
        assert answer_all(served) > 20
        assert "I am done" in served.get("/done").text
        assert own_store.labels.finished(run.id) == ()


def test_a_blank_output_asks_nothing(own_store, tmp_path):
    run = own_store.find_run(keep_example(own_store, "opinion-relevance", tmp_path))
    position = own_store.browser.find_position(run.id, "blank-summary", None)
    assert position is not None
    assert list_questions(Library(own_store).card(run, position)) == []
    with serve_labels(own_store, Task(run)) as served:
        assert served.get(f"/label/{position}/0").status == 404


def test_only_the_metrics_asked_for_are_asked_about(own_store, trials):
    with serve_labels(own_store, Task(own_store.find_run(trials), ("clarity",))) as served:
        path = follow(served)
        assert say(served, path, label="4").status == 303
        assert follow(served).split("/")[2] != path.split("/")[2]
    (kept,) = own_store.labels.all(trials)
    assert (kept.metric, kept.part, kept.unit, kept.label) == ("clarity", "grade", None, "4")


def test_the_order_is_by_what_is_in_doubt_about_the_metrics_asked_for(own_store):
    """The judge declines the last metric of every record, which puts none before the others."""
    rubric = open_rubric("article-audit")
    begin(own_store, "doubtful", rubric)
    for position in range(12):
        card = judge_by_hand(Record(f"r{position}", "i", f"{position}.", ()), rubric, Trail())
        unsure = {2: "coverage", 4: "alignment"}.get(position)
        if unsure:
            found = card.outcomes[unsure]
            scale = rubric.metric(unsure).scale
            wide = replace(found, score=replace(found.score, interval=(scale.low, scale.high)))
            card = replace(card, outcomes={**card.outcomes, unsure: wide})
        own_store.add_record("doubtful", position, card)
    own_store.flush()

    def sought(*metrics: str) -> set[int]:
        queue = Library(own_store).queue(own_store.find_run("doubtful"), metrics)
        return {place for place, by in queue.items() if by == "uncertainty"}

    assert sought() == {2, 4}
    assert sought("alignment") == {4}


def test_a_record_that_is_judged_meanwhile_joins_the_queue(own_store):
    rubric = open_rubric("article-audit")
    begin(own_store, "growing", rubric)
    run, seen = own_store.find_run("growing"), []
    with serve_labels(own_store, Task(run, ("alignment",))) as served:
        assert follow(served) == "/done"
        assert "still being judged" in served.get("/done").text
        for position in range(3):
            card = judge_by_hand(Record(f"r{position}", "i", "Output.", ()), rubric, Trail())
            own_store.add_record("growing", position, card)
            own_store.flush()
            seen.append(follow(served))
            assert say(served, seen[-1], other="7").status == 303
    assert seen == ["/label/0/0", "/label/1/0", "/label/2/0"]


def test_a_level_between_those_described_may_be_given_where_the_scale_has_it(own_store, tmp_path):
    run = own_store.find_run(keep_example(own_store, "article-audit", tmp_path))
    with serve_labels(own_store, Task(run, ("alignment",))) as served:
        path = follow(served)
        assert say(served, path, other="8,5", label="").status == 303
        assert show(served, path).of("input", name="other")[0].attributes["value"] == "8.5"
        assert say(served, path, other="8.55", label="").status == 404
        assert say(served, path, other="11", label="").status == 404
    assert [label.label for label in own_store.labels.all(run.id)] == ["8.5"]


def test_every_label_knows_how_its_record_came_up(labelling: Served, own_store, trials):
    queue = Library(own_store).queue(own_store.find_run(trials), ())
    for place in queue:
        say(labelling, f"/label/{place}/0", label="supported")
    labels = own_store.labels.all(trials, person="Ada")
    rows = own_store.browser.find_places(trials, queue)
    assert {label.record: label.drawn_by for label in labels} == {rows[place].record: by for place, by in queue.items()}
    assert "random" in queue.values()


def test_the_whole_of_a_long_source_can_be_read(own_store):
    rubric = open_rubric("article-audit")
    begin(own_store, "long", rubric)
    record = Record("r", "i", "Output.", (Source("s1", "Long. " * 100_000 + "The end."),))
    own_store.add_record("long", 0, judge_by_hand(record, rubric, Trail()))
    own_store.flush()
    with serve_labels(own_store, Task(own_store.find_run("long"))) as served:
        assert "The end." in served.get(follow(served)).text
