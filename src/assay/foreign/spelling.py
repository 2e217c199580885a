"""JSON for text and text for JSON: a reply says the same in either, and one reader reads both."""

import re
from collections.abc import Iterator, Mapping

from assay.domain.json import JSON
from assay.domain.rubric import Rubric
from assay.domain.shape import Shape
from assay.foreign.outline import fold_words, strip_emphasis
from assay.replies.salvage import is_list, salvage_json

_DEEPEST = 4


def spell_out(text: str) -> str:
    """Objects of a reply as headings and lists; a reply without one is returned as it is."""
    if "{" not in text:
        return text
    values = [value for value in salvage_json(text).values if value]
    if not values:
        return text
    start, end = text.find("{"), text.rfind("}")
    spelt = "\n".join(line for value in values for line in _spell(value, 0))
    return f"{text[:start].strip('`[ ')}\n{spelt}\n{text[end + 1 :].strip('`] ')}" if end > start else text


def _spell(value: JSON, depth: int) -> Iterator[str]:
    if isinstance(value, Mapping) and depth < _DEEPEST:
        for key, each in value.items():
            title = str(key).replace("_", " ").capitalize()
            if isinstance(each, Mapping):
                yield f"{'#' * (depth + 1)} {title}"
                yield from _spell(each, depth + 1)
            elif is_list(each):
                yield f"{'#' * (depth + 2)} {title}"
                yield from (f"- {_spell_entry(entry)}" for entry in each)
                yield from () if each else ("None",)
            else:
                yield f"{'#' * (depth + 2)} {title}: {'None' if each is None else each}"
            yield ""
    elif is_list(value):
        for entry in value:
            yield from _spell(entry, depth)
    elif value is not None:
        yield str(value)


def _spell_entry(value: JSON) -> str:
    """The first text of an object names it; what else it holds is said behind."""
    if not isinstance(value, Mapping):
        return " ".join(str(value).split())
    said = [" ".join(str(each).split()) for each in value.values() if each not in (None, "")]
    texts = [each for each in said if not each.isdecimal()]
    return " | ".join(texts or said)


_FIELD = re.compile(
    r"[\s#>*_\-\d.)]*(?P<name>[A-Za-z][\w &/-]{2,40}?)\s*(?:\([^()\n]*\))?\s*[*_]{0,3}\s*[:=–-]\s*(?P<rest>.*)"
)
_LEADING_SCORE = re.compile(r"[\s*_(]*(\d{1,3}(?:\.\d+)?(?:\s*/\s*\d{1,3})?)(?![\w.]\d)[\s*_).:,–-]*(.*)", re.DOTALL)


def read_fields(text: str, shape: Shape, rubric: Rubric) -> dict[str, JSON]:
    """The scores and reasons of a reply that gives each metric a line, "Clarity: 4", in place of an object."""
    places = {(row.metric, row.holds): row.place for row in shape.rows if row.holds in {"score", "reason"}}
    if any("." in place for place in places.values()):
        return {}
    named = {
        " ".join(fold_words(name.replace("_", " "))): (metric.id, "score")
        for metric in rubric.metrics
        for name in (metric.id, metric.name)
    }
    named |= {f"{name} score": key for name, key in tuple(named.items())}
    named |= {" ".join(fold_words(place.replace("_", " "))): key for key, place in places.items()}
    said: dict[tuple[str, str], list[str]] = {}
    current: tuple[str, str] | None = None
    for line in text.splitlines():
        found = _FIELD.fullmatch(line)
        key = named.get(" ".join(fold_words(found["name"].replace("_", " ")))) if found else None
        if key is not None and found is not None:
            current, rest = key, found["rest"]
        else:
            rest = line
        if current is not None:
            said.setdefault(current, []).append(strip_emphasis(rest))
    fields: dict[str, JSON] = {}
    for (metric, holds), lines in said.items():
        whole = " ".join(line for line in lines if line)
        scored = _LEADING_SCORE.fullmatch(whole) if holds == "score" else None
        if scored:
            fields[places[metric, "score"]] = scored[1]
            if (metric, "reason") in places and scored[2].strip():
                fields.setdefault(
                    places[metric, "reason"],
                    re.sub(
                        r"^(?:reason\w*|explanation|justification)\s*:\s*", "", scored[2].strip(), flags=re.IGNORECASE
                    ),
                )
        elif holds == "reason" and whole:
            fields[places[metric, "reason"]] = whole
    return fields if any(key in fields for (_, holds), key in places.items() if holds == "score") else {}
