"""Reads the article audit's five objects: bare, fenced, wrapped, out of order, or an error object alone."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from assay.domain.ask import Answer, Fault, Share
from assay.domain.findings import Findings, Grade, Label, Pick, Remark
from assay.domain.json import JSON
from assay.domain.record import Record
from assay.domain.units import Unit
from assay.replies.fields import read_label, read_share
from assay.replies.reading import Misreading, Reading
from assay.replies.refusals import is_refusal
from assay.replies.salvage import Salvaged, salvage_json
from assay.replies.shapes.objects import (
    Words,
    entries,
    label_entries,
    locate,
    missing,
    objects_in,
    read_level,
    read_reported,
    text_of,
    told_twice,
)

METRICS = ("coverage", "alignment", "hallucination", "relevance", "bias_toxicity")
# The scores of the example in the prompt this shape comes from. A reply that repeats all five has copied them.
_EXAMPLE = {"coverage": "5.9", "alignment": "7.4", "hallucination": "4", "relevance": "3.8", "bias_toxicity": "9"}
_COVERED = Words(
    own={"Fully": "Fully", "Partial": "Partial", "Not": "Not"},
    synonyms={"full": "Fully", "yes": "Fully", "partially": "Partial", "partly": "Partial", "none": "Not",
              "no": "Not", "not covered": "Not", "missing": "Not"},
)  # fmt: skip
_SUPPORT = Words(
    own={"Supported": "supported", "Partially": "partial", "Unsupported": "absent", "Contradicted": "contradicted"},
    synonyms={"fully supported": "Supported", "partial": "Partially", "partially supported": "Partially",
              "not supported": "Unsupported"},
)  # fmt: skip
# "Low" stays unread: it may mean Some or None, and only one of them caps the score.
_RELEVANT = Words(own={"High": "High", "Some": "Some", "None": "None"}, synonyms={"medium": "Some", "no": "None"})
_ASPECTS = {"stance": "meaning", "intent": "focus"}
_TONES = ("neutral", "subjective", "hostile", "unclear")
_MOST_POINTS, _LEAST_POINTS = 7, 3
_DEEPEST = 3


def read_article_audit(text: str, record: Record) -> Answer:
    salvaged = salvage_json(text)
    found, repairs, torn = _sort_objects(salvaged)
    if not found and not torn:
        return Answer(faults=(_explain_nothing(salvaged, text),), repairs=tuple(salvaged.repairs), reply=text)
    readers = {
        "coverage": _read_coverage,
        "alignment": _read_alignment,
        "hallucination": _read_hallucination,
        "relevance": _read_relevance,
        "bias_toxicity": _read_bias,
    }
    shares = {}
    cut_off = _name_cut_off(found, salvaged)
    for name in METRICS:
        if name in torn:
            shares[name] = told_twice(name)
        elif name == cut_off:
            shares[name] = Share(fault=Fault(f"the reply was cut off inside {name}", "truncated"))
        elif name in found:
            shares[name] = readers[name](found[name], record)
        else:
            cut = Fault(f"the reply was cut off before {name}", "truncated")
            shares[name] = Share(fault=cut) if salvaged.truncated else missing(name)
    echoed = all(_is_number(shares[name].reported.get("score"), number) for name, number in _EXAMPLE.items())
    flags = ("echoed_example",) if echoed else ()
    return Answer(shares=shares, flags=flags, repairs=(*salvaged.repairs, *repairs), reply=text)


def _name_cut_off(found: dict[str, Mapping[str, JSON]], salvaged: Salvaged) -> str | None:
    """The metric inside which a reply ends too early: half a list would count as a short one."""
    if not salvaged.truncated or not found:
        return None
    name, last = list(found.items())[-1]
    ends_in_a_list = not last or isinstance(list(last.values())[-1], Mapping | list)
    return name if ends_in_a_list or "overall_score" not in last else None


def _sort_objects(salvaged: Salvaged) -> tuple[dict[str, Mapping[str, JSON]], list[str], set[str]]:
    found: dict[str, Mapping[str, JSON]] = {}
    torn: set[str] = set()
    repairs: list[str] = []
    for key, value in _find_named(salvaged.values, repairs, _DEEPEST):
        if found.get(key, value) != value:
            torn.add(key)
        elif key in found:
            repairs.append("repeated object dropped")
        found[key] = value
    if list(found) != sorted(found, key=METRICS.index):
        repairs.append("out of order")
    return {name: value for name, value in found.items() if name not in torn}, list(dict.fromkeys(repairs)), torn


def _find_named(values: Iterable[JSON], repairs: list[str], depth: int) -> Iterator[tuple[str, Mapping[str, JSON]]]:
    """Objects that say which metric they are, bare or inside arrays and objects that wrap them."""
    for value in values:
        if isinstance(value, Mapping) and (name := _name(value.get("metric"))):
            yield name, value
        elif isinstance(value, Mapping) and set(value) == {"error"}:
            repairs.append("an error object beside the metrics")
        elif isinstance(value, Mapping):
            named = {key: each for raw, each in value.items() if (key := _name(raw)) and isinstance(each, Mapping)}
            wrapped = list(_find_named(value.values(), repairs, depth - 1)) if depth and not named else []
            repairs += ["wrapped in one object"] if named or wrapped else []
            yield from [*named.items(), *wrapped]
        elif isinstance(value, Sequence) and not isinstance(value, str) and depth:
            wrapped = list(_find_named(value, repairs, depth - 1))
            repairs += ["wrapped in an array"] if wrapped else []
            yield from wrapped


def _name(value: JSON) -> str | None:
    """`Bias & Toxicity`, `bias-toxicity` and `BiasToxicity` are one metric."""
    if not isinstance(value, str):
        return None
    letters = "".join(letter for letter in value.lower() if letter.isalpha()).replace("and", "")
    return next((metric for metric in METRICS if metric.replace("_", "") == letters), None)


def _explain_nothing(salvaged: Salvaged, text: str) -> Fault:
    errors = [each for each in objects_in(salvaged.values) if "error" in each]
    if errors:
        return Fault(f"the reply is an error object: {text_of(errors[0], 'error')}", "refused")
    if is_refusal(text):
        return Fault("the reply was a refusal", "refused")
    if salvaged.truncated:
        return Fault("the reply was cut off before the first metric ended", "truncated")
    return Fault("the reply holds none of the five metric objects", "malformed")


def _reported(entry: Mapping[str, JSON], *shares: str) -> tuple[dict[str, object], list[str]]:
    """The reply's own numbers, and what was odd about how they are written."""
    kept: dict[str, object] = {}
    repairs: list[str] = []
    for name in shares:
        if name in entry:
            reading = read_share(entry[name])
            kept[name] = entry[name] if isinstance(reading, Misreading) else reading.value
            repairs += [] if isinstance(reading, Misreading) else _kept(reading.repaired)
    if "overall_score" in entry:
        kept["score"], repaired = read_reported(entry["overall_score"], 0, 10)
        repairs += _kept(repaired)
    if rationale := text_of(entry, "rationale"):
        kept["rationale"] = rationale
    return kept, repairs


def _read_coverage(entry: Mapping[str, JSON], record: Record) -> Share:
    points = entries(entry.get("key_points"), "point")
    flags = [] if _LEAST_POINTS <= len(points) <= _MOST_POINTS else ["keypoint_count_violation"]
    keys = ("point", "coverage", "justification")
    units, labels, repairs = label_entries(points[:_MOST_POINTS], "key_point", keys, _COVERED, record.output)
    extraneous = [text_of(each, "text") for each in entries(entry.get("extraneous"), "text")]
    spans = [(text, locate(text, record.output)) for text in extraneous if text]
    unplaced = [text for text, span in spans if span is None]
    if unplaced:
        flags.append("unlocated_extraneous")
    claims = [Unit(f"x{position}", "claim", text, span) for position, (text, span) in enumerate(spans, 1)]
    said = [Label("claim", unit.id, "absent", note="listed as extraneous") for unit in claims]
    reported, odd = _reported(entry, "precision", "recall")
    return Share(
        units=(*units, *claims),
        findings=Findings((*labels, *said)),
        reported=reported,
        unplaced_words=sum(len(text.split()) for text in unplaced),
        flags=tuple(flags),
        repairs=(*repairs, *odd),
        fault=None if units else Fault("coverage lists no key points", "malformed"),
    )


def _read_alignment(entry: Mapping[str, JSON], _record: Record) -> Share:
    aspects = entry.get("aspects")
    remarks = [Remark("aspects", _texts(aspects))] if isinstance(aspects, Mapping) else []
    for deviation in entries(entry.get("deviations")):
        fields = _texts(deviation)
        fields["aspect"] = _ASPECTS.get(fields.get("aspect", "").lower(), fields.get("aspect", ""))
        remarks.append(Remark("deviations", fields))
    level, fault, repaired = read_level(entry.get("overall_score"), 0, 10, whole=False)
    grades = (Grade("grade", level, text_of(entry, "rationale")),) if level is not None else ()
    return Share(
        findings=Findings(grades=grades, remarks=tuple(remarks)),
        reported=_reported(entry)[0],
        repairs=tuple(_kept(repaired)),
        fault=fault,
    )


def _read_hallucination(entry: Mapping[str, JSON], record: Record) -> Share:
    """A list that is there and empty says that there is nothing to check; no list at all says nothing."""
    listed = entries(entry.get("claims_checked"), "claim")
    keys = ("claim", "status", "justification")
    units, labels, repairs = label_entries(listed, "claim", keys, _SUPPORT, record.output)
    reported, odd = _reported(entry, "unsupported_fraction")
    return Share(
        units=units,
        findings=Findings(labels),
        reported=reported,
        repairs=(*repairs, *odd),
        fault=None if units or entry.get("claims_checked") == [] else Fault("hallucination lists no claims"),
    )


def _read_relevance(entry: Mapping[str, JSON], record: Record) -> Share:
    listed = entries(entry.get("summary_sections"), "section")
    keys = ("section", "relevance", "justification")
    units, labels, repairs = label_entries(listed, "section", keys, _RELEVANT, record.output)
    theme = text_of(entry, "article_theme")
    remarks = (Remark("theme", {"article_theme": theme}),) if theme else ()
    reported, odd = _reported(entry)
    return Share(
        units=units,
        findings=Findings(labels, remarks=remarks),
        reported=reported,
        repairs=(*repairs, *odd),
        fault=None if units else Fault("relevance lists no sections", "malformed"),
    )


def _read_bias(entry: Mapping[str, JSON], _record: Record) -> Share:
    grades: list[Grade] = []
    faults: list[Fault | None] = []
    repairs: list[str] = []
    for name in ("bias_score", "tox_score"):
        level, fault, repaired = read_level(entry.get(name), 0, 10, whole=False)
        repairs += _kept(repaired)
        if level is None:
            faults.append(fault)
        else:
            grades.append(Grade(name, level, text_of(entry, "rationale")))
    remarks = tuple(Remark("issues_found", _texts(issue)) for issue in entries(entry.get("issues_found"), "issue"))
    tone = read_label(entry.get("tone"), _TONES)
    picks = (Pick("tone", (tone.value,)),) if isinstance(tone, Reading) else ()
    reported, odd = _reported(entry)
    return Share(
        findings=Findings(grades=tuple(grades), picks=picks, remarks=remarks),
        reported=reported,
        repairs=(*repairs, *odd),
        fault=next((fault for fault in faults if fault), None),
    )


def _texts(entry: Mapping[str, JSON]) -> dict[str, str]:
    return {key: text_of(entry, key) for key in entry}


def _kept(repaired: str | None) -> list[str]:
    return [repaired] if repaired else []


def _is_number(value: object, wanted: str) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and Fraction(str(value)) == Fraction(wanted)
