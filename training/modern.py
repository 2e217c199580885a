"""Short texts and what a language model might say of them, each claim with the ways to get one thing in it wrong.

All are invented and were written for this by a language model; nobody else has checked them. A claim holds its choices
in braces: `{right|wrong}` where the source says otherwise, `{right~wrong}` where it doesn't say. A claim that begins
with `~` is not in the source at all. `modern_twins.jsonl` came first; the files in `fact_twins/` go through eight kinds
of fault: negation, figure, name, role, reason, condition, direction and invention.
"""

import json
import re
from pathlib import Path
from typing import Final

from training.pairs import Label, Pair

MODERN: Final = "modern"
FACTS: Final = "fact_twins"
_FILE: Final = Path(__file__).with_name("modern_twins.jsonl")
_FOLDER: Final = Path(__file__).with_name("fact_twins")
_CHOICE: Final = re.compile(r"\{([^{}|~]*)([|~])([^{}|~]*)\}")


def read_modern(path: Path = _FILE, origin: str = MODERN) -> list[Pair]:
    """Every claim as it should be, and once for each of its choices with that one wrong."""
    pairs: list[Pair] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        for claim in row["claims"]:
            said = expand_claim(claim)
            pairs += [Pair(row["source"], text, label, origin, f"{origin}:{row['group']}") for text, label in said]
    return pairs


def read_fact_twins(folder: Path = _FOLDER) -> list[Pair]:
    return [pair for path in sorted(folder.glob("*.jsonl")) for pair in read_modern(path, FACTS)]


def expand_claim(claim: str) -> list[tuple[str, Label]]:
    """The claim with all choices right, then with each of them wrong in turn."""
    if claim.startswith("~ "):
        return [(claim[2:], Label.NOT_IN_SOURCE)]
    choices = list(_CHOICE.finditer(claim))
    said = [(_choose(claim, None), Label.SUPPORTED)]
    for choice in choices:
        label = Label.CONTRADICTED if choice[2] == "|" else Label.NOT_IN_SOURCE
        said.append((_choose(claim, choice.start()), label))
    return said


def _choose(claim: str, wrong: int | None) -> str:
    text = _CHOICE.sub(lambda choice: choice[3 if choice.start() == wrong else 1], claim)
    text = " ".join(text.split())
    return text[:1].upper() + text[1:]
