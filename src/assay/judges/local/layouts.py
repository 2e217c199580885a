"""How each family of pair models is asked about a pair, and what the numbers of its reply mean."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp
from typing import Any, Final, Literal

from assay.errors import InputError
from assay.judges.embedded.pair_model import Rating, softmax

Head = Literal["classifier", "first_token", "decoder"]
_MEANINGS: Final[Mapping[str, re.Pattern[str]]] = {
    "contradicted": re.compile(r"contradict|refut"),
    "absent": re.compile(r"^(?:not|non|un|in)|neutral|hallucinat"),
    "supported": re.compile(r"entail|support|consistent|factual"),
}
_HHEM_FRAME: Final = (
    "<pad> Determine if the hypothesis is true given the premise?\n\nPremise: ",
    "\n\nHypothesis: ",
)
# A model that is asked in one text keeps its claim in sight however long its source is.
_LONG_TOKENS: Final = 2_048
_USUAL_TOKENS: Final = 512


@dataclass(frozen=True, slots=True)
class Layout:
    """`frame` is the text before the premise and the text between premise and hypothesis.

    Without a text between them the token that ends a text stands there. No frame gives the tokenizer two texts.

    `labels` says what each number of the reply means. `tokens` are the vocabulary's places of a decoder's answers.
    """

    labels: tuple[str, ...]
    frame: tuple[str, str] | None = None
    head: Head = "classifier"
    tokens: tuple[int, ...] = ()
    max_tokens: int = _USUAL_TOKENS

    def read(self, logits: Sequence[float]) -> Rating:
        """A single number is the logit of support; a model with two labels knows no contradiction."""
        if len(self.labels) == 1:
            supported = 1 / (1 + exp(-max(-30.0, min(30.0, logits[0]))))
            return Rating(supported, 0.0, 1 - supported)
        known = dict(zip(self.labels, softmax(logits), strict=True))
        return Rating(known["supported"], known.get("contradicted", 0.0), known.get("absent", 0.0))


def find_layout(config: Mapping[str, Any], name: str, path: str) -> Layout:
    """By a model's config and name: HHEM, MiniCheck, or any classifier of pairs whose labels are named."""
    architecture = " ".join(map(str, config.get("architectures") or ()))
    kind, is_minicheck = str(config.get("model_type", "")), "minicheck" in name.lower()
    if "HHEM" in architecture + kind:
        return Layout(("absent", "supported"), _HHEM_FRAME, "first_token", max_tokens=_LONG_TOKENS)
    if is_minicheck and kind == "t5":
        # The pieces "" and "1", with which the family was trained to answer no and yes.
        return Layout(("absent", "supported"), ("predict: ", ""), "decoder", (3, 209), _LONG_TOKENS)
    if is_minicheck:
        tokens = _LONG_TOKENS if kind.startswith("deberta") else _USUAL_TOKENS
        return Layout(("absent", "supported"), ("", ""), max_tokens=tokens)
    if "ForSequenceClassification" not in architecture:
        remedy = "Name a sequence classifier of pairs, or a model of the HHEM or MiniCheck family"
        raise InputError(f"{architecture or 'a model without architecture'} is no pair model", path=path, remedy=remedy)
    named: Any = config.get("id2label") or {}
    labels = tuple(str(named[key]) for key in sorted(named, key=int))
    return Layout(read_labels(labels, path), max_tokens=_find_max_tokens(config))


def read_labels(names: Sequence[str], path: str) -> tuple[str, ...]:
    """What labels mean by their names, in their order; a single one is support."""
    if len(names) == 1:
        return ("supported",)
    meanings = tuple(_find_meaning(name) for name in names)
    if "supported" not in meanings or None in meanings or len(set(meanings)) != len(meanings):
        remedy = 'Name them in `id2label` of config.json: {"0": "entailment", "1": "neutral", "2": "contradiction"}'
        raise InputError(
            f"it is not known what its labels mean: {', '.join(names) or 'none'}", path=path, remedy=remedy
        )
    return tuple(meaning for meaning in meanings if meaning is not None)


def _find_meaning(name: str) -> str | None:
    lowered = name.lower()
    return next((meaning for meaning, words in _MEANINGS.items() if words.search(lowered)), None)


def _find_max_tokens(config: Mapping[str, Any]) -> int:
    most = config.get("max_position_embeddings")
    if not isinstance(most, int) or most < 1:
        return _USUAL_TOKENS
    # RoBERTa numbers its positions from two on.
    return most - 2 if "roberta" in str(config.get("model_type")) else most
