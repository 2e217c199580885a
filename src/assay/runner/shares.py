"""Holds one metric's share of a whole reply to what the rubric asks of its lists and grades."""

from collections.abc import Iterator
from dataclasses import replace

from assay.domain.ask import Fault, Share, Written
from assay.domain.record import Record, Source
from assay.domain.rubric import Bank, Metric, Rubric
from assay.domain.units import NAMES, Unit, count_units
from assay.runner.asking import SUSPICIONS, find_suspicions
from assay.units.banks import least_wanted, screen


def hold_share(share: Share, metric: Metric, rubric: Rubric, record: Record) -> Share:
    """The units a bank would have dropped are dropped here too, and grades that do not fit their list are flagged."""
    if share.fault is not None:
        return share
    for part in metric.label_parts:
        bank = rubric.bank(part.unit)
        if bank is not None and bank.screen:
            share = _screen(share, bank, record)
    open_flags = ("undecided_units",) if any(not label.decided for label in share.findings.labels) else ()
    return replace(share, flags=share.flags + open_flags + find_suspicions(metric, share.findings))


def _screen(share: Share, bank: Bank, record: Record) -> Share:
    dropped: list[str] = []
    flags: list[str] = []
    out: set[str] = set()
    for sources, units in _group(share, bank, record):
        written = [Written(unit.text, (unit.id,)) for unit in units]
        screened = screen(written, replace(bank, most=max(1, len(written))))
        left = {each.sentences[0] for each in screened.units} if any(each.text.strip() for each in sources) else set()
        out |= {unit.id for unit in units} - left
        dropped += [notice.note for notice in screened.dropped]
        if len(left) < least_wanted(bank, sources) and any(each.text.strip() for each in sources):
            flags.append(bank.outside_limits)
    kept = tuple(unit for unit in share.units if unit.id not in out)
    labels = tuple(label for label in share.findings.labels if label.unit not in out)
    return replace(
        share,
        units=kept,
        findings=replace(share.findings, labels=labels),
        flags=tuple(dict.fromkeys((*share.flags, *flags))),
        repairs=(*share.repairs, *dropped),
        fault=None if kept else Fault(f"no {NAMES[bank.unit][0]} is left that can be counted", "malformed"),
    )


def _group(share: Share, bank: Bank, record: Record) -> Iterator[tuple[tuple[Source, ...], list[Unit]]]:
    units = [unit for unit in share.units if unit.kind == bank.unit]
    if not bank.each_source:
        yield record.sources, units
        return
    for source in record.sources:
        yield (source,), [unit for unit in units if source.id in unit.sources]


def explain_doubt(share: Share, metric: Metric, rubric: Rubric) -> str | None:
    """Why a share that can be scored deserves to be asked for once more, in words fit for a re-ask."""
    if share.fault is not None:
        return None
    doubts = []
    unread = sum(not label.decided for label in share.findings.labels)
    if unread:
        doubts.append(f"{unread} labels are none of those asked for")
    if any(flag in SUSPICIONS for flag in share.flags):
        doubts.append("the grades and the list do not fit each other, mind which end of the scale is best")
    for part in metric.label_parts:
        bank = rubric.bank(part.unit)
        if bank is not None and bank.outside_limits in share.flags:
            each = " for each source" if bank.each_source else ""
            doubts.append(f"list from {bank.least} to {count_units(bank.unit, bank.most)}{each}")
    return f"{metric.id}: {'; '.join(doubts)}" if doubts else None
