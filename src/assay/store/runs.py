"""A run as the store keeps it: its row, what it used, and the names by which it is found."""

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Literal

from assay.domain.json import JSON
from assay.errors import InputError
from assay.store.codec import load, unpack_bytes
from assay.store.digests import INTACT
from assay.store.faults import StoreError, lost_rows, reading, require_intact

_LISTED = 5
# The columns of a run, with how many rows it should have.
RUN = f"id, state, finished, body, {INTACT['runs']}, cards, labels, preferences"
# How many rows a run should have and has. One statement: another process may be writing.
RUN_ROWS = (
    "SELECT cards, (SELECT count(*) FROM cards JOIN records ON records.number = record WHERE run = runs.number),"
    " labels, (SELECT count(*) FROM labels JOIN cards ON cards.number = card"
    " WHERE labels.run = runs.number AND is_person = 1),"
    " preferences, (SELECT count(*) FROM preferences WHERE run = runs.number) FROM runs WHERE id = ?"
)
# The same of the rows that its judged records count. Of labels all are counted, which an index can do alone. By the
# place of the records, near which their rows are: three times as fast as by their rank.
_FOUND = (
    "(SELECT count(*) FROM cards INDEXED BY card_place JOIN {} ON card = cards.number WHERE cards.run = runs.number)"
)
CARD_ROWS = (
    f"SELECT ifnull(sum(metrics + answers), 0), {_FOUND.format('scores')}, ifnull(sum(units), 0),"  # noqa: S608  # our own tables
    f" {_FOUND.format('units')}, ifnull(sum(cards.labels), 0) + runs.labels, {_FOUND.format('labels')}"
    " FROM runs LEFT JOIN cards INDEXED BY card_place ON cards.run = runs.number WHERE runs.id = ? GROUP BY runs.number"
)
RunState = Literal["running", "done", "stopped"]
# Sums of such counts stay far from what a database can count to. In picodollars it is 72,000 dollars.
_LARGEST_COUNT = 2**56
USAGE_COLUMNS = (
    *("calls", "cache_hits", "prompt_tokens", "completion_tokens", "picodollars", "unpriced_calls"),
    *("cached_tokens", "written_tokens"),
)


@dataclass(frozen=True, slots=True)
class RunRow:
    """One run: which rubric, which judges, with what parameters, by which version. Times have a time zone.

    `name` is the user's. Several runs may have the same.
    """

    id: str
    started: datetime
    rubric_id: str
    rubric_digest: str
    rubric_text: str
    judges: tuple[str, ...]
    code_version: str
    records_source: str
    parameters: Mapping[str, JSON] = field(default_factory=dict)
    record_count: int | None = None
    state: RunState = "running"
    finished: datetime | None = None
    name: str | None = None

    def __post_init__(self) -> None:
        if self.started.tzinfo is None or (self.finished is not None and self.finished.tzinfo is None):
            raise ValueError("a run's times need a time zone")
        if not self.id or self.id == "last":
            raise ValueError(f"{self.id!r} can't be the id of a run")

    @property
    def title(self) -> str:
        """The id, after the name if there is one."""
        return self.id if self.name is None else f"{self.name} ({self.id})"

    @property
    def metrics(self) -> tuple[str, ...]:
        """Those that it asks about, if it leaves some out."""
        return tuple(filter(None, str(self.parameters.get("metrics", "")).split(", ")))

    @property
    def judge(self) -> str:
        """All judges in one text."""
        return " + ".join(self.judges)


@dataclass(frozen=True, slots=True)
class DamagedRun:
    """A run of which only the id can be read. It can still be deleted."""

    id: str
    error: StoreError


@dataclass(frozen=True, slots=True)
class RunUsage:
    """Calls sent and answered from the cache, and their price. Calls without a known price are counted apart.

    Of the prompts, `cached_tokens` came from the provider's own cache, and `written_tokens` went into it.
    """

    calls: int = 0
    cache_hits: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    picodollars: int = 0
    unpriced_calls: int = 0
    cached_tokens: int = 0
    written_tokens: int = 0

    def __post_init__(self) -> None:
        for name in USAGE_COLUMNS:
            value = getattr(self, name)
            if value < 0:
                raise ValueError(f"{self} has negative counts")
            # Endpoints report the tokens. A report that is far too large must not end the run.
            object.__setattr__(self, name, min(value, _LARGEST_COUNT))

    def plus(self, other: "RunUsage") -> "RunUsage":
        return RunUsage(*(one + two for one, two in zip(astuple(self), astuple(other), strict=True)))


def resolve(name: str, identifiers: Sequence[str], named: Sequence[str] = ()) -> str:
    """The id that is meant, of ids with the last one begun first. `named` are those of the runs with this name."""
    if not identifiers:
        raise InputError("the store holds no runs", remedy="Judge some records first, or give --store its path.")
    if name == "last":
        return identifiers[0]
    if name in identifiers:
        return name
    if len(named) == 1:
        return named[0]
    if named:
        raise InputError(f"{len(named)} runs are named {name!r}", remedy=f"Write the id of one: {list_first(named)}")
    found = [identifier for identifier in identifiers if name and identifier.startswith(name)]
    if len(found) == 1:
        return found[0]
    if found:
        raise InputError(
            f"{len(found)} runs begin with {name!r}",
            remedy=f"Type more characters of the name, enough to pick one of these: {list_first(found)}",
        )
    remedy = f"Write `last`, the name of a run, or the beginning of one of: {list_first(identifiers)}"
    raise InputError(f"there is no run {name!r}", remedy=remedy)


def list_first(names: Sequence[str]) -> str:
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return f"{', '.join(names[:_LISTED])}{more}"


def build_run(row: Sequence[Any]) -> RunRow:
    """Raises DamagedError where the run is not what was written."""
    identifier, state, finished, body, intact, *_ = row
    with reading(f"run {str(identifier)[:80]}"):
        require_intact(intact)
        run = load(unpack_bytes(body), RunRow, "run")
        ended = None if finished is None else datetime.fromisoformat(finished)
        return replace(run, id=identifier, state=state, finished=ended)


def check_rows(run: str, kinds: Sequence[str], counts: Sequence[int]) -> None:
    """Raises DamagedError where a row is lost. The counts are those of RUN_ROWS or CARD_ROWS: expected, and found."""
    for kind, expected, found in zip(kinds, counts[::2], counts[1::2], strict=True):
        if expected != found:
            raise lost_rows(run, kind, found, expected)


def format_time(moment: datetime | None) -> str | None:
    """One zone and one length, so that times sort as texts."""
    return None if moment is None else moment.astimezone(UTC).isoformat(timespec="microseconds")


def no_run(name: str) -> InputError:
    return InputError(f"there is no run {name!r}", remedy="See `assay runs list`.")
