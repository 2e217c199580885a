"""Writes docs/shipped.md from the installed rubrics: `python tools/shipped_page.py`, or `make docs`."""

# ruff: noqa: INP001  # programs of the project, not a package

import re
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path

from assay.domain.rubric import Metric, Rubric
from assay.files.rubrics import open_rubric
from assay.packs import list_packs

PAGE = Path(__file__).parents[1] / "docs" / "shipped.md"
_PACKS = "../src/assay/packs"
_HEAD = """\
# The shipped rubrics

<!-- Written by tools/shipped_page.py from the rubrics: edit their purpose, inputs or metrics, then run `make docs`. -->

If none fits, start from `grounded-answer`, or [write a rubric](rubrics.md). Inputs in parentheses are optional. \
`assay rubric show NAME` prints a rubric.

"""
_FOOT = """\
**Validated or not.** A rubric is *validated* if it says how well its scores agree with people. {validated} are, with \
a strong language model as the judge. All others are *not validated*: [measure the agreement](agreement.md) on your \
own texts before you rely on them. Lists, reports and results mark them. All rubrics \
[decide alike](rubrics.md#decided-alike) about questions such as a dropped condition.

**Limits.** The search-summary, search-decision, trial-eligibility, trial-answer and trial-dialogue rubrics are \
screening aids, not for clinical decisions. The safety rubric finds candidates for review; a good score is no \
clearance. For report-from-data use a language model: the built-in judge calls a correct total unsupported.

[Where the first five come from](../src/assay/packs/SOURCES.md), and \
[the seeded errors in the examples](../src/assay/packs/EXAMPLES.md).

```{{toctree}}
:hidden:

{pages}
../src/assay/packs/EXAMPLES
```
"""


def build_page() -> str:
    # Packs of other distributions may be installed beside our own.
    shipped = [open_rubric(name) for name, pack in list_packs().items() if pack.package.startswith("assay.packs.")]
    rubrics = sorted(shipped, key=lambda each: (each.task or "", each.id))
    sections = [_format_task(task, list(group)) for task, group in groupby(rubrics, key=lambda each: each.task or "")]
    validated = " and ".join(f"`{each.id}`" for each in rubrics if each.validation)
    pages = "\n".join(_find_page(each) for each in rubrics)
    return _HEAD + "\n".join(sections) + "\n" + _FOOT.format(validated=validated, pages=pages)


def _format_task(task: str, rubrics: Iterable[Rubric]) -> str:
    rows = [
        f"| [`{each.id}`]({_find_page(each)}.md) | {_shorten(each.purpose)} | {_list_inputs(each)} |"
        f" {_list_metrics(each)} | {'validated' if each.validation else 'not validated'} |"
        for each in rubrics
    ]
    return "\n".join(
        [f"## {task.capitalize()}\n", "| rubric | purpose | inputs | metrics | |", "|---|---|---|---|---|", *rows, ""]
    )


def _find_page(rubric: Rubric) -> str:
    return f"{_PACKS}/{rubric.id.replace('-', '_')}/rubric"


def _shorten(purpose: str) -> str:
    """The first sentence, up to the colon before its questions."""
    return re.split(r"(?<=[.?])\s|:\s", " ".join(purpose.split()))[0].rstrip(".")


def _list_inputs(rubric: Rubric) -> str:
    """Without the fields of an input's objects."""
    named = [each for each in rubric.inputs if "." not in each.name]
    return ", ".join(f"`{each.name}`" if each.required else f"(`{each.name}`)" for each in named)


def _list_metrics(rubric: Rubric) -> str:
    return ", ".join(_name_metric(each) for each in rubric.metrics)


def _name_metric(metric: Metric) -> str:
    name = metric.name[:1].lower() + metric.name[1:]
    # The id too, where a result could not be found by the name.
    shown = name if name.replace(" ", "_") == metric.id else f"{name} (`{metric.id}`)"
    if metric.scale.is_yes_no:
        return f"{shown} yes or no"
    best = ", 0 is best" if metric.scale.best == "low" else ""
    return f"{shown} {float(metric.scale.low):g}–{float(metric.scale.high):g}{best}"


if __name__ == "__main__":
    PAGE.write_text(build_page(), encoding="utf-8")
