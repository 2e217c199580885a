"""Two runs side by side, in words."""

import pytest

from assay.report.comparison import say_p_value


@pytest.mark.parametrize(
    ("p_value", "said"),
    [(None, "–"), (0.0, "<0.001"), (0.0004, "<0.001"), (0.001, "0.001"), (0.0496, "0.050"), (1.0, "1.000")],
)
def test_a_p_value_is_never_said_to_be_nothing(p_value: float | None, said: str) -> None:
    assert say_p_value(p_value) == said
