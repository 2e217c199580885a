"""For tests of your own: `assert_judged`, a pytest plugin, and a judge that follows a script.

Nothing in here is imported by the rest of the package.
"""

from assay.testing.assertion import assert_judged
from assay.testing.scripted_judge import ScriptedJudge

__all__ = ["ScriptedJudge", "assert_judged"]
