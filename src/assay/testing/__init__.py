"""For tests of your own: `assert_judged`, a pytest plugin, and a scripted chat server with faults.

Nothing in here is imported by the rest of the package.
"""

from assay.testing.assertion import assert_judged

__all__ = ["assert_judged"]
