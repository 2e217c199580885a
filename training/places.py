"""Where training finds its data and keeps its work: settings, so that both may lie outside the work tree."""

import os
from pathlib import Path
from typing import Final

WORK: Final = Path(os.environ.get("ASSAY_TRAINING", ".training"))
"""Environment, pretrained encoder, layouts, checkpoints and logs: gigabytes, and worth keeping for weeks."""
DATA: Final = Path(os.environ.get("ASSAY_DATA", "../shared/data"))
PAIRS: Final = (DATA / "train" / "pairs.jsonl.gz", DATA / "train" / "pairs_more.jsonl.gz")
"""Pairs under licences that let weights be shipped; others never come here."""
