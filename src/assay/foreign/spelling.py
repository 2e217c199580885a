"""The objects of a reply as headings and lists, for the reader of explanations."""

from collections.abc import Iterator, Mapping

from assay.domain.json import JSON
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
