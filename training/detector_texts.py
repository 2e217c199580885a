"""The texts a detector of orders to the evaluator learns from: attacks and look-alikes written for it, ordinary ones.

The written ones lie in training/injections, one JSON object a line, one file for each writer. The ordinary sentences in
training/ordinary.jsonl are only measured. Ordinary texts come from the human-labelled sets in ../shared/data where they
are at hand; nothing of them is kept but weights. No text of the set-aside half of the attacks is read here.
"""

import gzip
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from random import Random

from assay.labs.attack.family import PLAIN, load_benign, load_families
from assay.labs.attack.variants import make_variants

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "training" / "injections"
ORDINARY = ROOT / "training" / "ordinary.jsonl"
PACKS = ROOT / "src" / "assay" / "packs"
_PLANTED = {"injected-instruction", "injected-review", "stray-score-tag"}
SETS = ROOT / ".." / "shared" / "data" / "labelled"
# Replies of judges, and questions about rubrics: they speak of marks by trade.
_ABOUT_JUDGING = {"prometheus_gpt4_replies", "judgebench_toxic_chat", "summeval_pairwise", "factcc_explanations"}
# Never trained on and never used to choose a number: they tell how often an ordinary text is flagged.
MEASURED = {"qags_cnndm", "summedits_dev", "topical_chat_usr", "trialgpt_dev", "finesure_sample"}
_SEED = 1


@dataclass(frozen=True)
class Example:
    writer: str
    kind: str
    text: str
    is_attack: bool


@dataclass(frozen=True)
class Ordinary:
    """Texts to learn from, to choose the threshold by, and to measure with."""

    learned: Sequence[str]
    chosen_by: Sequence[str]
    measured: Mapping[str, Sequence[str]]


def read_examples() -> list[Example]:
    """A file is a writer's; the development half of the attacks and of the look-alikes is one writer more."""
    found = []
    for path in sorted(EXAMPLES.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            is_attack = not path.stem.startswith("benign") and row["kind"] != "benign"
            found.append(Example(path.stem, row["kind"], row["text"], is_attack))
    for family in load_families():
        if family.action == "replace":
            continue
        plain = tuple(each for each in family.templates if each.part == "development" and each.encoding == PLAIN)
        if not plain:
            continue
        variants = make_variants(replace(family, templates=plain), _SEED, len(plain), {})
        found += [Example("templates", family.id, variant.text, is_attack=True) for variant in variants]
    found += [Example("examples", "shipped", text, is_attack=False) for text in _read_shipped()]
    found += [
        Example("templates", each.family, each.text, is_attack=False)
        for each in load_benign()
        if each.part == "development"
    ]
    return found


def _read_shipped() -> Iterator[str]:
    """The texts of the shipped example records, but for those that an order is planted in."""
    for path in sorted(PACKS.glob("*/examples.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            if record["id"] not in _PLANTED:
                yield from (text for text in _find_texts(record) if " " in text)


def _find_texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _find_texts(each)


def read_sentences() -> dict[str, list[str]]:
    """Ordinary sentences by language, which nothing is learned from."""
    found: dict[str, list[str]] = {}
    for line in ORDINARY.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        found.setdefault(row["language"], []).append(row["text"])
    return found


def read_ordinary(folder: Path = SETS) -> Ordinary:
    texts = {
        path.name.split(".")[0]: sorted(set(_read_texts(path)))
        for path in sorted(folder.glob("*.gz"))
        if path.name.split(".")[0] not in _ABOUT_JUDGING
    }
    if not texts:
        sys.exit(f"there are no ordinary texts to learn from in {folder}")
    measured = {name: each for name, each in texts.items() if name in MEASURED}
    # The same text may be in two sets.
    known = {text for each in measured.values() for text in each}
    rest = sorted({text for name, each in texts.items() if name not in MEASURED for text in each} - known)
    Random(_SEED).shuffle(rest)  # noqa: S311  # a draw that can be repeated
    return Ordinary(
        learned=[text for text in rest if not is_drawn(text)],
        chosen_by=[text for text in rest if is_drawn(text)],
        measured=measured,
    )


def _read_texts(path: Path) -> Iterator[str]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            for value in json.loads(line).values():
                listed = value if isinstance(value, list) else [value]
                yield from (each for each in listed if isinstance(each, str) and len(each) > 60)


def is_drawn(text: str) -> bool:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=1).digest()[0] < 64
