"""The shipped weights of the pair model, and the figures they were fitted and measured with."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

import orjson

from assay.errors import InputError

FOLDER: Final = "assay.weights"
MODEL: Final = "pair-model.onnx"
TOKENIZER: Final = "tokenizer.json"
_REMEDY: Final = "Install Assay again: its files are damaged or incomplete."


@dataclass(frozen=True, slots=True)
class Card:
    """What `model.json` says of the weights: `digests` by file name, and the longest pair they were trained on."""

    digests: Mapping[str, str]
    labels: tuple[str, ...]
    max_tokens: int

    @property
    def version(self) -> str:
        """Changes with what the model answers, and with nothing else that its card lists."""
        together = "".join(self.digests[name] for name in (MODEL, TOKENIZER))
        return hashlib.sha256(together.encode()).hexdigest()[:8]


# Whatever cuts, reads or compares texts for it.
_RULES: Final = (
    "assay.judges.embedded",
    "assay.checks",
    "assay.checks.conflicts",
    "assay.packs.comparison_faithfulness",
    "assay.text",
    "assay.units",
)


@cache
def read_card() -> Card:
    card = orjson.loads(_read("model.json"))
    return Card(card["sha256"], tuple(card["labels"]), int(card["max_tokens"]))


@cache
def read_calibration() -> Mapping[str, object]:
    content: Mapping[str, object] = orjson.loads(_read("calibration.json"))
    return content


@cache
def find_version() -> str:
    """Of the model, of how its answers are weighed, and of the rules beside it: what a judgement depends on."""
    digest = hashlib.sha256(read_card().version.encode() + _read("calibration.json"))
    for package in _RULES:
        modules = [each for each in files(package).iterdir() if each.name.endswith(".py")]
        for module in sorted(modules, key=lambda each: each.name):
            digest.update(module.read_bytes())
    return digest.hexdigest()[:8]


def read_weights(name: str) -> bytes:
    """A file of the model, held to the digest in its card."""
    content = _read(name)
    if hashlib.sha256(content).hexdigest() != read_card().digests[name]:
        raise InputError(f"the embedded judge's {name} is not the file its card describes", remedy=_REMEDY)
    return content


def _read(name: str) -> bytes:
    try:
        return files(FOLDER).joinpath(name).read_bytes()
    except (FileNotFoundError, ModuleNotFoundError):
        raise InputError(f"the embedded judge's {name} is missing", remedy=_REMEDY) from None
