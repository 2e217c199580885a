"""Labels as CSV, for other programs too: every row names what it is about, and who said it."""

import csv
import io
from collections.abc import Iterable, Iterator

from assay.agreement.labels import BAD, GOOD
from assay.store.labels import PersonLabel

COLUMNS = (
    *("run", "record", "system", "metric", "part", "unit", "person", "label", "score", "qualifier", "note"),
    *("moment", "drawn_by", "probability"),
)


def write_labels(run: str, labels: Iterable[PersonLabel]) -> Iterator[str]:
    """One line at a time. A cell that a spreadsheet would take for a formula is left as it is: the file is data."""
    yield _line(COLUMNS)
    for each in labels:
        is_score = not each.part and each.label not in (*GOOD, *BAD)
        yield _line(
            (
                *(run, each.record, each.system or "", each.metric, each.part, each.unit or "", each.person),
                *(("", each.label) if is_score else (each.label, "")),
                *(each.qualifier or "", each.note, each.moment.isoformat(timespec="microseconds")),
                *(each.drawn_by or "", "" if each.probability is None else repr(each.probability)),
            )
        )


def _line(cells: Iterable[str]) -> str:
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerow([cell.encode("utf-8", "replace").decode() for cell in cells])
    return stream.getvalue()
