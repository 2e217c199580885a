"""One record explained on a terminal: each score with its rule, each unit with its label, its quote and the reason."""

from collections.abc import Callable

from rich.console import Console
from rich.text import Text

from assay.domain.findings import Evidence
from assay.domain.outcome import Outcome, Verdict
from assay.domain.rubric import Metric
from assay.domain.scale import say_scale
from assay.domain.scorecard import Scorecard
from assay.report.display import QUIET_FLAGS, format_faults, group_unscored, list_cautions, list_opinions
from assay.report.findings import Finding, Nearest, add_closest, build_findings, format_quote
from assay.report.terminal import COLOURS, build_cell, make_printable, print_wrapped
from assay.text.language import identify
from assay.units.passages import number_record

# A wide screen does not make a longer line easier to read.
_WIDEST = 80
_INDENT = "  "
_DEEP = "      "


def print_explanation(console: Console, card: Scorecard) -> None:
    """Every answer by itself where several judges or samples stand behind a score."""
    passages = number_record(card.record, identify(card.record.output) or "en")
    nearest, unscored = Nearest(card), group_unscored(card)

    def find_sentence(quote: Evidence) -> str:
        """The id by which judges cite the sentence in which a quote begins."""
        found = (each.id for each in passages.of(quote.source) if each.span.start <= quote.span.start < each.span.end)
        return next(found, quote.source)

    def print_answer(metric: Metric, outcome: Outcome) -> None:
        found = add_closest(nearest, build_findings(metric, outcome.trail, {}))
        for finding in sorted(found, key=_rank):
            console.print()
            _print_finding(console, finding, find_sentence)
        for name, said, reason in list_opinions(outcome.trail.findings, metric):
            console.print()
            _print_paragraph(console, f"{name}: {said}" + (f" – {reason}" if reason else ""), _INDENT)

    system = f" ({card.record.system})" if card.record.system else ""
    console.print(Text(make_printable(f"{card.record.id}{system}"), style="bold"), soft_wrap=True)
    _print_paragraph(console, f"judged by {card.judge}", _INDENT)
    for caution in list_cautions(card.rubric, [card.judge]):
        _print_paragraph(console, caution, _INDENT, hang="")
    for metric in card.rubric.metrics:
        if any(metric.id in ids for ids in unscored.values()):
            continue
        console.print()
        _print_score(console, metric, card.outcomes[metric.id])
        voices = card.voices.get(metric.id, ())
        for voice in voices:
            console.print()
            _print_paragraph(console, f"{voice.judge}: {build_cell(voice.outcome).plain}", _INDENT)
            print_answer(metric, voice.outcome)
        if not voices:
            print_answer(metric, card.outcomes[metric.id])
    for reason, ids in unscored.items():
        console.print()
        names = ", ".join(card.rubric.metric(each).name for each in ids)
        _print_paragraph(console, f"{names} not scored: {reason}")
    if card.notices:
        console.print("\nRule-based checks", style="bold")
        for notice in card.notices:
            _print_paragraph(console, f"{notice.check}: {notice.note}", _INDENT)


def _print_paragraph(console: Console, text: str, indent: str = "", hang: str = "  ") -> None:
    """One paragraph. Whatever a record holds, it breaks no line and moves no cursor."""
    print_wrapped(console, make_printable(" ".join(text.split())), indent, hang, widest=_WIDEST)


def _print_score(console: Console, metric: Metric, outcome: Outcome) -> None:
    title = Text.assemble((f"{metric.name}: ", "bold"), build_cell(outcome))
    said = [outcome.reason] if not isinstance(outcome, Verdict) else []
    if isinstance(outcome, Verdict):
        said = [f"scale {say_scale(metric.scale)}; rule: {metric.rule}", outcome.score.derivation]
        if claims := _count_claims(metric, outcome):
            console.print(Text.assemble((f"{metric.name}: ", "bold"), claims), soft_wrap=True)
            title = Text.assemble(f"{_INDENT}score ", build_cell(outcome))
    console.print(title, soft_wrap=True)
    if outcome.trail.weakest_support is not None:
        said.append(f"weakest claim {outcome.trail.weakest_support:.2f}: its support probability, not a score")
    flags = ", ".join(flag for flag in outcome.trail.flags if flag not in QUIET_FLAGS)
    for line in (*said, *([f"flags: {flags}"] if flags else [])):
        _print_paragraph(console, line, _INDENT)


def _print_finding(console: Console, finding: Finding, find_sentence: Callable[[Evidence], str]) -> None:
    label = finding.label
    said = finding.said + (f", by {finding.author}" if finding.author else "")
    title = Text.assemble(f"{_INDENT}{finding.unit.id}  ", (said, COLOURS[finding.tone.name]))
    console.print(title, soft_wrap=True)
    lines = [f"“{finding.unit.placed_text}”"]
    if label.pieces:
        lines.append(f"words at fault: {format_faults(label)}")
    lines += [format_quote(finding, find_sentence(each), f"“{each.quote}”") for each in finding.quotes]
    lines += [f"{name}: {text}" for name, text in (("suspicion", label.suspicion), ("why", label.note)) if text]
    for line in lines:
        _print_paragraph(console, line, _DEEP)


def _count_claims(metric: Metric, outcome: Outcome) -> str:
    """What was found in the claims and what is left to check: a score alone would hide what was not decided."""
    found = [each for each in build_findings(metric, outcome.trail, {}) if each.unit.kind == "claim"]
    faulty, undecided = ([each for each in found if _rank(each) == rank] for rank in (0, 1))
    if not found:
        return ""
    held = len(found) - len(faulty) - len(undecided)
    parts = [f"problems in {len(faulty)} of {len(found)} claims"] if faulty else []
    parts += [f"no problem found in {held} of {len(found)} claims"] if not faulty else []
    parts += [f"{len(undecided)} to check by hand"] if undecided else []
    return "; ".join(parts)


def _rank(finding: Finding) -> int:
    """Problems first, then what is uncertain, then what holds."""
    if not finding.label.decided:
        return 1
    return 0 if finding.is_doubtful else 2
