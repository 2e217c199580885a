"""Assay judges generated texts against what they were made from, and shows its evidence."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.api import Run, judge

__version__ = "0.1.0"
__all__ = ["Run", "__version__", "judge"]


def __getattr__(name: str) -> object:
    """The public verbs load on first use, so that `import assay` costs nothing."""
    if name in {"judge", "Run"}:
        from assay import api

        return getattr(api, name)
    raise AttributeError(f"module 'assay' has no attribute {name!r}")
