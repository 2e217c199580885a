"""Assay judges generated texts against what they were made from, and shows its evidence."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.api.judging import judge, judge_text, rubrics
    from assay.api.results import Run, compare
    from assay.api.settings import read_settings
    from assay.domain.ask import Answer, BankAsk, MetricAsk, Written
    from assay.domain.findings import Citation, Findings, Grade, Label, Pick, Remark
    from assay.domain.outcome import Abstention, Failure, Verdict
    from assay.domain.record import Record, Source
    from assay.domain.rubric import Rubric
    from assay.domain.scorecard import Scorecard
    from assay.errors import InputError, JudgeError
    from assay.judges.judge import Judge
    from assay.store.store import Store

# The wheel takes its version from here.
__version__ = "0.3.0"

# Every public name and the module it comes from. They load on first use, so that `import assay` costs nothing.
_PUBLIC = {
    "judge": "assay.api.judging",
    "judge_text": "assay.api.judging",
    "compare": "assay.api.results",
    "read_settings": "assay.api.settings",
    "rubrics": "assay.api.judging",
    "Run": "assay.api.results",
    "Judge": "assay.judges.judge",
    "Store": "assay.store.store",
    "MetricAsk": "assay.domain.ask",
    "BankAsk": "assay.domain.ask",
    "Answer": "assay.domain.ask",
    "Written": "assay.domain.ask",
    "Findings": "assay.domain.findings",
    "Label": "assay.domain.findings",
    "Citation": "assay.domain.findings",
    "Grade": "assay.domain.findings",
    "Pick": "assay.domain.findings",
    "Remark": "assay.domain.findings",
    "Record": "assay.domain.record",
    "Source": "assay.domain.record",
    "Rubric": "assay.domain.rubric",
    "Scorecard": "assay.domain.scorecard",
    "Verdict": "assay.domain.outcome",
    "Abstention": "assay.domain.outcome",
    "Failure": "assay.domain.outcome",
    "InputError": "assay.errors",
    "JudgeError": "assay.errors",
}

__all__ = [
    "Abstention", "Answer", "BankAsk", "Citation", "Failure", "Findings", "Grade", "InputError", "Judge", "JudgeError",
    "Label", "MetricAsk", "Pick", "Record", "Remark", "Rubric", "Run", "Scorecard", "Source", "Store", "Verdict",
    "Written", "__version__", "compare", "judge", "judge_text", "read_settings", "rubrics",
]  # fmt: skip


def __getattr__(name: str) -> object:
    if name in _PUBLIC:
        return getattr(import_module(_PUBLIC[name]), name)
    raise AttributeError(f"module 'assay' has no attribute {name!r}")


def __dir__() -> list[str]:
    """What a shell or an editor offers: the public names, loaded or not, and none that only this file needs."""
    return sorted({*__all__, *(name for name in globals() if name.startswith("__") and name.endswith("__"))})
