"""The pages of `assay label`: who is labelling, and one record after the other with the rubric's own questions."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from assay.domain.rubric import Rubric
from assay.domain.scorecard import Scorecard
from assay.errors import InputError
from assay.serve.guard import Keys, read_form
from assay.serve.label_views import build_label_view
from assay.serve.library import Library
from assay.serve.questions import Question, list_questions, read_answer
from assay.serve.queue import Queue, build_queue
from assay.serve.rendering import render
from assay.store.labels import PersonLabel
from assay.store.store import RunRow

PAGE_QUESTIONS = 100
_LONGEST_NAME, _LONGEST_NOTE = 100, 4000


@dataclass(frozen=True, slots=True)
class Task:
    """What is labelled: a run, all of its metrics or some; `shows_judge` lifts the veil."""

    run: RunRow
    metrics: tuple[str, ...] = ()
    shows_judge: bool = False


@dataclass(frozen=True)
class LabelPages:
    library: Library
    task: Task
    keys: Keys
    # How much of the queue a person has behind them: what is finished is not opened again and again.
    _finished: dict[str, int] = field(default_factory=dict)

    @cached_property
    def queue(self) -> Queue:
        return build_queue(self.library.store.browser, self.task.run.id, self.task.metrics)

    def routes(self) -> list[Route]:
        place = "/by/{person}/{number:int}"
        return [
            Route("/", self.show_people, methods=["GET"]),
            Route("/begin", self.begin, methods=["GET"]),
            Route("/by/{person}", self.go_on, methods=["GET"]),
            Route(place, self.show_record, methods=["GET"]),
            Route(f"{place}/source/{{at:int}}", self.show_source, methods=["GET"]),
            Route(f"{place}/say", self.say, methods=["POST"]),
        ]

    def show_people(self, _request: Request) -> Response:
        people = self.library.store.labels.people(self.task.run.id)
        values = {"run": self.task.run, "rubric": self._rubric, "people": people, "total": len(self.queue.places)}
        return render("people.html", values)

    def begin(self, request: Request) -> Response:
        return RedirectResponse(f"/by/{write_name(request.query_params.get('person', ''))}", 303)

    def go_on(self, request: Request) -> Response:
        """To the first record of the queue that this person has not finished."""
        person = _read_name(request)
        for at in range(self._finished.get(person, 0), len(self.queue.places)):
            questions = self._ask(self._card(at + 1))
            if questions and self._count_missing(person, at + 1, questions):
                return RedirectResponse(f"/by/{write_name(person)}/{at + 1}", 303)
            self._finished[person] = at + 1
        return render("all_done.html", {"run": self.task.run, "person": person, "total": len(self.queue.places)})

    def show_record(self, request: Request) -> Response:
        person, number = _read_name(request), self._read_number(request)
        card = self._card(number)
        questions = self._ask(card)
        start = _read_start(request, len(questions))
        said = {label.question: label for label in self._said(person, card)}
        values = {
            "run": self.task.run,
            "rubric": self._rubric,
            "person": person,
            "base": f"/by/{write_name(person)}",
            "key": self.keys.write,
            "number": number,
            "total": len(self.queue.places),
            "start": start,
            "count": len(questions),
            "missing": sum(each.key not in said and not each.is_optional for each in questions),
            "size": PAGE_QUESTIONS,
            "view": build_label_view(
                card, questions[start : start + PAGE_QUESTIONS], said, start, shows_judge=self.task.shows_judge
            ),
        }
        return render("label.html", values)

    def show_source(self, request: Request) -> Response:
        """The whole text, where a page holds only the opening of it."""
        record = self._card(self._read_number(request)).record
        at = request.path_params["at"]
        if not 1 <= at <= len(record.sources):
            raise InputError("the record has no such source", remedy="Go back to the record.")
        return PlainTextResponse(record.sources[at - 1].text.encode("utf-8", "replace"))

    async def say(self, request: Request) -> Response:
        """Keeps what was said: all questions of a form, or the one that a script sends on."""
        fields = await read_form(request, self.keys)
        return await run_in_threadpool(self._keep, request, fields)

    def _keep(self, request: Request, fields: dict[str, str]) -> Response:
        person, number = _read_name(request), self._read_number(request)
        card = self._card(number)
        questions = self._ask(card)
        labels = []
        for at, question in enumerate(questions):
            label = fields.get(f"other-{at}", "").strip() or fields.get(f"label-{at}", "").strip()
            if label:
                more = fields.get(f"more-{at}", "") if label in question.needs_more else ""
                kept, qualifier = read_answer(self._rubric, question.key, label, more)
                note = fields.get(f"note-{at}", "").strip()[:_LONGEST_NOTE]
                labels.append(self._label(card, question, person, number, (kept, qualifier, note)))
        self.library.store.labels.put(self.task.run.id, labels)
        self.library.store.labels.weigh(self.task.run.id, person, self.queue.others, self.task.metrics)
        if request.headers.get("x-assay-key"):
            missing = self._count_missing(person, number, questions)
            return PlainTextResponse(str(missing), headers={"x-missing": str(missing)})
        if "next" in fields:
            return RedirectResponse(f"/by/{write_name(person)}/{min(number + 1, len(self.queue.places))}", 303)
        return RedirectResponse(f"/by/{write_name(person)}", 303)

    def _label(
        self, card: Scorecard, question: Question, person: str, number: int, said: tuple[str, str | None, str]
    ) -> PersonLabel:
        metric, part, unit = question.key
        label, qualifier, note = said
        drawn = self.queue.places[number - 1]
        return PersonLabel(
            *(card.record.id, card.record.system, metric, part, unit, person, label, qualifier, note),
            drawn_by=drawn.by,
            probability=None if drawn.by == "random" else 1.0,
        )

    @property
    def _rubric(self) -> Rubric:
        return self.library.rubric(self.task.run)

    def _card(self, number: int) -> Scorecard:
        return self.library.card(self.task.run, self.queue.places[number - 1].position)

    def _ask(self, card: Scorecard) -> tuple[Question, ...]:
        return list_questions(card, self.task.metrics)

    def _said(self, person: str, card: Scorecard) -> tuple[PersonLabel, ...]:
        return self.library.store.labels.of_record(self.task.run.id, person, card.record.id, card.record.system)

    def _count_missing(self, person: str, number: int, questions: Sequence[Question]) -> int:
        said = {label.question for label in self._said(person, self._card(number))}
        return sum(question.key not in said and not question.is_optional for question in questions)

    def _read_number(self, request: Request) -> int:
        number = int(request.path_params["number"])
        if not 1 <= number <= len(self.queue.places):
            raise InputError(f"the queue has {len(self.queue.places)} records", remedy="Go back to the first page.")
        return number


def _read_name(request: Request) -> str:
    name = " ".join(str(request.path_params["person"]).split())
    if not name or len(name) > _LONGEST_NAME:
        raise InputError("a person needs a name", remedy=f"At most {_LONGEST_NAME} characters.")
    return name


def write_name(name: str) -> str:
    return quote(name, safe="", errors="replace")


def _read_start(request: Request, count: int) -> int:
    given = request.query_params.get("from", "")
    start = int(given) if given.isascii() and given.isdigit() and len(given) < 9 else 0
    return start - start % PAGE_QUESTIONS if start < count else 0
