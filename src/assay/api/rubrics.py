"""The installed rubrics."""

from assay.domain.rubric import Rubric
from assay.files.rubrics import open_rubric
from assay.packs import list_packs


def rubrics() -> tuple[Rubric, ...]:
    """Every installed rubric, in alphabetical order of their ids."""
    return tuple(open_rubric(name) for name in list_packs())
