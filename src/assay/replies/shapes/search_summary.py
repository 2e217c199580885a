"""Reads the search summary's one object of three evaluations."""

from collections.abc import Mapping
from fractions import Fraction

from assay.domain.ask import Answer, Fault, Share
from assay.domain.findings import Findings, Grade, Label, Pick
from assay.domain.json import JSON
from assay.domain.record import Record
from assay.domain.units import Unit
from assay.replies.fields import read_label, read_number
from assay.replies.reading import Misreading
from assay.replies.refusals import is_refusal
from assay.replies.salvage import salvage_json
from assay.replies.shapes.objects import entries, missing, objects_in, read_level, text_of
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
    body: dict[str, JSON] = {}
    for each in objects_in(salvaged.values):
        inner = next((value for value in each.values() if isinstance(value, Mapping) and _holds(value)), None)
        body.update(inner if inner is not None and not _holds(each) else each)
    if not _holds(body):
        cut = salvaged.truncated
        fault = Fault("the reply was cut off", "truncated") if cut else Fault("none of the three evaluations is there")
        if is_refusal(text) or set(body) == {"error"}:
            fault = Fault("the reply was a refusal", "refused")
        return Answer(faults=(fault,), repairs=salvaged.repairs, reply=text)
    shares = {}
    readers = {
        "hallucination": _read_hallucination,
        "summary_quality": _read_quality,
        "answer_relevancy": _read_relevancy,
    }
    for name, key in _KEYS.items():
        value = body.get(key)
        if isinstance(value, Mapping):
            shares[name] = readers[name](value, record)
        elif salvaged.truncated:
            shares[name] = Share(fault=Fault(f"the reply was cut off before {key}", "truncated"))
        else:
            shares[name] = missing(key)
    return Answer(shares=shares, repairs=salvaged.repairs, reply=text)


def _holds(value: Mapping[str, JSON]) -> bool:
    return any(key in value for key in _KEYS.values())


def _read_hallucination(entry: Mapping[str, JSON], _record: Record) -> Share:
    level, fault, repaired = read_level(entry.get("hallucination_score"), 0, 3, whole=True)
    reported = {"score": entry.get("hallucination_score"), "reason": text_of(entry, "hallucination_justification")}
    return Share(level=level, reported=reported, repairs=(repaired,) if repaired else (), fault=fault)


def _read_quality(entry: Mapping[str, JSON], record: Record) -> Share:
    """The booleans are the evidence: a percentage without its questions can't be verified and is not taken."""
    sources = {normalise_url(source.url or ""): source.id for source in record.sources}
    units: list[Unit] = []
    labels: list[Label] = []
    repairs: list[str] = []
    seen: set[str] = set()
    for group in entries(entry.get("questions_and_answers")):
        source = sources.get(normalise_url(text_of(group, "text_url")))
        if source is None or source in seen:
            why = "unknown" if source is None else "repeated"
            repairs.append(f"questions for an {why} text_url dropped")
            continue
        seen.add(source)
        for each in entries(group.get("questions")):
            unit = Unit("", "question", text_of(each, "question"), sources=(source,)).numbered(len(units) + 1)
            value = each.get("is_answered")
            reading = read_label(str(value) if isinstance(value, bool) else value, ["full", "partial", "no"], _ANSWERED)
            if isinstance(reading, Misreading):
                repairs.append(f"{unit.id}: {reading.reason}")
                continue
            if not isinstance(value, bool):
                repairs.append("is_answered in words")
            units.append(unit)
            labels.append(Label("question", unit.id, reading.value, note=text_of(each, "answer_justification")))
    counts = [sum(source in unit.sources for unit in units) for source in seen]
    flags = ("question_shortfall",) if any(count < 6 for count in counts) else ()
    reported = {"score": _percentage(entry.get("summary_quality_score"))}
    fault = None if units else Fault("the quality score comes without questions: it can't be verified", "malformed")
    return Share(tuple(units), Findings(tuple(labels)), reported, flags=flags, repairs=_once(repairs), fault=fault)


def _percentage(value: JSON) -> float | str | None:
    """80, "80%" and "8 out of 10" are one number."""
    if isinstance(value, str) and "out of" in value:
        part, _, whole = value.partition("out of")
        digits = [each.strip().rstrip("%") for each in (part, whole)]
        if all(each.isdecimal() for each in digits) and int(digits[1]):
            return float(Fraction(int(digits[0]) * 100, int(digits[1])))
    reading = read_number(value, 0, 100)
    return str(value) if isinstance(reading, Misreading) else float(reading.value)


def _read_relevancy(entry: Mapping[str, JSON], record: Record) -> Share:
    level, fault, repaired = read_level(entry.get("relevancy_score"), 0, 3, whole=True)
    urls = entry.get("relevant_search_result_urls")
    sources = {normalise_url(source.url or ""): source.id for source in record.sources}
    listed = urls if isinstance(urls, list) else []
    known = [sources[key] for url in listed if isinstance(url, str) and (key := normalise_url(url)) in sources]
    flags = ("unknown_source",) if len(known) < len(listed) else ()
    grades = (Grade("grade", level, text_of(entry, "relevancy_justification")),) if level is not None else ()
    picks = (Pick("relevant_sources", tuple(known)),)
    return Share(
        findings=Findings(grades=grades, picks=picks),
        reported={"score": entry.get("relevancy_score")},
        flags=flags,
        repairs=(repaired,) if repaired else (),
        fault=fault,
    )


def _once(words: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(words))
