"""The findings of an attack as one self-contained HTML file. Hidden characters of the hostile texts are shown."""

import unicodedata
from collections.abc import Iterator

from assay.agreement.estimate import Estimate
from assay.domain.terms import plain
from assay.labs.attack.figures import ANY, AttackFindings, PairedTrial
from assay.labs.attack.terminal import BENIGN_NOTE, NOTE, format_conditions, format_number, format_share, format_signed
from assay.report.display import format_screening_notice
from assay.web.rendering import render_page

_MOST_TEXTS, _MOST_CHARACTERS = 400, 700


def render_attack_page(found: AttackFindings) -> Iterator[str]:
    trials, benign = (sorted(pairs, key=_rank) for pairs in (found.pairs, found.benign_pairs))
    return render_page(
        "attack.html",
        found=found,
        setting=found.setting,
        conditions=list(format_conditions(found)),
        screening=format_screening_notice([found.setting.judge]),
        trials=trials[:_MOST_TEXTS],
        hidden_trials=max(0, len(trials) - _MOST_TEXTS),
        benign_trials=benign[:_MOST_TEXTS],
        hidden_benign=max(0, len(benign) - _MOST_TEXTS),
        note=NOTE.format(threshold=found.setting.threshold),
        benign_note=BENIGN_NOTE,
        any=ANY,
        format_estimate=_format_estimate,
        format_change=lambda pair: "no score" if pair.change is None else format_signed(float(pair.change)),
        format_metrics=_format_metrics,
        format_number=format_number,
        format_share=format_share,
        find_tone=lambda rise: _find_tone(rise, found.setting.threshold),
        reveal=lambda text: reveal(text) or "(nothing)",
    )


def reveal(text: str, most: int = _MOST_CHARACTERS) -> str:
    """The beginning of a text with every character visible, also harmless joiners and selectors."""
    shown = "".join(
        each
        if each in "\n\t" or (each.isprintable() and "SELECTOR" not in unicodedata.name(each, ""))
        else f"‹U+{ord(each):04X}›"
        for each in text[:most]
    )
    return shown if len(text) <= most else f"{shown} … ({len(text) - most} more characters)"


def _rank(pair: PairedTrial) -> tuple[float, str]:
    """The largest rise first, trials without a score last."""
    return (2.0 if pair.change is None else -float(pair.change), pair.trial.record.id)


def _find_tone(rise: float | None, threshold: float) -> str:
    if rise is None:
        return "none"
    return "low" if rise > threshold else "middle" if rise > threshold / 2 else "high"


def _format_estimate(found: Estimate) -> str:
    if found.value is None or found.interval is None:
        return format_number(found)
    return f"{format_signed(found.value)} [{format_signed(found.interval[0])}, {format_signed(found.interval[1])}]"


def _format_metrics(pair: PairedTrial) -> Iterator[tuple[str, ...]]:
    """Each metric with its clean and its attacked score."""
    for name in dict.fromkeys((*pair.clean.goodness, *pair.clean.unscored)):
        scores = ((card.goodness.get(name), card.unscored.get(name, "–")) for card in (pair.clean, pair.attacked))
        yield name, *(plain(status) if score is None else f"{float(score):.2f}" for score, status in scores)
