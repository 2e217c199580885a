"""The rubric that a single output with its sources is judged by, unless another one is named."""

DEFAULT = "grounded-answer"
