"""The pages of `assay view`: runs, one run, one record, two runs, a rubric, and what was asked and replied."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from assay.errors import InputError
from assay.pages.agreement_view import AgreementView, build_agreement_view
from assay.pages.record_view import build_record_view
from assay.report.comparison import check_comparable
from assay.serve.comparing import build_comparison
from assay.serve.exchange import build_exchanges
from assay.serve.library import Library, Memory
from assay.serve.markdown import read_blocks
from assay.serve.rendering import render
from assay.serve.rows import build_rows
from assay.serve.wanting import PAGE_ROWS, Query, build_wanted, read_query, write_facet
from assay.store.store import DamagedRun, RunRow

_LISTED_RUNS = 500


@dataclass(frozen=True, slots=True)
class RunLine:
    """A run in the list of runs."""

    run: RunRow
    judged: int
    failed: int

    @property
    def started(self) -> str:
        return f"{self.run.started:%Y-%m-%d %H:%M} UTC"


@dataclass(frozen=True, slots=True)
class Step:
    """A record beside this one, in the list it was opened from."""

    number: int
    at: int


@dataclass(frozen=True, slots=True)
class ViewPages:
    library: Library
    _agreements: Memory = field(default_factory=Memory)

    def routes(self) -> list[Route]:
        pages: Mapping[str, Callable[[Request], Response]] = {
            "/": self.show_runs,
            "/compare": self.show_comparison,
            "/compare/records": self.show_two_records,
            "/runs/{run}": self.show_run,
            "/runs/{run}/summary": self.show_summary,
            "/runs/{run}/rubric": self.show_rubric,
            "/runs/{run}/records/{number:int}": self.show_record,
            "/runs/{run}/records/{number:int}/raw": self.show_raw,
        }
        return [Route(path, page, methods=["GET"]) for path, page in pages.items()]

    def show_runs(self, _request: Request) -> Response:
        store = self.library.store
        found = store.runs()
        runs = [run for run in found if isinstance(run, RunRow)]
        lines = [RunLine(run, store.browser.count(run.id), store.count_failed(run.id)) for run in runs[:_LISTED_RUNS]]
        newest = runs[0] if runs else None
        earlier = next((each for each in runs[1:] if newest and each.rubric_id == newest.rubric_id), None)
        values = {
            "lines": lines,
            "unlisted": max(0, len(runs) - _LISTED_RUNS),
            "damaged": [run for run in found if isinstance(run, DamagedRun)],
            "second": newest.id if newest else "",
            "first": earlier.id if earlier else "",
        }
        return render("runs.html", values)

    def show_run(self, request: Request) -> Response:
        run = self._find_run(request)
        rubric = self.library.rubric(run)
        query = read_query(request.query_params, rubric)
        start = (query.page - 1) * PAGE_ROWS
        page = self.library.store.browser.page(run.id, build_wanted(query, rubric), start, PAGE_ROWS)
        overview = self.library.overview(run)
        facets = [(name, value, write_facet(name, value), count) for name, value, count in overview.choices.facets]
        values = {
            "run": run,
            "started": f"{run.started:%Y-%m-%d %H:%M} UTC",
            "rubric": rubric,
            "view": overview,
            "query": query,
            "facets": facets,
            "rows": list(build_rows(self.library, run, page.rows)),
            "start": start,
            "total": page.total,
            "pages": max(1, -(-page.total // PAGE_ROWS)),
            "others": self._find_comparable(run),
        }
        return render("run.html", values)

    def show_summary(self, request: Request) -> Response:
        run = self._find_run(request)
        values = {
            "run": run,
            "view": self.library.view(run),
            "agreement": self._find_agreement(run),
            "places": self.library.store.browser.places(run.id),
        }
        return render("summary.html", values)

    def show_record(self, request: Request) -> Response:
        run = self._find_run(request)
        position = int(request.path_params["number"]) - 1
        rubric = self.library.rubric(run)
        query = read_query(request.query_params, rubric)
        before, after = self._find_steps(run, query, request.query_params.get("at", ""), position)
        card = self.library.card(run, position)
        values = {
            "run": run,
            "rubric": rubric,
            "record": build_record_view(card),
            "number": position + 1,
            "query": query,
            "before": before,
            "after": after,
        }
        return render("record.html", values)

    def show_raw(self, request: Request) -> Response:
        run = self._find_run(request)
        number = int(request.path_params["number"])
        card = self.library.card(run, number - 1)
        exchanges = list(build_exchanges(self.library.store, run, card))
        return render("raw.html", {"run": run, "number": number, "record": card.record, "exchanges": exchanges})

    def show_rubric(self, request: Request) -> Response:
        run = self._find_run(request)
        values = {"run": run, "rubric": self.library.rubric(run), "blocks": read_blocks(run.rubric_text)}
        return render("rubric.html", values)

    def show_comparison(self, request: Request) -> Response:
        given = request.query_params
        first, second = (self.library.store.find_run(given.get(name, "")) for name in ("first", "second"))
        metric = given.get("metric", "")
        return render("compare.html", {"view": build_comparison(self.library, first, second, metric)})

    def show_two_records(self, request: Request) -> Response:
        given = request.query_params
        first, second = (self.library.store.find_run(given.get(name, "")) for name in ("first", "second"))
        check_comparable(first, second)
        sides = []
        for key, run, number in (("a", first, given.get("one", "")), ("b", second, given.get("two", ""))):
            if not (number.isascii() and number.isdigit() and len(number) < 10):
                raise InputError(f"{number[:40]!r} is no record's number", remedy="Go back to the comparison.")
            sides.append((run, int(number), build_record_view(self.library.card(run, int(number) - 1), key)))
        return render("two_records.html", {"first": first, "second": second, "sides": sides})

    def _find_run(self, request: Request) -> RunRow:
        return self.library.store.find_run(request.path_params["run"])

    def _find_agreement(self, run: RunRow) -> AgreementView | None:
        """Measured anew where a label or a record was added since."""
        labels = self.library.store.labels.all(run.id)
        if not labels:
            return None
        key = (run.id, self.library.store.browser.count(run.id), len(labels), max(each.moment for each in labels))
        rubric = self.library.rubric(run)
        return self._agreements.get(
            key, lambda: build_agreement_view(run.id, rubric, labels, lambda: self.library.cards(run))
        )

    def _find_comparable(self, run: RunRow) -> list[RunRow]:
        runs = (each for each in self.library.store.runs() if isinstance(each, RunRow))
        return [each for each in runs if each.rubric_id == run.rubric_id and each.id != run.id]

    def _find_steps(self, run: RunRow, query: Query, at: str, position: int) -> tuple[Step | None, Step | None]:
        """In the order of the list that the record was opened from; else in that of the run."""
        browser = self.library.store.browser
        if not (at.isascii() and at.isdigit() and len(at) < 10):
            before, after = browser.find_neighbours(run.id, position)
            return tuple(None if each is None else Step(each + 1, -1) for each in (before, after))  # type: ignore[return-value]  # two of them
        place = int(at)
        start = max(0, place - 1)
        wanted = build_wanted(query, self.library.rubric(run))
        rows = browser.page(run.id, wanted, start, 3).rows
        steps = {start + offset: Step(row.position + 1, start + offset) for offset, row in enumerate(rows)}
        return steps.get(place - 1), steps.get(place + 1)
