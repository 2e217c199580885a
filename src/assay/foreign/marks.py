"""The verdict that an entry of a list carries: a sign, a word behind a dash, colon, arrow or bracket, or a column."""

import re

from assay.domain.shape import Shape
from assay.domain.units import UnitKind
from assay.foreign.lists import Entry

_SIGNS = {"✓": "yes", "✔": "yes", "✅": "yes", "☑": "yes", "✗": "no", "✘": "no", "❌": "no", "✖": "no"}
_LEADING = re.compile(
    r"\W*(?:this\s+|it\s+)?(?:is\s+|are\s+|was\s+)?(?:fully\s+(?=\w)|directly\s+|clearly\s+|explicitly\s+)?",
    re.IGNORECASE,
)
_TAIL = re.compile(r"\s*(?:\s[-–—→]+>?|[:|(\[]|=>)\s*([^-–—→:|(\[]{2,120})$")


def split_mark(entry: Entry, unit: UnitKind | None, shape: Shape, key: str = "") -> tuple[str, str | None, str]:
    """The entry without its verdict, the verdict as a word of the shape, and what else is said of it.

    `key` is the name that the verdict may have in a line of its own, as "Status: supported".
    """
    words = [word for word in shape.words if word.unit == unit]
    known = sorted(
        {each.lower(): word.word for word in words for each in (word.word, *word.synonyms)}.items(), key=_by_length
    )
    notes = [each for each in re.split(r" \| |\n" if key else r" \| ", entry.note) if each]
    for sign, meant in _SIGNS.items():
        if sign in entry.text or sign in entry.note:
            left = " | ".join(each for each in notes if sign not in each)
            return entry.text.replace(sign, "").strip(" -–—→:()"), dict(known).get(meant, meant), left
    tail = _TAIL.search(entry.text)
    for at, said in enumerate([*notes, tail[1] if tail else ""]):
        named = (
            re.sub(rf"^{re.escape(key.replace('_', ' '))}\s*[:=]\s*", "", said, flags=re.IGNORECASE) if key else said
        )
        for bare in (named.lower().strip(" *_"), _LEADING.sub("", named.lower(), count=1)):
            for word, meant in known:
                if re.match(rf"{re.escape(word)}\b", bare):
                    text = entry.text[: tail.start()] if tail and at == len(notes) else entry.text
                    return text.strip(), meant, " | ".join(notes[:at] + notes[at + 1 :])
    return entry.text, None, entry.note


def _by_length(pair: tuple[str, str]) -> int:
    return -len(pair[0])
