"""People label by the rubric's own questions, blind, and everything is kept at once."""

from dataclasses import replace

import pytest
from kept_many import begin, judge_by_hand
from markup import Page, list_keys, read

from assay.domain.outcome import Trail
from assay.domain.record import Record, Source
from assay.files.rubrics import open_rubric
from assay.web.guard import Keys
from assay.web.labelling import LabelPages, Task
from assay.web.library import Library
from assay.web.questions import list_questions
from equipment.example_runs import keep_example
from equipment.page_server import Served, serve_labels


def say(served: Served, number: int, person: str = "Ada", **fields: str):
    named = {name.replace("_", "-"): value for name, value in fields.items()}
    return served.post(f"/by/{person}/{number}/say", {**named, "key": served.keys.write})


def radios(page: Page, name: str) -> list[str]:
    return [each.attributes["value"] for each in page.all("input", type="radio", name=name)]


def checked(page: Page) -> dict[str, str]:
    found = page.all("input", type="radio")
    return {each.attributes["name"]: each.attributes["value"] for each in found if "checked" in each.attributes}


def test_the_questions_are_the_rubrics_own(labelling: Served):
    page = read(labelling.get("/by/Ada/1").text)
    assert radios(page, "label-0") == ["no_fact", "contradicted", "absent", "partial", "supported", "undecided"]
    assert radios(page, "more-0") == ["slight", "serious"]
    assert "The profile or the trial's text says otherwise in some part of it." in page.text
    assert "Would the user understand the answer and how it was reached?" in page.text
    assert page.all("fieldset")[-1].attributes["data-needs"] == ""


def test_the_page_lists_its_own_keys_and_none_of_a_report(labelling: Served):
    page = labelling.get("/by/Ada/1").text
    assert list_keys(page) == ["1", "9", "0", "Enter", "j", "k", "n", "p", "c", "?", "Esc"]
    assert "claim in doubt" not in page


def test_nothing_the_judge_said_is_shown(own_store, trials):
    run, library = own_store.find_run(trials), Library(own_store)
    seen = 0
    with serve_labels(own_store, Task(run)) as served:
        places = LabelPages(library, Task(run), served.keys).queue.places
        for number, (place, _) in enumerate(places, 1):
            card = library.card(run, place)
            page = read(served.get(f"/by/Ada/{number}").text)
            notes = {label.note for each in card.outcomes.values() for label in each.trail.findings.labels}
            seen += len(notes)
            assert [note for note in notes if len(note) > 12 and note in page.text] == []
            assert [each for each in page.elements if "t-" in each.attributes.get("class", "")] == []
    assert seen > 5


def test_who_wrote_an_output_is_not_shown(own_store, tmp_path):
    run = own_store.find_run(keep_example(own_store, "article-audit", tmp_path))
    with serve_labels(own_store, Task(run)) as served:
        assert not any(" by b" in read(served.get(f"/by/Ada/{number}").text).text for number in range(1, 10))


def test_the_right_answer_is_shown_only_under_the_metric_that_needs_it(labelling: Served, own_store, trials):
    library = Library(own_store)
    position = own_store.browser.find_position(trials, "false-eligible", None)
    places = LabelPages(library, Task(own_store.find_run(trials)), labelling.keys).queue.places
    number = next(at for at, (place, _) in enumerate(places, 1) if place == position)
    text = labelling.get(f"/by/Ada/{number}").text
    before, _, after = text.partition("<h2>Accuracy</h2>")
    assert "ground truth label" not in before.lower()
    assert "ground truth label" in after.lower()


def find_claims(served: Served) -> int:
    """A place in the queue, which chance orders, whose record has two claims to label."""
    pages = (read(served.get(f"/by/Ada/{number}").text) for number in range(1, 10))
    return next(number for number, page in enumerate(pages, 1) if "supported" in radios(page, "label-1"))


def test_a_form_without_any_script_keeps_all_its_answers_and_goes_on(labelling: Served, own_store, trials):
    number = find_claims(labelling)
    answer = say(
        labelling,
        number,
        label_0="contradicted",
        more_0="serious",
        note_0=" so said ",
        label_1="supported",
        next="1",
    )
    assert (answer.status, answer.headers["location"]) == (303, f"{labelling.keys.root}/by/Ada/{min(9, number + 1)}")
    first, second = own_store.labels.all(trials, person="Ada")
    assert (first.label, first.qualifier, first.note, first.unit) == ("contradicted", "serious", "so said", "c1")
    assert (second.label, second.qualifier) == ("supported", None)
    assert checked(read(labelling.get(f"/by/Ada/{number}").text)) == {
        "label-0": "contradicted",
        "more-0": "serious",
        "label-1": "supported",
    }


def test_a_second_word_left_over_from_another_choice_is_dropped(labelling: Served, own_store, trials):
    say(labelling, 1, label_0="supported", more_0="serious")
    (kept,) = own_store.labels.all(trials)
    assert kept.qualifier is None


def test_a_script_saves_one_answer_and_learns_how_many_are_open(labelling: Served):
    headers = {"X-Assay-Key": labelling.keys.write}
    page = read(labelling.get("/by/Ada/1").text)
    questions = len(page.all("fieldset"))
    answer = labelling.post("/by/Ada/1/say", {"label-0": "absent"}, headers)
    assert answer.status == 200
    assert 0 < int(answer.headers["x-missing"]) < questions


@pytest.mark.parametrize("value", ["fabulous", "6", "<script>"])
def test_an_answer_that_the_rubric_does_not_know_is_refused(labelling: Served, own_store, trials, value):
    questions = len(read(labelling.get("/by/Ada/1").text).all("fieldset"))
    assert say(labelling, 1, **{f"label_{questions - 1}": value}).status == 404
    assert own_store.labels.all(trials) == ()


def answer_all(served: Served, number: int, person: str = "Ada") -> None:
    page = read(served.get(f"/by/{person}/{number}").text)
    names = dict.fromkeys(each.attributes["name"] for each in page.all("input", type="radio"))
    fields = {name: radios(page, name)[0] for name in names if name.startswith("label-")}
    assert served.post(f"/by/{person}/{number}/say", {**fields, "key": served.keys.write}).status == 303


def test_each_person_goes_on_where_they_stopped(labelling: Served):
    assert labelling.get("/by/Ada").headers["location"] == f"{labelling.keys.root}/by/Ada/1"
    for number in (1, 2):
        answer_all(labelling, number)
    say(labelling, 3, label_0="absent")
    assert labelling.get("/by/Ada").headers["location"] == f"{labelling.keys.root}/by/Ada/3"
    assert labelling.get("/by/Bo").headers["location"] == f"{labelling.keys.root}/by/Bo/1"
    people = read(labelling.get("/").text)
    assert "3 records begun" in people.text
    assert labelling.get("/begin?person=Zo%20%2F%20X").headers["location"] == f"{labelling.keys.root}/by/Zo%20%2F%20X"


def test_when_all_is_answered_the_page_says_so(own_store, tmp_path):
    run = own_store.find_run(keep_example(own_store, "opinion-relevance", tmp_path))
    with serve_labels(own_store, Task(run)) as served:
        for number in range(1, 9):
            answer_all(served, number)
        assert "All done" in served.get("/by/Ada").text


def test_a_blank_output_asks_nothing(own_store, tmp_path):
    run = own_store.find_run(keep_example(own_store, "opinion-relevance", tmp_path))
    library = Library(own_store)
    position = own_store.browser.find_position(run.id, "blank-summary", None)
    assert position is not None
    assert list_questions(library.card(run, position)) == ()


def find_asking(served) -> int:
    """The first place in Ada's queue that asks anything: the order is drawn by chance, and one record is blank."""
    return next(place for place in range(1, 10) if read(served.get(f"/by/Ada/{place}").text).all("fieldset"))


def test_only_the_metrics_asked_for_are_asked_about(own_store, trials):
    with serve_labels(own_store, Task(own_store.find_run(trials), ("clarity",))) as served:
        place = find_asking(served)
        assert len(read(served.get(f"/by/Ada/{place}").text).all("fieldset")) == 1
        assert say(served, place, label_0="4").status == 303
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
        queue = LabelPages(Library(own_store), Task(own_store.find_run("doubtful"), metrics), Keys()).queue
        return {place for place, by in queue.places if by == "uncertainty"}

    assert sought() == {2, 4}
    assert sought("alignment") == {4}


def test_a_level_between_those_described_may_be_given_where_the_scale_has_it(own_store, tmp_path):
    run = own_store.find_run(keep_example(own_store, "article-audit", tmp_path))
    with serve_labels(own_store, Task(run, ("alignment",))) as served:
        place = find_asking(served)
        assert say(served, place, other_0="8,5").status == 303
        page = read(served.get(f"/by/Ada/{place}").text)
        assert page.all("input", name="other-0")[0].attributes["value"] == "8.5"
        assert say(served, place, other_0="8.55").status == 404
        assert say(served, place, other_0="11").status == 404
    assert [label.label for label in own_store.labels.all(run.id)] == ["8.5"]


def test_every_label_knows_how_its_record_came_up_and_with_what_chance(labelling: Served, own_store, trials):
    queue = LabelPages(Library(own_store), Task(own_store.find_run(trials)), labelling.keys).queue
    for number in range(1, len(queue.places) + 1):
        say(labelling, number, label_0="supported")
        labels = own_store.labels.all(trials, person="Ada")
        random = [label for label in labels if label.drawn_by == "random"]
        assert {label.probability for label in random} <= {len(random) / queue.others}
        assert {label.probability for label in labels if label.drawn_by != "random"} <= {1.0}
    assert len(random) > 2
    assert random[0].probability == pytest.approx(len(random) / queue.others)


def test_a_name_of_nothing_is_no_name(labelling: Served):
    assert labelling.get("/by/%20/1").status == 404
    assert labelling.get(f"/by/{'x' * 101}/1").status == 404


def test_the_whole_of_a_long_source_can_be_read(own_store):
    rubric = open_rubric("article-audit")
    begin(own_store, "long", rubric)
    record = Record("r", "i", "Output.", (Source("s1", "Long. " * 100_000 + "The end."),))
    own_store.add_record("long", 0, judge_by_hand(record, rubric, Trail()))
    own_store.flush()
    with serve_labels(own_store, Task(own_store.find_run("long"))) as served:
        assert "The end." in served.get("/by/Ada/1").text
