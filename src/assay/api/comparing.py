"""`assay.compare()`: two runs of one rubric, paired record by record."""

from assay.api.run import Run
from assay.errors import InputError
from assay.report.comparison import MetricComparison, RunScores, compare_runs


def compare(first: Run, second: Run) -> list[MetricComparison]:
    """The difference of each metric, second minus first, in goodness, with its interval and its p-value.

    Raises:
        InputError: the runs are of different rubrics.

    """
    if first.rubric.id != second.rubric.id:
        message = f"the first run is of {first.rubric.id} and the second of {second.rubric.id}"
        raise InputError(message, remedy="Compare two runs of one rubric.")
    scores = []
    for run in (first, second):
        found = RunScores()
        for card in run.cards:
            found.add(card)
        scores.append(found)
    return compare_runs(second.rubric, *scores)
