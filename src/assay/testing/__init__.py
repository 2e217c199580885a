"""For tests of your own: `assert_judged`, a pytest plugin, and a judge that follows a script.

Nothing in here is imported by the rest of the package.
"""

from typing import TYPE_CHECKING, Any

from assay.testing.assertion import assert_judged

if TYPE_CHECKING:
    from assay.testing.scripted_judge import ScriptedJudge

__all__ = ["ScriptedJudge", "assert_judged"]


def __getattr__(name: str) -> Any:
    """The judge needs the engine, which pytest should not load in sessions that judge nothing."""
    if name != "ScriptedJudge":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from assay.testing.scripted_judge import ScriptedJudge

    return ScriptedJudge
