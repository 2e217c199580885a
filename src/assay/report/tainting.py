"""Records whose texts may have spoken to their judge, told the same way in every report."""

from typing import Final

from assay.domain.scorecard import Scorecard

TAINTS: Final = ("injection_suspect", "injection_effect", "canary_failed")
"""Flags that leave a score as it was judged, and say that it may not be the judge's own."""


def list_taints(card: Scorecard, metric: str | None = None) -> tuple[str, ...]:
    """Of one metric or of all, each once."""
    outcomes = card.outcomes.values() if metric is None else [card.outcomes[metric]]
    flags = {flag for outcome in outcomes for flag in outcome.trail.flags}
    return tuple(taint for taint in TAINTS if taint in flags)
