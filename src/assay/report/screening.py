"""The words that stand wherever scores of the embedded judge are shown, with the place of its measured figures."""

from collections.abc import Iterable

SCREENING = (
    "The embedded judge is of screening grade: it finds what is worth a look, and leaves undecided what it can't tell. "
    "Its measured figures: docs/embedded.md."
)
_NAME = "embedded:"


def say_screening(judges: Iterable[str]) -> str:
    """Nothing where no embedded judge is among them. A combined card names all its judges at once."""
    is_embedded = any(name.startswith(_NAME) for judge in judges for name in judge.split(" + "))
    return SCREENING if is_embedded else ""
