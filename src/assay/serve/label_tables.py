"""Labels as CSV, to be written and read by other programs too: every row names what it is about, and who said it."""

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime

from assay.domain.parts import GradePart, LabelPart, PickPart
from assay.domain.rubric import Rubric
from assay.errors import InputError
from assay.serve.questions import read_answer
from assay.store.labels import DRAWN_BY, DrawnBy, PersonLabel

COLUMNS = (
    *("run", "record", "system", "metric", "part", "unit", "person", "label", "qualifier", "note"),
    *("moment", "drawn_by", "probability"),
)
_REQUIRED = ("record", "metric", "person", "label")
_LONGEST_NAME = 100


def write_labels(run: str, labels: Iterable[PersonLabel]) -> Iterator[str]:
    """One line at a time. A cell that a spreadsheet would take for a formula is left as it is: the file is data."""
    yield _line(COLUMNS)
    for each in labels:
        yield _line(
            (
                *(run, each.record, each.system or "", each.metric, each.part, each.unit or "", each.person),
                *(each.label, each.qualifier or "", each.note, each.moment.isoformat(timespec="microseconds")),
                *(each.drawn_by or "", "" if each.probability is None else repr(each.probability)),
            )
        )


Check = Callable[[str, PersonLabel], None]


def read_labels(
    text: str, path: str, rubric_of: Callable[[str], Rubric], check: Check
) -> Iterator[tuple[str, PersonLabel]]:
    """Each row with its run's name, which may be blank. The first row that can't be a label stops the reading."""
    reader = csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline=""), strict=True)
    try:
        _check_columns(reader.fieldnames or (), path)
        for row in reader:
            cells = _read_cells(row, path, reader.line_num)
            try:
                found = _read_label(cells, rubric_of)
                check(*found)
            except InputError as error:
                raise InputError(error.message, path=path, line=reader.line_num, remedy=error.remedy) from None
            yield found
    except csv.Error as error:
        raise InputError(f"can't be read as CSV ({error})", path=path, line=reader.reader.line_num) from None


def _check_columns(columns: Iterable[str], path: str) -> None:
    absent = [name for name in _REQUIRED if name not in columns]
    if absent:
        remedy = f"The first line names the columns: {', '.join(COLUMNS)}."
        raise InputError(f"there is no column {', '.join(absent)}", path=path, line=1, remedy=remedy)


def _read_cells(row: Mapping[str | None, str | list[str] | None], path: str, line: int) -> dict[str, str]:
    if None in row or None in row.values():
        raise InputError("more or fewer cells than columns", path=path, line=line, remedy="Quote cells with commas.")
    return {name: str(cell) for name, cell in row.items() if name is not None}


def _read_label(cells: Mapping[str, str], rubric_of: Callable[[str], Rubric]) -> tuple[str, PersonLabel]:
    person = cells["person"].strip()
    if not person or len(person) > _LONGEST_NAME:
        raise InputError("a label needs the name of its person", remedy=f"At most {_LONGEST_NAME} characters.")
    run = cells.get("run", "").strip()
    rubric = rubric_of(run)
    unit = cells.get("unit", "").strip() or None
    metric = cells["metric"].strip()
    part = cells.get("part", "").strip() or _guess_part(rubric, metric, unit)
    label, qualifier = read_answer(rubric, (metric, part, unit), cells["label"].strip(), cells.get("qualifier", ""))
    return run, PersonLabel(
        record=cells["record"],
        system=cells.get("system") or None,
        metric=metric,
        part=part,
        unit=unit,
        person=person,
        label=label,
        qualifier=qualifier,
        note=cells.get("note", ""),
        moment=_read_moment(cells.get("moment", "")),
        drawn_by=_read_drawn_by(cells.get("drawn_by", "")),
        probability=_read_probability(cells.get("probability", "")),
    )


def _guess_part(rubric: Rubric, metric: str, unit: str | None) -> str:
    """A table from elsewhere has no parts; where the metric has only one that fits, it is meant."""
    kinds = (LabelPart,) if unit is not None else (GradePart, PickPart)
    parts = [part.id for each in rubric.metrics if each.id == metric for part in each.parts if isinstance(part, kinds)]
    if len(parts) == 1 or not any(each.id == metric for each in rubric.metrics):
        return parts[0] if parts else ""
    raise InputError(f"{metric} has {len(parts)} parts that this could be", remedy=f"Write part: {', '.join(parts)}")


def _read_moment(text: str) -> datetime:
    if not text.strip():
        return datetime.now(UTC)
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        raise InputError(f"{text!r} is no time", remedy="Write 2026-01-31T12:00:00+00:00.") from None
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def _read_drawn_by(text: str) -> DrawnBy | None:
    found = next((name for name in DRAWN_BY if name == text.strip()), None)
    if found is None and text.strip():
        raise InputError(f"{text!r} is no way to draw", remedy=f"Write one of: {', '.join(DRAWN_BY)}; or nothing.")
    return found


def _read_probability(text: str) -> float | None:
    if not text.strip():
        return None
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 < value <= 1:
        raise InputError(f"{text!r} is no probability", remedy="Write a number above 0 and up to 1, or nothing.")
    return value


def _line(cells: Iterable[str]) -> str:
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerow([cell.encode("utf-8", "replace").decode() for cell in cells])
    return stream.getvalue()
