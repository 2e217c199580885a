"""The pages of `assay label --pairs`: two outputs of one source beside each other, and which of them is better.

Nothing on them tells who wrote an output or what a judge said of it. The order of the two is drawn by lot for each
person, and is stored with the answer. Nobody sees an answer of another person.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from assay.agreement.label_queue import OutputPair
from assay.domain.rubric import Metric
from assay.errors import InputError
from assay.runner.placing import find_group
from assay.runner.run import rubric_of
from assay.store.labels import CHOICES, Choice, Labels, Preference
from assay.web.app import find_number, redirect, respond
from assay.web.guard import accept, find_keys
from assay.web.labelling import LONGEST_NOTE, Task
from assay.web.library import Library
from assay.web.questions import build_blind_view

_SWAPPED: Mapping[Choice, Choice] = {"first": "second", "second": "first"}

# Item, systems and metric: what a person answers once.
PairQuestion = tuple[str, tuple[str, str], str]


@dataclass(frozen=True)
class PairPages:
    """One question for each pair: which output is better as a whole, or under each of the task's metrics."""

    library: Library
    task: Task
    # Pairs that are not asked about: their outputs are the same, or were not made from the same.
    _unasked: set[str] = field(default_factory=set)

    @property
    def labels(self) -> Labels:
        return self.library.store.labels

    @property
    def metrics(self) -> list[Metric | None]:
        return [rubric_of(self.task.run).metric(name) for name in self.task.metrics] or [None]

    def routes(self) -> list[Route]:
        question = "/pairs/{pair}/{at}"
        return [
            Route("/", self.go_on, methods=["GET"]),
            Route("/done", self.show_done, methods=["GET"]),
            Route("/undo", accept(self.undo), methods=["POST"]),
            Route(question, self.show_pair, methods=["GET"]),
            Route(question, accept(self.answer), methods=["POST"]),
        ]

    def go_on(self, request: Request) -> Response:
        """To the first open question: of all pairs, or of those after one."""
        after, said = request.query_params.get("after", ""), self._list_said(find_keys(request).person)
        asked = self._list_asked()
        for key in asked[asked.index(after) + 1 if after in asked else 0 :]:
            pair = self._pairs[key]
            missing = next((at for at, question in enumerate(self._list_questions(pair)) if question not in said), None)
            if missing is not None and self._is_asked(pair):
                return redirect(request, f"/pairs/{key}/{missing}")
        return redirect(request, "/done")

    def show_pair(self, request: Request) -> Response:
        pair, at, person = *self._find_question(request), find_keys(request).person
        asked, said = self._list_asked(), self._list_said(person)
        given, order = said.get(self._list_questions(pair)[at]), pair.draw_order(person)
        number = asked.index(pair.key)
        return respond(
            request,
            "pair.html",
            pair=pair,
            at=at,
            metric=self.metrics[at],
            rubric=rubric_of(self.task.run),
            views=[build_blind_view(self.library.card(self.task.run, pair.places[side]), {}) for side in order],
            given=given,
            choice=None if given is None else self._turn(given, pair.systems[order[0]]),
            choices=CHOICES,
            number=number + 1,
            total=len(asked),
            answered=self._count(said),
            questions=len(asked) * len(self.metrics),
            before=asked[number - 1] if number else None,
        )

    def answer(self, request: Request, fields: Mapping[str, str]) -> Response:
        (pair, at), person = self._find_question(request), find_keys(request).person
        choice = next((each for each in CHOICES if each == fields.get("choice")), None)
        if choice is None:
            raise InputError("that is not an answer", remedy=f"Choose one of: {', '.join(CHOICES)}.")
        first, second = (pair.systems[side] for side in pair.draw_order(person))
        note, metric = fields.get("note", "").strip()[:LONGEST_NOTE], self._list_questions(pair)[at][2]
        self.labels.put(
            self.task.run.id, [Preference(pair.item, first, second, choice, person, metric, note, datetime.now(UTC))]
        )
        following = at + 1
        return redirect(request, f"/pairs/{pair.key}/{following}" if following < len(self.metrics) else "/")

    def undo(self, request: Request, _fields: Mapping[str, str]) -> Response:
        """Takes the last answer back and asks its question again."""
        said = self._list_said(find_keys(request).person)
        last = max(said.values(), key=lambda each: each.moment, default=None)
        if last is None:
            return redirect(request, "/")
        self.labels.withdraw(self.task.run.id, last)
        again = (pair for pair in self._pairs.values() if last.question in self._list_questions(pair))
        paths = (f"/pairs/{pair.key}/{self._list_questions(pair).index(last.question)}" for pair in again)
        return redirect(request, next(paths, "/"))

    def show_done(self, request: Request) -> Response:
        run, person = self.library.store.find_run(self.task.run.id), find_keys(request).person
        return respond(
            request,
            "pairs_done.html",
            run=run,
            rubric=rubric_of(run),
            answered=self._count(self._list_said(person)),
            questions=len(self._list_asked()) * len(self.metrics),
        )

    @property
    def _pairs(self) -> Mapping[str, OutputPair]:
        return self.library.pairs(self.task.run)

    def _list_questions(self, pair: OutputPair) -> list[PairQuestion]:
        return [(pair.item, pair.systems, metric.id if metric else "") for metric in self.metrics]

    def _list_said(self, person: str) -> dict[PairQuestion, Preference]:
        return {each.question: each for each in self.labels.preferences(self.task.run.id, person=person)}

    def _list_asked(self) -> list[str]:
        return [key for key in self._pairs if key not in self._unasked]

    def _count(self, said: Mapping[PairQuestion, Preference]) -> int:
        questions = (each for key in self._list_asked() for each in self._list_questions(self._pairs[key]))
        return sum(question in said for question in questions)

    def _find_question(self, request: Request) -> tuple[OutputPair, int]:
        pair, at = self._pairs.get(request.path_params["pair"]), find_number(request, "at")
        if pair is None or at >= len(self.metrics) or not self._is_asked(pair):
            raise InputError("there is no such pair", remedy="Go back to the first page.")
        return pair, at

    def _is_asked(self, pair: OutputPair) -> bool:
        """Whether both were made from the same, and differ."""
        if pair.key in self._unasked:
            return False
        one, other = (self.library.card(self.task.run, place) for place in pair.places)
        same = find_group(one.record, one.rubric) == find_group(other.record, other.rubric)
        written = [(card.record.output, repr(card.record.citations)) for card in (one, other)]
        if not same or written[0] == written[1]:
            self._unasked.add(pair.key)
        return pair.key not in self._unasked

    @staticmethod
    def _turn(given: Preference, first: str) -> Choice:
        """An answer as this person sees the pair: it may have been given elsewhere, in the other order."""
        return given.choice if given.first == first else _SWAPPED.get(given.choice, given.choice)
