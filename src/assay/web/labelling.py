"""The pages of `assay label`: who is labelling, and one record after the other with the rubric's own questions."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from assay.agreement.label_queue import LabelQueue, order_places
from assay.agreement.labels import check_label
from assay.domain.scorecard import Scorecard
from assay.errors import InputError
from assay.store.labels import PersonLabel
from assay.store.runs import RunRow
from assay.web.app import find_root, respond
from assay.web.guard import Keys, read_form
from assay.web.library import Library
from assay.web.questions import Question, build_blind_view, group_questions, list_questions
from assay.web.record_list import parse_digits

PAGE_QUESTIONS = 100
_LONGEST_NAME, _LONGEST_NOTE = 100, 4000


@dataclass(frozen=True, slots=True)
class Task:
    """What is labelled: a run, all of its metrics or some."""

    run: RunRow
    metrics: tuple[str, ...] = ()


@dataclass(frozen=True)
class LabelPages:
    library: Library
    task: Task
    keys: Keys
    # How much of the queue each person has finished: finished records are not opened again.
    _finished: dict[str, int] = field(default_factory=dict)

    @cached_property
    def queue(self) -> LabelQueue:
        return order_places(
            self.task.run.id, self.library.store.browser.find_doubts(self.task.run.id, self.task.metrics)
        )

    @property
    def total(self) -> int:
        return len(self.queue.places)

    def routes(self) -> list[Route]:
        place = "/by/{person}/{number:int}"
        return [
            Route("/", self.show_people, methods=["GET"]),
            Route("/begin", self.begin, methods=["GET"]),
            Route("/by/{person}", self.go_on, methods=["GET"]),
            Route(place, self.show_record, methods=["GET"]),
            Route(f"{place}/say", self.say, methods=["POST"]),
        ]

    def show_people(self, request: Request) -> Response:
        run = self.task.run
        people = self.library.store.labels.people(run.id)
        return respond(
            request, "people.html", run=run, rubric=self.library.rubric(run), people=people, total=self.total
        )

    def begin(self, request: Request) -> Response:
        return RedirectResponse(f"{find_root(request)}/by/{quote_name(request.query_params.get('person', ''))}", 303)

    def go_on(self, request: Request) -> Response:
        """To the first record of the queue that this person has not finished."""
        person = _read_name(request)
        for at in range(self._finished.get(person, 0), self.total):
            card = self._card(at + 1)
            if self._count_missing(person, card, self._ask(card)):
                return RedirectResponse(f"{find_root(request)}/by/{quote_name(person)}/{at + 1}", 303)
            self._finished[person] = at + 1
        return respond(request, "all_done.html", run=self.task.run, person=person, total=self.total)

    def show_record(self, request: Request) -> Response:
        person, number = _read_name(request), self._read_number(request)
        card = self._card(number)
        questions = self._ask(card)
        start = _read_start(request, len(questions))
        said = {label.question: label for label in self._list_labels(person, card)}
        page = questions[start : start + PAGE_QUESTIONS]
        return respond(
            request,
            "label.html",
            rubric=card.rubric,
            person=person,
            base=f"{find_root(request)}/by/{quote_name(person)}",
            key=self.keys.write,
            number=number,
            total=self.total,
            start=start,
            count=len(questions),
            missing=sum(each.key not in said and not each.is_optional for each in questions),
            size=PAGE_QUESTIONS,
            view=build_blind_view(card, page, start),
            groups=group_questions(card, page, said, start),
        )

    async def say(self, request: Request) -> Response:
        """Keeps the answers of a form: all of a page, or the one that a script sends."""
        fields = await read_form(request, self.keys)
        return await run_in_threadpool(self._keep, request, fields)

    def _keep(self, request: Request, fields: dict[str, str]) -> Response:
        run, person, number = self.task.run, _read_name(request), self._read_number(request)
        card = self._card(number)
        questions = self._ask(card)
        labels = []
        for at, question in enumerate(questions):
            label = fields.get(f"other-{at}", "").strip() or fields.get(f"label-{at}", "").strip()
            if label:
                more = fields.get(f"more-{at}", "") if label in question.needs_more else ""
                note = fields.get(f"note-{at}", "").strip()[:_LONGEST_NOTE]
                labels.append(self._label(card, question, person, number, (label, more or None, note)))
        self.library.put_labels(run, labels)
        self.library.store.labels.weigh(run.id, person, self.queue.others, self.task.metrics)
        if request.headers.get("x-assay-key"):
            missing = self._count_missing(person, card, questions)
            return PlainTextResponse(str(missing), headers={"x-missing": str(missing)})
        onward = f"/{min(number + 1, self.total)}" if "next" in fields else ""
        return RedirectResponse(f"{find_root(request)}/by/{quote_name(person)}{onward}", 303)

    def _label(
        self, card: Scorecard, question: Question, person: str, number: int, said: tuple[str, str | None, str]
    ) -> PersonLabel:
        _, by = self.queue.places[number - 1]
        metric, part, unit = question.key
        key = (card.record.id, card.record.system, metric, part, unit, person)
        chance = None if by == "random" else 1.0
        return check_label(PersonLabel(*key, *said, drawn_by=by, probability=chance), question.metric)

    def _card(self, number: int) -> Scorecard:
        return self.library.card(self.task.run, self.queue.places[number - 1][0])

    def _ask(self, card: Scorecard) -> tuple[Question, ...]:
        return list_questions(card, self.task.metrics)

    def _list_labels(self, person: str, card: Scorecard) -> tuple[PersonLabel, ...]:
        return self.library.store.labels.of_record(self.task.run.id, person, card.record.id, card.record.system)

    def _count_missing(self, person: str, card: Scorecard, questions: Sequence[Question]) -> int:
        said = {label.question for label in self._list_labels(person, card)}
        return sum(question.key not in said and not question.is_optional for question in questions)

    def _read_number(self, request: Request) -> int:
        number = int(request.path_params["number"])
        if not 1 <= number <= self.total:
            raise InputError(f"the queue has {self.total} records", remedy="Go back to the first page.")
        return number


def _read_name(request: Request) -> str:
    name = " ".join(str(request.path_params["person"]).split())
    if not name or len(name) > _LONGEST_NAME:
        raise InputError("a person needs a name", remedy=f"Write at most {_LONGEST_NAME} characters.")
    return name


def quote_name(name: str) -> str:
    return quote(name, safe="", errors="replace")


def _read_start(request: Request, count: int) -> int:
    start = parse_digits(request.query_params.get("from", "")) or 0
    return start - start % PAGE_QUESTIONS if start < count else 0
