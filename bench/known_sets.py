"""The labelled sets that are known by name: which label says that an output is supported, and published figures."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from assay.domain.json import JSON

_Human = Mapping[str, JSON]


@dataclass(frozen=True, slots=True)
class Reading:
    """A label by its name; `read` gives a larger number where the output is better supported, or None."""

    label: str
    read: Callable[[_Human], float | None]


@dataclass(frozen=True, slots=True)
class KnownSet:
    """`anchor` gives published figures in words: whose, and of which measure."""

    readings: tuple[Reading, ...]
    anchor: str = ""


def read_field(name: str) -> Callable[[_Human], float | None]:
    def read(human: _Human) -> float | None:
        value = human.get(name)
        return float(value) if isinstance(value, bool | int | float) else None

    return read


def _equals(name: str, word: str) -> Callable[[_Human], float | None]:
    def read(human: _Human) -> float | None:
        return None if human.get(name) is None else float(human[name] == word)

    return read


def _all(*names: str) -> Callable[[_Human], float | None]:
    def read(human: _Human) -> float | None:
        values = [human.get(name) for name in names]
        return None if None in values else float(all(values))

    return read


_FACTUAL = (Reading("factual", read_field("factual")),)
_SUMMAC = (
    "mean over the six sets of SummaC: balanced accuracy SummaC-Conv .744; AUC AlignScore-L .886, ROUGE-2 .781, "
    "NER overlap .604"
)

KNOWN: Mapping[str, KnownSet] = {
    "qags_cnndm": KnownSet(
        (
            Reading("all sentences faithful by majority", read_field("faithful")),
            Reading("share of faithful sentences", read_field("faithfulness_mean")),
        ),
        "Spearman AlignScore-L .739, G-Eval-4 .685, QAFactEval .631, SummaC .584",
    ),
    "summac_factcc": KnownSet(_FACTUAL, _SUMMAC),
    "summac_xsumfaith": KnownSet(_FACTUAL, _SUMMAC),
    "summac_polytope": KnownSet(
        (
            Reading("no inaccuracy", read_field("inaccuracy_ok")),
            Reading("no inaccuracy and no addition", _all("inaccuracy_ok", "addition_ok")),
        ),
        _SUMMAC,
    ),
    "summedits_dev": KnownSet(
        _FACTUAL,
        "balanced accuracy over ten domains: people .909, GPT-4 .821, QAFactEval .655, SummaC-Conv .571, DAE .552",
    ),
    "wice_dev": KnownSet((Reading("claim fully supported", _equals("support", "supported")),)),
    "summeval": KnownSet(
        (Reading("consistency", read_field("consistency")),),
        "Spearman: one expert against two .750, FActScore (modified) .526, G-Eval-4 .507, AlignScore-L .466, "
        "QAFactEval .428, SummaC-Conv .414",
    ),
    "dialsummeval": KnownSet((Reading("consistency", read_field("consistency")),)),
    "topical_chat_usr": KnownSet((Reading("groundedness", read_field("groundedness")),)),
    "trialgpt_dev": KnownSet((Reading("explanation correct", _equals("explanation_correctness", "Correct")),)),
}
