"""One record explained on a terminal: each score with its rule, each unit with its label, its quote and the reason."""

from dataclasses import dataclass

from rich.console import Console
from rich.text import Text

from assay.domain.outcome import Outcome, Verdict
from assay.domain.rubric import Metric
from assay.domain.scale import say_scale
from assay.domain.scorecard import Scorecard
from assay.report.display import QUIET_FLAGS, format_faults, group_unscored, list_cautions, list_opinions
from assay.report.findings import Finding, Nearest, add_closest, build_findings, format_quote
from assay.report.terminal import COLOURS, build_cell, make_printable, print_wrapped
from assay.text.language import identify
from assay.units.passages import Passages, number_record

# A wide screen does not make a longer line easier to read.
_WIDEST = 80
_INDENT = "  "
_DEEP = "      "


def print_explanation(console: Console, card: Scorecard) -> None:
    """Every answer by itself where several judges or samples stand behind a score."""
    page = _Page(console, number_record(card.record, identify(card.record.output) or "en"), Nearest(card))
    system = f" ({card.record.system})" if card.record.system else ""
    console.print(Text(make_printable(f"{card.record.id}{system}"), style="bold"), soft_wrap=True)
    page.print_paragraph(f"judged by {card.judge}", _INDENT)
    for caution in list_cautions(card.rubric, [card.judge]):
        page.print_paragraph(caution, _INDENT, hang="")
    unscored = group_unscored(card)
    for metric in card.rubric.metrics:
        outcome = card.outcomes[metric.id]
        if any(metric.id in ids for ids in unscored.values()):
            continue
        console.print()
        page.print_score(metric, outcome)
        voices = card.voices.get(metric.id, ())
        for voice in voices:
            console.print()
            page.print_paragraph(f"{voice.judge}: {build_cell(voice.outcome).plain}", _INDENT)
            page.print_findings(metric, voice.outcome)
        if not voices:
            page.print_findings(metric, outcome)
    for reason, ids in unscored.items():
        console.print()
        page.print_paragraph(f"{', '.join(card.rubric.metric(each).name for each in ids)} not scored: {reason}")
    if card.notices:
        console.print()
        console.print("Rule-based checks", style="bold")
        for notice in card.notices:
            page.print_paragraph(f"{notice.check}: {notice.note}", _INDENT)


@dataclass(frozen=True, slots=True)
class _Page:
    console: Console
    passages: Passages
    nearest: Nearest

    def print_paragraph(self, text: str, indent: str = "", hang: str = "  ") -> None:
        """One paragraph. Whatever a record holds, it breaks no line and moves no cursor."""
        print_wrapped(self.console, make_printable(" ".join(text.split())), indent, hang, widest=_WIDEST)

    def print_score(self, metric: Metric, outcome: Outcome) -> None:
        title = Text.assemble((f"{metric.name}: ", "bold"), build_cell(outcome))
        if isinstance(outcome, Verdict) and (said := _count_claims(metric, outcome)):
            self.console.print(Text.assemble((f"{metric.name}: ", "bold"), said), soft_wrap=True)
            title = Text.assemble(f"{_INDENT}score ", build_cell(outcome))
        self.console.print(title, soft_wrap=True)
        if isinstance(outcome, Verdict):
            self.print_paragraph(f"scale {say_scale(metric.scale)}; rule: {metric.rule}", _INDENT)
            self.print_paragraph(outcome.score.derivation, _INDENT)
        else:
            self.print_paragraph(outcome.reason, _INDENT)
        if outcome.trail.weakest_support is not None:
            said = f"weakest claim {outcome.trail.weakest_support:.2f}: its support probability, not a score"
            self.print_paragraph(said, _INDENT)
        flags = [flag for flag in outcome.trail.flags if flag not in QUIET_FLAGS]
        if flags:
            self.print_paragraph(f"flags: {', '.join(flags)}", _INDENT)

    def print_findings(self, metric: Metric, outcome: Outcome) -> None:
        found = add_closest(self.nearest, build_findings(metric, outcome.trail, {}))
        for finding in sorted(found, key=_rank):
            self.console.print()
            self._print_finding(finding)
        for name, said, reason in list_opinions(outcome.trail.findings, metric):
            self.console.print()
            self.print_paragraph(f"{name}: {said}" + (f" – {reason}" if reason else ""), _INDENT)

    def _print_finding(self, finding: Finding) -> None:
        label = finding.label
        said = finding.said + (f", by {finding.author}" if finding.author else "")
        title = Text.assemble(f"{_INDENT}{finding.unit.id}  ", (said, COLOURS[finding.tone.name]))
        self.console.print(title, soft_wrap=True)
        self.print_paragraph(f"“{finding.unit.placed_text}”", _DEEP)
        if label.pieces:
            self.print_paragraph(f"words at fault: {format_faults(label)}", _DEEP)
        for quote in finding.quotes:
            where = self._find_sentence(quote.source, quote.span.start)
            self.print_paragraph(format_quote(finding, where, f"“{quote.quote}”"), _DEEP)
        if label.suspicion:
            self.print_paragraph(f"suspicion: {label.suspicion}", _DEEP)
        if label.note:
            self.print_paragraph(f"why: {label.note}", _DEEP)

    def _find_sentence(self, source: str, start: int) -> str:
        """The id by which judges cite the sentence in which a quote begins."""
        found = (each.id for each in self.passages.of(source) if each.span.start <= start < each.span.end)
        return next(found, source)


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
