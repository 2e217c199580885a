"""The shipped files of the built-in judge: the pair model's weights, and how its signals are combined."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import exp
from typing import TYPE_CHECKING, Any, Final, Literal, cast

import orjson

from assay.errors import InputError

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

FOLDER: Final = "assay.weights"
MODEL: Final = "pair-model.onnx"
TOKENIZER: Final = "tokenizer.json"
_REMEDY: Final = "Install Assay again: its files are damaged or incomplete."

Settled = Literal["verbatim", "absent"]
"""What decides a claim without the model: its own words in the source, or a figure that no source has."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """A logistic combination, fitted to as many right outputs as wrong ones, each by its least supported claim.

    So its probabilities are at even odds. A claim between `low` and `high` is undecided.

    `settled` says how often a claim was right that was copied word for word, or that has a figure which no
    source has. The combination is used for the rest alone.
    """

    weights: Mapping[str, float]
    bias: float
    low: float
    high: float
    settled: Mapping[Settled, float]

    def probability(self, features: Mapping[str, float], settled: Settled | None) -> float:
        """The probability that the sources support a claim."""
        if settled is not None:
            return self.settled[settled]
        # A calibration of one's own may be older than a signal, which then weighs nothing.
        total = self.bias + sum(self.weights.get(name, 0.0) * value for name, value in features.items())
        return 1 / (1 + exp(-max(-30.0, min(30.0, total))))


@dataclass(frozen=True, slots=True)
class Card:
    """What `model.json` says of the weights: `digests` by file name, and the longest pair they were trained on."""

    digests: Mapping[str, str]
    max_tokens: int

    @property
    def version(self) -> str:
        """Changes with what the model answers, and with nothing else that its card lists."""
        together = "".join(self.digests[name] for name in (MODEL, TOKENIZER))
        return hashlib.sha256(together.encode()).hexdigest()[:8]


RULES: Final = ("assay.judges.embedded", "assay.text", "assay.units")
"""The packages that cut, read and compare texts for the judge."""


@cache
def read_card() -> Card:
    card = orjson.loads(_read("model.json"))
    return Card(card["sha256"], int(card["max_tokens"]))


@cache
def load_calibration() -> Calibration:
    return parse_calibration(_read("calibration.json"))


def load_uncalibrated() -> Calibration:
    """A model's own probability as it is, at even odds. What code settles has the shipped probability."""
    content = orjson.loads(_read("calibration.json"))
    weights = {name: float(name == "support") for name in content["weights"]}
    return parse_calibration(orjson.dumps({**content, "weights": weights, "bias": 0, "low": 0.5, "high": 0.5}))


def parse_calibration(text: bytes) -> Calibration:
    content = cast("dict[str, Any]", orjson.loads(text))
    return Calibration(content["weights"], content["bias"], content["low"], content["high"], content["settled"])


@cache
def find_version() -> str:
    """A digest of all that a judgement depends on: the model, the calibration, and the rules beside it."""
    digest = hashlib.sha256(read_card().version.encode() + _read("calibration.json"))
    for rule in list_rules():
        digest.update(rule.read_bytes())
    return digest.hexdigest()[:8]


def list_rules() -> "list[Traversable]":
    """The files that cut, read and compare texts for the judge: code and word lists."""
    found = [each for package in RULES for each in sorted(files(package).iterdir(), key=lambda each: each.name)]
    return [each for each in found if each.name.endswith((".py", ".toml"))]


def read_weights(name: str) -> bytes:
    """A file of the model, held to the digest in its card."""
    content = _read(name)
    if hashlib.sha256(content).hexdigest() != read_card().digests[name]:
        raise InputError(f"the built-in judge's {name} is not the file its card describes", remedy=_REMEDY)
    return content


def _read(name: str) -> bytes:
    try:
        return files(FOLDER).joinpath(name).read_bytes()
    except (FileNotFoundError, ModuleNotFoundError):
        raise InputError(f"the built-in judge's {name} is missing", remedy=_REMEDY) from None
