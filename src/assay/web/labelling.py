"""The pages of `assay label`: one question at a time, who is done, and afterwards where people differ.

A person's address opens their own pages. Nobody sees a label of another person before both have said that they are
done. Then the labels of both are closed, and they adjudicate their differences as a person of their own, `adjudicated`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from assay.agreement.labels import check_label
from assay.agreement.people import QuestionKey, Said, differ, group_labels, measure_people
from assay.domain.scorecard import Scorecard
from assay.errors import InputError
from assay.report.display import name_texts
from assay.runner.run import rubric_of
from assay.store.labels import ADJUDICATED, DrawnBy, Labels, PersonLabel
from assay.store.runs import RunRow
from assay.web.app import find_number, find_root, redirect, respond
from assay.web.guard import Refusal, accept, find_keys
from assay.web.library import Library
from assay.web.lists import parse_digits
from assay.web.questions import Question, build_blind_view, find_nearest, list_questions, mark_question

LONGEST_NOTE = 4000
_LISTED_RECORDS = 200

Differing = Mapping[QuestionKey, Sequence[PersonLabel]]


@dataclass(frozen=True, slots=True)
class Task:
    """What is labelled: a run, all of its metrics or some."""

    run: RunRow
    metrics: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Round:
    """One person's way through the records: all of them, or for `adjudicated` those with `differences`."""

    person: str
    path: str
    places: Sequence[int]
    drawn: Mapping[int, DrawnBy] = field(default_factory=dict)
    differences: Mapping[int, Differing] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A record as one person finds it. `asked` are the questions to answer, by number, `said` this person's answers.

    `differing` are the answers of people who differ.
    """

    place: int
    card: Scorecard
    asked: Mapping[int, Question]
    said: Mapping[QuestionKey, PersonLabel]
    differing: Differing

    @property
    def answered(self) -> int:
        return len(self.asked) - len(self.list_open())

    @property
    def missing(self) -> list[int]:
        """The open questions that a score needs."""
        return [at for at in self.list_open() if not self.asked[at].is_optional]

    def list_open(self, after: int = -1) -> list[int]:
        return [at for at, question in self.asked.items() if at > after and question.key not in self.said]


@dataclass(frozen=True)
class LabelPages:
    library: Library
    task: Task
    # The places where a person has nothing left to answer: these records are not opened again.
    _complete: dict[str, set[int]] = field(default_factory=dict)

    @property
    def labels(self) -> Labels:
        return self.library.store.labels

    def routes(self) -> list[Route]:
        question = "/{way}/{place}/{at}"
        return [
            Route("/", self.start, methods=["GET"]),
            Route("/done", self.show_done, methods=["GET"]),
            Route("/done", accept(self.say_done), methods=["POST"]),
            Route("/{way}", self.go_on, methods=["GET"]),
            Route("/{way}/undo", accept(self.undo), methods=["POST"]),
            Route(question, self.show_question, methods=["GET"]),
            Route(question, accept(self.answer), methods=["POST"]),
        ]

    def start(self, request: Request) -> Response:
        is_done = find_keys(request).person in self.labels.finished(self.task.run.id)
        return redirect(request, "/done" if is_done else "/label")

    def go_on(self, request: Request) -> Response:
        """To the first open question: of all records, or of those after one."""
        found = self._find_round(request)
        after = parse_digits(request.query_params.get("after", ""))
        start = found.places.index(after) + 1 if after in found.places else 0
        complete = self._complete.setdefault(found.person, set())
        for place in (each for each in found.places[start:] if each not in complete):
            if missing := self._open(found, place).missing:
                return redirect(request, f"{found.path}/{place}/{missing[0]}")
            complete.add(place)
        return redirect(request, "/done")

    def show_question(self, request: Request) -> Response:
        found, sheet, at = self._find_question(request)
        question = sheet.asked[at]
        given, nearest = sheet.said.get(question.key), find_nearest(sheet.card, question)
        numbers = list(sheet.asked)
        alike = [each for each in numbers if sheet.asked[each].key[:2] == question.key[:2]]
        shown = ((name.replace("_", " "), sheet.card.record.text(name)) for name in question.metric.shows)
        names = name_texts(sheet.card)
        number, here = found.places.index(sheet.place), numbers.index(at)
        return respond(
            request,
            "label.html",
            base=f"{find_root(request)}{found.path}",
            person=found.person,
            sheet=sheet,
            at=at,
            question=question,
            given=given,
            asks_more=given is not None and question.needs_more(given.label) and "more" in request.query_params,
            alike=(alike.index(at) + 1, len(alike)),
            shown=[pair for pair in shown if pair[1].strip()],
            nearest=[(names[each.source], each.quote) for each in nearest],
            view=build_blind_view(sheet.card, mark_question(question, nearest)),
            number=number + 1,
            total=len(found.places),
            progress=number + sheet.answered / len(sheet.asked),
            before=numbers[here - 1] if here else None,
            after=numbers[here + 1] if here + 1 < len(numbers) else None,
        )

    def answer(self, request: Request, fields: Mapping[str, str]) -> Response:
        found, sheet, at = self._find_question(request)
        question = sheet.asked[at]
        given = sheet.said.get(question.key)
        if "more" in fields and given is not None:
            label = replace(given, qualifier=fields["more"] or None)
        else:
            said = fields.get("label", "").strip() or fields.get("other", "").strip()
            label = replace(_begin_label(found, sheet, question), label=said)
        label = replace(label, note=fields.get("note", "").strip()[:LONGEST_NOTE], moment=datetime.now(UTC))
        self.labels.put(self.task.run.id, [check_label(label, question.metric)])
        if question.needs_more(label.label) and "more" not in fields:
            return redirect(request, f"{found.path}/{sheet.place}/{at}?more=1")
        sheet = self._open(found, sheet.place)
        following = sheet.list_open(at) or sheet.missing
        onward = f"/{sheet.place}/{following[0]}" if following else f"?after={sheet.place}"
        return redirect(request, f"{found.path}{onward}")

    def undo(self, request: Request, _fields: Mapping[str, str]) -> Response:
        """Takes the last answer back and asks its question again."""
        found, run = self._find_round(request), self.task.run.id
        label = max(self._list_labels(found.person), key=lambda each: each.moment, default=None)
        if label is None:
            return redirect(request, found.path)
        self.labels.withdraw(run, label)
        sheet = self._open(found, self._find_place(label.record, label.system))
        self._complete.get(found.person, set()).discard(sheet.place)
        again = [at for at, question in sheet.asked.items() if question.key == label.question]
        return redirect(request, f"{found.path}/{sheet.place}/{again[0]}" if again else found.path)

    def show_done(self, request: Request) -> Response:
        """What is left to do, and once two people are done, where they differ."""
        run, person = self.library.store.find_run(self.task.run.id), find_keys(request).person
        finished = self.labels.finished(run.id)
        is_shown = person in finished and len(finished) > 1
        found = self._find_differences(finished) if is_shown else Round(person, "", ())
        rubric, listed = rubric_of(run), self.library.store.browser.all(run.id)
        items = {(each.record, each.system): each.item for each in listed}
        return respond(
            request,
            "done.html",
            run=run,
            rubric=rubric,
            begun=len({(each.record, each.system) for each in self.labels.all(run.id, person=person)}),
            judged=len(items),
            finished=finished,
            figures=[*measure_people(rubric, self._group(finished), items)] if is_shown else [],
            count=sum(map(len, found.differences.values())),
            places=len(found.places),
            sheets=[self._open(found, place) for place in found.places[:_LISTED_RECORDS]],
        )

    def say_done(self, request: Request, fields: Mapping[str, str]) -> Response:
        run, person = self.task.run.id, find_keys(request).person
        if "done" in fields:
            self.labels.finish(run, person)
        else:
            self.labels.resume(run, person)
        return redirect(request, "/")

    def _group(self, finished: Sequence[str]) -> Said:
        return group_labels(label for label in self._list_labels() if label.person in finished)

    def _list_labels(self, person: str | None = None) -> list[PersonLabel]:
        """Of the metrics that are asked about."""
        only, labels = self.task.metrics, self.labels.all(self.task.run.id, person=person)
        return [label for label in labels if not only or label.metric in only]

    def _find_differences(self, finished: Sequence[str]) -> Round:
        found = {
            self._find_place(*record): differing
            for record, questions in self._group(finished).items()
            if (differing := {key: given for key, given in questions.items() if differ(given)})
        }
        return Round(ADJUDICATED, "/adjudicate", list(found), differences=found)

    def _find_round(self, request: Request) -> Round:
        """Raises Refusal: who is done labels no more, and who is not, or alone, sees no differences."""
        run, person, way = self.task.run, find_keys(request).person, request.path_params["way"]
        finished = self.labels.finished(run.id)
        if way == "adjudicate" and person in finished and len(finished) > 1:
            return self._find_differences(finished)
        if way == "adjudicate":
            raise Refusal(403, "Differences are shown once two people have finished.")
        if way != "label":
            raise InputError("there is no such page", remedy="Go back to the first page.")
        if person in finished:
            raise Refusal(403, "You have finished labelling this run, so you can no longer change your labels.")
        queue = self.library.queue(run, self.task.metrics)
        return Round(person, "/label", list(queue), queue)

    def _find_question(self, request: Request) -> tuple[Round, Sheet, int]:
        found = self._find_round(request)
        place, at = find_number(request, "place"), find_number(request, "at")
        sheet = self._open(found, place)
        if place not in found.places or at not in sheet.asked:
            raise InputError(f"there is no question {at} at place {place}", remedy="Go back to the first page.")
        return found, sheet, at

    def _find_place(self, record: str, system: str | None) -> int:
        place = self.library.store.browser.find_position(self.task.run.id, record, system)
        return -1 if place is None else place

    def _open(self, found: Round, place: int) -> Sheet:
        card = self.library.card(self.task.run, place)
        key = (card.record.id, card.record.system)
        questions, differing = enumerate(list_questions(card, self.task.metrics)), found.differences.get(place, {})
        asked = {at: each for at, each in questions if found.person != ADJUDICATED or each.key in differing}
        said = {label.question: label for label in self.labels.of_record(self.task.run.id, found.person, *key)}
        return Sheet(place, card, asked, said, differing)


def _begin_label(found: Round, sheet: Sheet, question: Question) -> PersonLabel:
    """A adjudicated label came up as those did that it adjudicates."""
    if question.key in sheet.differing:
        return replace(sheet.differing[question.key][0], person=ADJUDICATED, qualifier=None)
    by, record = found.drawn[sheet.place], sheet.card.record
    return PersonLabel(record.id, record.system, *question.key, found.person, "", drawn_by=by)
