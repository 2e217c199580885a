"""The papers that go with the weights: a card of data, figures and limits, and a licence."""

from collections.abc import Mapping
from dataclasses import dataclass

from training.provenance import ENCODER, SOURCES

Figures = Mapping[str, Mapping[str, float | int | None]]


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far the byte-wide model strays from the trained one on the same pairs."""

    pairs: int
    same_answer: float
    largest_difference: float
    mean_difference: float


@dataclass(frozen=True, slots=True)
class Making:
    """The facts of one training run that its papers must state."""

    date: str
    passes: int
    """All of them, those of the run that this one began from included."""
    earlier_passes: int
    seed: int
    trained_pairs: int
    figures: Figures
    exported_figures: Figures
    agreement: Agreement


def render_card(making: Making) -> str:
    """The model card in Markdown."""
    rows = "\n".join(
        f"| {source.name} | {source.what} | {source.licence} | {source.credit} |" for source in (*SOURCES, ENCODER)
    )
    agreement = making.agreement
    return f"""# Pair model

Reads a premise (a few sentences of a source) and a hypothesis (one sentence of a text under judgement) and gives three
logits, in this order: supported, contradicted, not_in_source. It is a 22-million-weight encoder of six layers; it was
made on two processor cores by `training/` in this repository. The log of the run, with every stop and every budget it
had, is in `training/log/`.

Made {making.date} with seed {making.seed}: {making.passes:,} pair passes over {making.trained_pairs:,} public pairs and
rule-made corruptions{_say_earlier(making)}.

## Figures

On pairs kept out of training by whole pages or premises. `three-way` is accuracy over the three labels; `balanced` is
the mean of the share of supported pairs found and the share of all others found, at one half. FEVER has two labels.

{_render_figures(making)}

The file shipped is the second pair of columns: one byte per weight, computed with as 32-bit floats. Against the trained
weights it gives the same answer on {agreement.same_answer:.1%} of {agreement.pairs:,} held-out pairs; a probability
moves by {agreement.mean_difference:.3f} on average and {agreement.largest_difference:.3f} at most.

These pairs come from the same sets as the training pairs. They show that the model learned, not how well it judges the
texts you have; for that, measure it on labelled texts of your own. Two figures flatter it: one in six of the
held-out corruptions comes from the same small grammar as those in training, and a Wikipedia page held out of VitaminC
may have been met in FEVER, whose pairs name no page.

## What it was made from

| source | what | licence | credit |
|---|---|---|---|
{rows}

The public sets' development and test parts were trained on, so no figure on those parts may be reported as a result.

## Limits

- English only: other languages are cut into pieces it never learned to join.
- At most 256 tokens of premise and hypothesis together; text beyond is cut, so send windows, not documents.
- It was taught numbers, doses, prices and names by rule-made changes. Real mistakes are subtler, and arithmetic
  (sums, conversions, ages from dates) is beyond it: let the deterministic checks decide there.
- It reads what the text says, not what is true. A false source supports a false sentence.
- Probabilities are not calibrated. Fit a calibration on labelled texts before showing them to anyone.
- Clinical and commercial sentences in training are made up from a small grammar: it has not seen real records.
"""


def _say_earlier(making: Making) -> str:
    earlier = making.earlier_passes
    return f", {earlier:,} of them in an earlier run whose weights it went on from" if earlier else ""


def _render_figures(making: Making) -> str:
    lines = [
        "| held out | pairs | three-way, trained | balanced, trained | three-way, shipped | balanced, shipped |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for origin, trained in making.figures.items():
        shipped = making.exported_figures[origin]
        cells = [trained["three_way"], trained["balanced"], shipped["three_way"], shipped["balanced"]]
        spelled = " | ".join("–" if value is None else f"{value:.1%}" for value in cells)
        lines.append(f"| {origin} | {trained['pairs']:,} | {spelled} |")
    return "\n".join(lines)


def render_licence(apache: str) -> str:
    """The weights' licence, what they were derived from, and the whole Apache licence that one part asks for."""
    credits_ = "\n".join(f"- {source.name}: {source.what}. {source.licence}. {source.credit}." for source in SOURCES)
    return f"""The weights in this folder (pair-model.onnx) are licensed under the Creative Commons
Attribution-ShareAlike 4.0 International licence (CC BY-SA 4.0):
https://creativecommons.org/licenses/by-sa/4.0/legalcode

Attribution: "Assay pair model, by the Assay maintainers, derived from {ENCODER.name} and the sets named below."
The code that made them is licensed under the Apache License 2.0.

They were trained on, and are offered under a share-alike licence because of:
{credits_}

They start from {ENCODER.name}, {ENCODER.what}: {ENCODER.licence}, {ENCODER.credit}. The encoder was changed: its
layers were trained further, an output of three labels was added, and the weights were rounded to one byte.
tokenizer.json is its tokenizer, with padding and truncation taken out. The Apache License 2.0 follows.

{apache.strip()}
"""
