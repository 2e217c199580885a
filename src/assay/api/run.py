"""The results of a run in Python: by record, as rows, as a data frame, as a summary."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from io import StringIO

from assay.domain.rubric import Rubric
from assay.domain.scorecard import Scorecard
from assay.errors import InputError
from assay.report.export import flatten
from assay.report.result import Result, build_result
from assay.report.summary import Summary


@dataclass(frozen=True, repr=False)
class Run:
    """The results of one run, in the order of its records.

    `stopped` says that a limit (`max_failures`, a budget) left some records unjudged.
    """

    id: str
    rubric: Rubric
    judge: str
    cards: tuple[Scorecard, ...]
    stopped: bool = False

    def __repr__(self) -> str:
        return f"<Run {self.id}: {len(self.cards)} records, {self.rubric.id}, judged by {self.judge}>"

    def __iter__(self) -> Iterator[Result]:
        return (build_result(card) for card in self.cards)

    def __len__(self) -> int:
        return len(self.cards)

    def __getitem__(self, key: str | tuple[str, str | None]) -> Result:
        """By record id; by (id, system) where several systems answered the same record."""
        name, system = key if isinstance(key, tuple) else (key, None)
        found = [card for card in self.cards if card.record.id == name]
        if isinstance(key, tuple):
            found = [card for card in found if card.record.system == system]
        if len(found) != 1:
            raise KeyError(key if not found else f"{name} was answered by several systems: use (id, system)")
        return build_result(found[0])

    @property
    def results(self) -> tuple[Result, ...]:
        return tuple(self)

    def rows(self) -> list[Mapping[str, object]]:
        """One flat row per record: score, interval, goodness and status of every metric, as an export has them."""
        facets = sorted({name for card in self.cards for name in card.record.facets})
        return [flatten(result, facets) for result in self]

    def summary(self) -> str:
        """What `assay judge` prints at the end: per metric the mean with its interval, and what was not scored."""
        from assay.report.terminal import open_console, print_summary, print_unscored

        summary = Summary(self.rubric)
        for card in self.cards:
            summary.add(card)
        text = StringIO()
        console = open_console(text)
        print_summary(console, summary)
        print_unscored(console, summary.reasons)
        return text.getvalue()

    def to_frame(self) -> object:
        """A pandas or polars frame of the rows, whichever is installed."""
        from importlib import import_module

        for module in ("pandas", "polars"):
            try:
                return import_module(module).DataFrame(self.rows())
            except ModuleNotFoundError:
                continue
        raise InputError("a frame needs pandas or polars", remedy="Install one of them, or use rows().")
