"""A scorecard as a reply in the shape of its rubric, with our computed numbers in it."""

from assay.domain.rubric import Rubric
from assay.domain.scorecard import Scorecard
from assay.report.shapes import SHAPES, Shape


def shape_of(rubric: Rubric) -> Shape:
    if rubric.shape is None:
        raise AssertionError("a rubric without a reply shape is refused before a run")
    return SHAPES[rubric.shape]


def render_reply(card: Scorecard) -> str:
    return shape_of(card.rubric).render(card)
