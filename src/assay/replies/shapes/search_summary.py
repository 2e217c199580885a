"""Reads the search summary's one object of three evaluations."""

from collections.abc import Mapping
from fractions import Fraction

from assay.domain.ask import Answer, Fault, Share
from assay.domain.findings import UNDECIDED, Findings, Grade, Label, Pick
from assay.domain.json import JSON
from assay.domain.record import Record
from assay.domain.units import Unit
from assay.replies.fields import read_label
from assay.replies.reading import Misreading
from assay.replies.refusals import is_refusal
from assay.replies.salvage import Salvaged, salvage_json
from assay.replies.shapes.objects import (
    entries,
    gather_objects,
    missing,
    read_level,
    read_reported,
    text_of,
    told_twice,
)
from assay.text.urls import normalise_url

_KEYS = {
    "hallucination": "hallucination_evaluation",
    "summary_quality": "summary_quality_evaluation",
    "answer_relevancy": "answer_relevancy_evaluation",
}
_ANSWERED = {"true": "full", "yes": "full", "full": "full", "fully": "full", "answered": "full", "partial": "partial",
             "partially": "partial", "partly": "partial", "false": "no", "no": "no", "not answered": "no"}  # fmt: skip


def read_search_summary(text: str, record: Record) -> Answer:
    salvaged = salvage_json(text)
    gathered = gather_objects(salvaged.values, _KEYS.values())
    body, repairs = gathered.body, (*salvaged.repairs, *gathered.repairs)
    fault = _find_fault(body, salvaged, text, record)
    if fault is not None:
        return Answer(faults=(fault,), repairs=repairs, reply=text)
    shares = {}
    readers = {
        "hallucination": _read_hallucination,
        "summary_quality": _read_quality,
        "answer_relevancy": _read_relevancy,
    }
    cut_off = list(body)[-1] if salvaged.truncated else None
    for name, key in _KEYS.items():
        value = body.get(key)
        if key in gathered.torn:
            shares[name] = told_twice(key)
        elif isinstance(value, Mapping):
            share = readers[name](value, record)
            # What had not arrived yet is not missing.
            is_lacking = share.fault is not None and share.fault.status == "malformed"
            if key == cut_off and (is_lacking or _ends_in_a_list(value)):
                share = Share(fault=Fault(f"the reply was cut off inside {key}", "truncated"))
            shares[name] = share
        elif salvaged.truncated:
            shares[name] = Share(fault=Fault(f"the reply was cut off before {key}", "truncated"))
        else:
            shares[name] = missing(key)
    return Answer(shares=shares, repairs=repairs, reply=text)


def _find_fault(body: Mapping[str, JSON], salvaged: Salvaged, text: str, record: Record) -> Fault | None:
    """Why nothing at all can be taken from a reply."""
    if not any(key in body for key in _KEYS.values()):
        if is_refusal(text) or set(body) == {"error"}:
            return Fault("the reply was a refusal", "refused")
        if salvaged.truncated:
            return Fault("the reply was cut off", "truncated")
        return Fault("none of the three evaluations is there", "malformed")
    query = text_of(body, "user_query")
    if query and query.casefold().split() != (record.query or "").casefold().split():
        return Fault("the reply is about another query", "malformed")
    return None


def _ends_in_a_list(value: Mapping[str, JSON]) -> bool:
    """Half a list of questions would count as a short one."""
    return not value or isinstance(list(value.values())[-1], Mapping | list)


def _read_hallucination(entry: Mapping[str, JSON], _record: Record) -> Share:
    level, fault, repaired = read_level(entry.get("hallucination_score"), 0, 3, whole=True)
    reason = text_of(entry, "hallucination_justification")
    return Share(
        level=level,
        reported={"score": entry.get("hallucination_score"), "reason": reason},
        flags=() if reason else ("missing_reasoning",),
        repairs=(repaired,) if repaired else (),
        fault=fault,
    )


def _read_quality(entry: Mapping[str, JSON], record: Record) -> Share:
    """The booleans are the evidence: a percentage without its questions can't be verified and is not taken."""
    units: list[Unit] = []
    labels: list[Label] = []
    repairs: list[str] = []
    seen: set[str] = set()
    for group in entries(entry.get("questions_and_answers")):
        source = _find_source(group.get("text_url"), record)
        if source is None or source in seen:
            repairs.append(f"questions for {'an unknown' if source is None else 'a repeated'} text_url dropped")
            continue
        seen.add(source)
        for each in entries(group.get("questions"), "question"):
            unit = Unit("", "question", text_of(each, "question"), sources=(source,)).numbered(len(units) + 1)
            units.append(unit)
            labels.append(_read_answered(each, unit.id, repairs))
    reported = {"score": _percentage(entry.get("summary_quality_score"))}
    fault = None if units else Fault("the quality score comes without questions: it can't be verified", "malformed")
    return Share(tuple(units), Findings(tuple(labels)), reported, repairs=_once(repairs), fault=fault)


def _read_answered(entry: Mapping[str, JSON], unit: str, repairs: list[str]) -> Label:
    value = entry.get("is_answered")
    note = text_of(entry, "answer_justification")
    reading = read_label(str(value) if isinstance(value, bool) else value, ["full", "partial", "no"], _ANSWERED)
    if isinstance(reading, Misreading):
        repairs.append(f"{unit}: {reading.reason}")
        return Label("question", unit, UNDECIDED, note=f"{note} ({reading.reason})".strip())
    if not isinstance(value, bool):
        repairs.append("is_answered in words")
    return Label("question", unit, reading.value, note=note)


def _find_source(value: JSON, record: Record) -> str | None:
    """By its address, however it is written, or by its number as S1."""
    if not isinstance(value, str) or not value.strip():
        return None
    wanted = normalise_url(value)
    addressed = (source.id for source in record.sources if source.url and normalise_url(source.url) == wanted)
    numbered = (source.id for source in record.sources if source.id == value.strip(" []").lower())
    return next(addressed, next(numbered, None))


def _percentage(value: JSON) -> JSON:
    """80, "80%" and "8 out of 10" are one number."""
    if isinstance(value, str) and "out of" in value:
        part, _, whole = value.partition("out of")
        digits = [each.strip().rstrip("%.") for each in (part, whole)]
        if all(each.isdecimal() for each in digits) and int(digits[1]):
            return float(Fraction(int(digits[0]) * 100, int(digits[1])))
    return read_reported(value, 0, 100)[0]


def _read_relevancy(entry: Mapping[str, JSON], record: Record) -> Share:
    level, fault, repaired = read_level(entry.get("relevancy_score"), 0, 3, whole=True)
    urls = entry.get("relevant_search_result_urls")
    listed = [each.get("url") if isinstance(each, Mapping) else each for each in urls] if isinstance(urls, list) else []
    known = [source for each in listed if (source := _find_source(each, record)) is not None]
    reason = text_of(entry, "relevancy_justification")
    flags = [] if reason else ["missing_reasoning"]
    flags += ["unknown_source"] if len(known) < len(listed) else []
    grades = (Grade("grade", level, reason),) if level is not None else ()
    picks = (Pick("relevant_sources", tuple(dict.fromkeys(known))),) if isinstance(urls, list) else ()
    return Share(
        findings=Findings(grades=grades, picks=picks),
        reported={"score": entry.get("relevancy_score")},
        flags=tuple(flags),
        repairs=(repaired,) if repaired else (),
        fault=fault,
    )


def _once(words: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(words))
