"""A run out of a store: the rubric that it was judged by, and one scorecard per record."""

from collections.abc import Iterator

from assay.domain.rubric import Rubric
from assay.domain.scorecard import Scorecard
from assay.files.rubrics import read_rubric
from assay.store.store import RunRow, Store


def rubric_of(run: RunRow) -> Rubric:
    """As it was when the run began, whatever became of its file."""
    return read_rubric(run.rubric_text, f"{run.rubric_id}.md")


def cards_of(store: Store, run: RunRow, rubric: Rubric) -> Iterator[Scorecard]:
    """In the order of the records, the judges and samples of each combined."""
    return store.cards(run.id, rubric)
