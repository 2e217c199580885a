"""The pages of `assay view`: runs, judges, one run, one record, two runs, a rubric, prompts and replies."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from assay.domain.listed import Listed
from assay.errors import InputError
from assay.report.comparison import (
    CHANGE_TITLES,
    COMPARED_NOTE,
    NO_CHANGE,
    RecordChange,
    check_comparable,
    find_largest,
    name_changed,
)
from assay.report.display import name_judge
from assay.report.record_diff import RecordDiff, diff_cards, diff_outputs
from assay.runner.run import rubric_of
from assay.store.agreements import KeptAgreement
from assay.store.runs import RunRow
from assay.web.app import find_number, respond
from assay.web.columns import SourceGroup, build_columns
from assay.web.library import Library
from assay.web.lists import PAGE_ROWS, build_groups, count_pages, list_filters, parse_digits, parse_page, parse_query
from assay.web.record_view import build_record_view
from assay.web.rendering import render_headlines, render_markdown

# Outputs in the columns of one page, and changed records on one.
_MOST_OUTPUTS, PAGE_CHANGES = 24, 30
# A neighbour of a record in a list: its number, and its place in the list or -1 where the run's own order is followed.
Step = tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class ViewPages:
    library: Library

    def routes(self) -> list[Route]:
        pages: Mapping[str, Callable[[Request], Response]] = {
            "/": self.show_runs,
            "/judges": self.show_judges,
            "/compare": self.show_comparison,
            "/compare/records": self.show_two_records,
            "/runs/{run}": self.show_run,
            "/runs/{run}/summary": self.show_summary,
            "/runs/{run}/rubric": self.show_rubric,
            "/runs/{run}/groups": self.show_groups,
            "/runs/{run}/groups/{number}": self.show_group,
            "/runs/{run}/records/{number}": self.show_record,
            "/runs/{run}/records/{number}/raw": self.show_raw,
        }
        return [Route(path, page, methods=["GET"]) for path, page in pages.items()]

    def show_runs(self, request: Request) -> Response:
        runs, damaged = self.library.runs()
        query = parse_query(request.query_params)
        return respond(
            request,
            "runs.html",
            query=query,
            groups=list(build_groups(self.library, runs, query)),
            rubrics=[(name, name) for name in sorted({run.rubric_id for run in runs})],
            judges=[(name, name) for name in sorted({name_judge(judge) for run in runs for judge in run.judges})],
            is_empty=not runs,
            damaged=damaged,
        )

    def show_judges(self, request: Request) -> Response:
        """The judges that were compared with people, by rubric, version and metric, the best of each first.

        Figures of one metric may be of different labels; each says of how many.
        """
        groups: dict[tuple[str, str, str], list[KeptAgreement]] = {}
        for each in self.library.store.agreements.all():
            groups.setdefault((each.rubric, each.rubric_digest, each.metric), []).append(each)
        ranked = [sorted(found, key=_rank, reverse=True) for _, found in sorted(groups.items())]
        return respond(request, "judges.html", groups=ranked)

    def show_run(self, request: Request) -> Response:
        run = self._find_run(request)
        rubric, summary, choices = rubric_of(run), self.library.summary(run), self.library.choices(run)
        query = parse_query(request.query_params, rubric)
        listed, total = self.library.store.browser.page(run.id, query.build_wanted(), query.start, PAGE_ROWS)
        runs, _ = self.library.runs()
        return respond(
            request,
            "run.html",
            run=run,
            rubric=rubric,
            summary=summary,
            headlines=self.library.remember(run, "headlines", lambda: render_headlines(summary)),
            query=query,
            choices=choices,
            filters=list_filters(rubric, choices),
            rows=[(row, self.library.small_card(run, row)) for row in listed],
            total=total,
            pages=count_pages(total, PAGE_ROWS),
            others=[each for each in runs if each.rubric_id == run.rubric_id and each.id != run.id],
        )

    def show_summary(self, request: Request) -> Response:
        run = self._find_run(request)
        report, agreement = self.library.report(run), self.library.agreement(run)
        places = self.library.store.browser.places(run.id)
        return respond(request, "summary.html", run=run, report=report, agreement=agreement, places=places)

    def show_groups(self, request: Request) -> Response:
        """Source groups with outputs of several systems, those that differ most first."""
        run = self._find_run(request)
        query = parse_query(request.query_params, rubric_of(run))
        groups, total = self.library.store.browser.page_groups(run.id, query.build_wanted(), query.start, PAGE_ROWS)
        return respond(
            request,
            "groups.html",
            run=run,
            rubric=rubric_of(run),
            query=query,
            groups=[SourceGroup(rows) for rows in groups],
            total=total,
            pages=count_pages(total, PAGE_ROWS),
        )

    def show_group(self, request: Request) -> Response:
        """The outputs of one source in columns. The number is that of any of its records."""
        run = self._find_run(request)
        number = find_number(request, "number")
        query, at = parse_query(request.query_params, rubric_of(run)), request.query_params.get("at", "")
        browser = self.library.store.browser
        rows = browser.find_group(run.id, self.library.card(run, number - 1).record.item)
        cards = {row.position: self.library.card(run, row.position) for row in rows[:_MOST_OUTPUTS]}
        wanted = query.build_wanted()
        before, after = _find_steps(
            at, lambda start: [group[0] for group in browser.page_groups(run.id, wanted, start, 3)[0]]
        )
        return respond(
            request,
            "group.html",
            run=run,
            number=number,
            query=query,
            group=SourceGroup(rows),
            columns=build_columns(cards),
            unlisted=len(rows) - len(cards),
            before=before,
            after=after,
        )

    def show_record(self, request: Request) -> Response:
        run = self._find_run(request)
        position = find_number(request, "number") - 1
        query = parse_query(request.query_params, rubric_of(run))
        at, browser = request.query_params.get("at", ""), self.library.store.browser
        # In the order of the list that the record was opened from; else in that of the run.
        before, after = _find_steps(at, lambda start: browser.page(run.id, query.build_wanted(), start, 3)[0])
        if parse_digits(at) is None:
            near = browser.find_neighbours(run.id, position)
            before, after = (None if each is None else (each + 1, -1) for each in near)
        card = self.library.card(run, position)
        return respond(
            request,
            "record.html",
            run=run,
            record=build_record_view(card),
            group=SourceGroup(browser.find_group(run.id, card.record.item)),
            number=position + 1,
            query=query,
            before=before,
            after=after,
        )

    def show_raw(self, request: Request) -> Response:
        run = self._find_run(request)
        number = find_number(request, "number")
        card = self.library.card(run, number - 1)
        replies = self.library.replies(run, card)
        return respond(request, "raw.html", run=run, number=number, record=card.record, replies=replies)

    def show_rubric(self, request: Request) -> Response:
        run = self._find_run(request)
        text = render_markdown(run.rubric_text)
        return respond(request, "rubric.html", run=run, rubric=rubric_of(run), text=text)

    def show_comparison(self, request: Request) -> Response:
        first, second = self._find_two(request)
        check_comparable(first, second)
        compared, alone = self.library.compare(first, second)
        wanted = request.query_params.get("metric")
        chosen = next((each for each in compared if each.metric.id == wanted), None) or find_largest(compared)
        pages = count_pages(len(chosen.changes), PAGE_CHANGES)
        page = min(parse_page(request.query_params), pages)
        shown = chosen.changes[(page - 1) * PAGE_CHANGES : page * PAGE_CHANGES]
        return respond(
            request,
            "compare.html",
            first=first,
            second=second,
            rubric=rubric_of(second),
            compared=compared,
            alone=alone,
            chosen=chosen,
            # Only the cards of one page are opened.
            changes=[
                (kind, [self._diff(first, second, each) for each in group])
                for kind, group in groupby(shown, lambda change: change.kind)
            ],
            titles=CHANGE_TITLES,
            worse=name_changed(compared, "worse"),
            better=name_changed(compared, "better"),
            page=page,
            pages=pages,
            compared_note=COMPARED_NOTE,
            no_change=NO_CHANGE,
        )

    def _diff(self, first: RunRow, second: RunRow, change: RecordChange) -> tuple[RecordChange, RecordDiff | None]:
        """What changed, None where a record is too large to be opened for a line in a list."""
        one, two = self.library.small_card(first, change.first), self.library.small_card(second, change.second)
        return change, None if one is None or two is None else diff_cards(change.metric, one, two)

    def show_two_records(self, request: Request) -> Response:
        first, second = self._find_two(request)
        check_comparable(first, second)
        cards, sides = [], []
        for key, run, name in (("a", first, "one"), ("b", second, "two")):
            given = request.query_params.get(name, "")
            number = parse_digits(given)
            if number is None:
                raise InputError(f"{given[:40]!r} is not a record number", remedy="Go back to the comparison.")
            cards.append(self.library.card(run, number - 1))
            sides.append((run, number, build_record_view(cards[-1], key)))
        words = diff_outputs(*(card.record.output for card in cards))
        return respond(request, "two_records.html", first=first, second=second, sides=sides, words=words)

    def _find_run(self, request: Request) -> RunRow:
        return self.library.store.find_run(request.path_params["run"])

    def _find_two(self, request: Request) -> tuple[RunRow, RunRow]:
        given, find = request.query_params, self.library.store.find_run
        return find(given.get("first", "")), find(given.get("second", ""))


def _find_steps(at: str, read: Callable[[int], Iterable[Listed]]) -> tuple[Step, Step]:
    """The neighbours of a place in a list, of which `read` gives three rows from a place on; none without a place."""
    place = parse_digits(at)
    if place is None:
        return None, None
    start = max(0, place - 1)
    steps = {start + offset: (row.position + 1, start + offset) for offset, row in enumerate(read(start))}
    return steps.get(place - 1), steps.get(place + 1)


def _rank(kept: KeptAgreement) -> tuple[bool, float]:
    """A judge without a verdict is behind all others, however high its figure is."""
    has_verdict = kept.verdict is not None and kept.verdict.finding not in {"too_few", "undefined"}
    return has_verdict, -1.0 if kept.value is None else kept.value
