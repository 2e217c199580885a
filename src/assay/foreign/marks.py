"""The verdicts that entries of a list carry: a sign, a column, or a word behind a dash, colon, arrow or bracket."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from assay.domain.shape import Shape
from assay.domain.units import UnitKind
from assay.foreign.lists import Entry

_SIGNS = dict.fromkeys("✓✔✅☑", "yes") | dict.fromkeys("✗✘❌✖⚠", "no")
_LEADING = re.compile(
    r"\W*(?:this\s+|it\s+)?(?:is\s+|are\s+|was\s+)?(?:fully\s+(?=\w)|directly\s+|clearly\s+|explicitly\s+)?",
    re.IGNORECASE,
)
_SEPARATOR = re.compile(r"\s[-–—]+\s+|\s*[→|]\s*|\s*=>\s*|:\s+|;\s+|\s*[(\[]|,\s+(?:so|hence|thus|therefore)\s+")
# Behind a verdict in prose a clause may follow, but no noun: "matches nothing" is no match.
_ENDS = (
    r"(?=\W*$|\s*[.,;:!()\[\]–—-]|\s+(?:by|in|from|with|because|since|as)\b"
    r"|\s+(?:the|this|its|all)\s+(?:input|source|data|product|opinion|review|title|listing|summary))"
)


@dataclass(frozen=True, slots=True)
class Mark:
    """An entry without its verdict, the verdict as a word of the shape, and what else is said of it."""

    text: str
    word: str | None
    note: str


def read_marks(entries: Sequence[Entry], unit: UnitKind | None, shape: Shape, key: str = "") -> list[Mark]:
    """The verdict of each entry. In a table it stands in the last column that holds nothing else.

    `key` is the name that the verdict may have in a line of its own, as "Status: supported".
    """
    reader = _MarkReader(unit, shape, key)
    width = min((len(entry.cells) for entry in entries), default=0)
    columns = [at for at in range(width) if all(reader.read_words(entry.cells[at]) for entry in entries)]
    return [reader.read(entry, columns[-1] if columns else None) for entry in entries]


class _MarkReader:
    def __init__(self, unit: UnitKind | None, shape: Shape, key: str) -> None:
        words = [word for word in shape.words if word.unit == unit]
        pairs = {each.lower(): word.word for word in words for each in (word.word, *word.synonyms)}
        self.known = sorted(pairs.items(), key=lambda pair: -len(pair[0]))
        self.key = re.compile(rf"^{re.escape(key.replace('_', ' '))}\s*[:=]\s*", re.IGNORECASE) if key else None

    def read_words(self, said: str, ends: str = r"\b") -> str | None:
        for sign, meant in _SIGNS.items():
            if sign in said:
                return dict(self.known).get(meant, meant)
        named = self.key.sub("", said) if self.key else said
        named = re.sub(r"^(?:verdict|status|result|label)\s*[:=]\s*", "", named, flags=re.IGNORECASE).lower()
        for bare in (named.strip(" *_"), _LEADING.sub("", named, count=1)):
            for word, meant in self.known:
                if re.match(rf"{re.escape(word)}\b{ends}", bare):
                    return meant
        return None

    def read(self, entry: Entry, column: int | None) -> Mark:
        others = [*entry.cells, *entry.notes]
        places = [column] if column is not None else range(len(others))
        for at in places:
            if word := self.read_words(others[at], r"\b" if self.key or at < len(entry.cells) else _ENDS):
                return Mark(entry.text, word, " | ".join(others[:at] + others[at + 1 :]))
        signs = [sign for sign in _SIGNS if sign in entry.text]
        if signs:
            text = re.sub(rf"\s*[-–—→:(]*\s*{signs[0]}\ufe0f?[\s)]*", " ", entry.text).strip()
            return Mark(text, self.read_words(signs[0]), " | ".join(others))
        for separator in reversed(list(_SEPARATOR.finditer(entry.text))):
            if word := self.read_words(entry.text[separator.end() :], _ENDS):
                return Mark(entry.text[: separator.start()].strip(), word, " | ".join(others))
        return Mark(entry.text, None, " | ".join(others))
