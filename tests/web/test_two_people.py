"""Two people label one run blind to each other, while it is judged; then they see and adjudicate where they differ."""

import json
import random
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from markup import read

from assay.agreement.figures import Scope, measure_agreement
from assay.agreement.join import join_labels
from assay.agreement.label_files import format_labels, import_labels
from assay.agreement.labels import LabelRow
from assay.files.rubrics import open_rubric
from assay.runner.run import rubric_of
from assay.store.labels import ADJUDICATED, PersonLabel
from assay.store.store import Store
from assay.web.labelling import Task
from assay.web.questions import list_questions
from equipment.chat_server.exchange import Asked
from equipment.chat_server.server import ScriptedServer, answer_by_schema, run_in_thread
from equipment.page_server import Answer, Served, serve_labels

COMMAND = [sys.executable, "-c", "from assay.cli.main import main; main()"]
RECORDS = 12


@dataclass
class Person:
    """Answers at random, and keeps every answer given and every page seen."""

    served: Served
    chance: random.Random
    given: dict[str, tuple[str, str | None, str]] = field(default_factory=dict)
    seen: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.served.keys.person

    def get(self, path: str = "/") -> tuple[str, Answer]:
        while (answer := self.served.get(path)).status == 303:
            path = answer.headers["location"]
        self.seen.append(answer.text)
        return path.removeprefix(self.served.keys.root), answer

    def post(self, path: str, **fields: str) -> Answer:
        answer = self.served.post(path, {**fields, "key": self.served.keys.write})
        self.seen.append(answer.text)
        return answer

    def answer(self) -> bool:
        """One open question, its severity too; sometimes taken back and given again."""
        path, page = self.get()
        if path == "/done":
            return False
        note = f"{self.name} wrote {self.chance.randrange(10**9)}"
        label = self.chance.choice(re.findall(r'name="label" value="(.+?)"', page.text))
        more = self.chance.choice(["slight", "serious"]) if label in {"contradicted", "absent", "partial"} else None
        self._say(path, label, more, note)
        if self.chance.random() < 0.1:
            assert self.post("/label/undo").headers["location"].endswith(path)
            self._say(path, label, more, note)
        self.given[path] = (label, more, note)
        return True

    def _say(self, path: str, label: str, more: str | None, note: str) -> None:
        answer = self.post(path, label=label, note=note)
        assert answer.status == 303
        if more is not None:
            assert answer.headers["location"].endswith("?more=1")
            assert self.post(path, more=more, note=note).status == 303


def write_records(path: Path) -> Path:
    sentences = ("The bridge opened in May.", "It cost 12 million.", "Cyclists may use it at night.")
    records = (
        {"id": f"r{at}", "article": f"Bridge {at}. {' '.join(sentences[:2])}", "summary": " ".join(sentences)}
        for at in range(RECORDS)
    )
    path.write_text("".join(json.dumps(each) + "\n" for each in records), encoding="utf-8")
    return path


def wait_for_record(store: Store, process: "subprocess.Popen[str]") -> str:
    while process.poll() is None:
        if store.run_ids() and store.count(store.run_ids()[0]):
            return store.run_ids()[0]
        time.sleep(0.05)
    pytest.fail("the run ended before anybody could label it")


def test_two_people_label_a_run_that_is_being_judged_and_neither_sees_the_other_before_both_are_done(tmp_path):
    records, fill, people = write_records(tmp_path / "records.jsonl"), answer_by_schema(1), list[Person]()

    def keep_pace(asked: Asked) -> str:
        """Waits for two answers to each record before this one, so that the run lasts as long as labelling."""
        number = int(re.findall(r"Bridge (\d+)", asked.prompt)[-1])
        for _ in range(3_000):
            if sum(len(each.given) for each in people) >= 2 * number:
                break
            time.sleep(0.01)
        return fill(asked)

    server = ScriptedServer(keep_pace)
    with run_in_thread(server), Store(tmp_path / "assay.db") as store:
        judge = ["judge", records, "--rubric", "article-audit", "--judge", f"openai:scripted@{server.base_url}"]
        options = ["--separate", "--workers", "1", "--store", store.path, "--quiet", "--out", tmp_path / "out.jsonl"]
        with subprocess.Popen([*COMMAND, *map(str, judge + options)], text=True) as process:
            run = store.find_run(wait_for_record(store, process))
            with serve_labels(store, Task(run, ("hallucination",)), "Ada", "Bo") as served:
                people += [Person(served.as_person(name), random.Random(name)) for name in ("Ada", "Bo")]
                assert label_while_judged(people, process) > 5
                assert process.returncode == 0
                check_both(people, store, run.id)


def label_while_judged(people: list[Person], process: "subprocess.Popen[str]") -> int:
    """Both at once, to the end of the run and of its questions; how many answers were given before that end."""

    def label(person: Person) -> int:
        count = 0
        while process.poll() is None:
            count += person.answer()
        while person.answer():
            pass
        return count

    with ThreadPoolExecutor(2) as pool:
        counts = [*pool.map(label, people)]
    assert min(counts) > 0
    return sum(counts)


def check_both(people: list[Person], store: Store, run: str) -> None:
    ada, bo = people
    assert store.find_run(run).state == "done"
    for person in people:
        kept = store.labels.all(run, person=person.name)
        place = {each.record: each.position for each in store.browser.all(run)}
        assert {each.note for each in kept} == {note for _, _, note in person.given.values()}
        assert {(place[each.record], each.label, each.qualifier, each.note) for each in kept} == {
            (int(path.split("/")[2]), *given) for path, given in person.given.items()
        }
        assert len(kept) == RECORDS * 3
    assert ada.post("/done", done="1").status == 303
    assert "Continue labelling" in ada.get("/done")[1].text
    assert ada.post(next(iter(ada.given)), label="supported").status == 403
    assert ada.get("/adjudicate")[1].status == bo.get("/adjudicate")[1].status == 403
    for person, other in ((ada, bo), (bo, ada)):
        shown = "\n".join(person.seen)
        assert f"{person.name} wrote" in shown or person.name in shown
        assert f"{other.name} wrote" not in shown
        assert f">{other.name}<" not in shown
    assert bo.post("/done", done="1").status == 303
    for person in people:
        text = read(person.get("/done")[1].text).text
        assert "Ada and Bo have finished labelling" in text
        assert "Hallucination, claim" in text
        assert person.post("/done", again="1").status == 303
        assert person.get()[0] == "/done"
    _, page = ada.get("/adjudicate")
    assert all(f"{each.name} wrote" in page.text for each in people)
    assert len(store.labels.all(run)) == RECORDS * 6


@pytest.fixture
def both(own_store, trials):
    """Both have labelled every claim, and differ on the first of each record."""
    run = own_store.find_run(trials)
    own_store.labels.put(
        trials,
        (
            PersonLabel(card.record.id, None, *question.key, person, label if not at else "supported")
            for card in own_store.cards(trials, rubric_of(run))
            for at, question in enumerate(list_questions(card, ("hallucination",)))
            for person, label in (("Ada", "supported"), ("Bo", "absent"))
        ),
    )
    with serve_labels(own_store, Task(run, ("hallucination",)), "Ada", "Bo") as served:
        yield [Person(served.as_person(name), random.Random(name)) for name in ("Ada", "Bo")]


def adjudicate(people: list[Person], label: str) -> int:
    for person in people:
        person.post("/done", done="1")
    count = 0
    while (path := people[count % 2].get("/adjudicate")[0]) != "/done":
        assert people[count % 2].post(path, label=label).status == 303
        count += 1
    return count


def test_a_person_who_is_done_alone_can_go_on_labelling(both, own_store, trials):
    ada, bo = both
    ada.post("/done", done="1")
    assert ada.post("/label/undo").status == 403
    ada.post("/done", again="1")
    assert own_store.labels.finished(trials) == ()
    assert ada.post("/label/undo").status == 303
    assert bo.get("/adjudicate")[1].status == 403


def test_what_people_adjudicate_is_kept_apart_from_what_each_said_blind(both, own_store, trials):
    before = own_store.labels.all(trials)
    count = adjudicate(both, "supported")
    assert count == len({(each.record, each.question) for each in before if each.label == "absent"})
    adjudicated = own_store.labels.all(trials, person=ADJUDICATED)
    assert len(adjudicated) == count
    assert {(each.label, each.unit) for each in adjudicated} == {("supported", "c1")}
    assert [each for each in own_store.labels.all(trials) if each.person != ADJUDICATED] == list(before)
    assert both[0].post("/adjudicate/undo").status == 303
    assert len(own_store.labels.all(trials, person=ADJUDICATED)) == count - 1


def test_the_judge_is_held_to_what_people_settled_on_and_people_to_each_other(both, own_store, trials):
    def measure():
        rubric = open_rubric("trial-eligibility")
        rows = map(LabelRow, own_store.labels.all(trials))
        joined = join_labels(own_store.cards(trials, rubric), rows, rubric)
        found = measure_agreement(Scope(trials, rubric, "the store"), joined)
        (units,) = found.units
        return units, {each.name: each for each in units.figures}, joined.records["hallucination"]

    split, before, _ = measure()
    count = adjudicate(both, "supported")
    whole, after, records = measure()
    assert any("evenly split" in warning for warning in split.warnings)
    assert not any("evenly split" in warning for warning in whole.warnings)
    assert whole.n > split.n
    assert whole.people == ("Ada", "Bo")
    assert after["alpha, judge vs each annotator"].beside == before["alpha, judge vs each annotator"].beside
    # Every claim is adjudicated as supported, so the rule makes the best score of it, although Bo's own is worse.
    adjudicated = [each.people for each in records if ADJUDICATED in each.people]
    assert len(adjudicated) == count
    assert all(each[ADJUDICATED] == each["Ada"] == 1.0 > each["Bo"] for each in adjudicated)


def test_settled_labels_are_exported_and_read_back(both, own_store, trials, tmp_path):
    adjudicate(both, "partial")
    labels, file = own_store.labels.all(trials), tmp_path / "labels.csv"
    file.write_text("".join(format_labels(trials, labels)), encoding="utf-8")
    assert f",{ADJUDICATED},partial," in file.read_text(encoding="utf-8")
    assert import_labels(own_store, file, None).counts == {trials: len(labels)}
    assert own_store.labels.all(trials) == labels
