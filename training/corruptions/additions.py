"""Things the source never said, set inside a sentence that it did say."""

import random
import re
from collections.abc import Sequence

from training.corruptions.entities import find_names

_CAUSES = (
    "because of rising costs", "because of a shortage of staff", "owing to public pressure", "due to bad weather",
    "because of an injury", "as a result of new regulations", "due to a lack of funding", "because of strong demand",
    "following complaints from residents", "as a consequence of the war", "thanks to a large donation",
    "because of family reasons", "due to its low price", "because of a change in leadership",
    "as a result of the treatment",
    "owing to a software error", "because of improved diet", "due to drug interactions", "because of high taxes",
    "in order to save money", "in response to criticism", "because the contract had expired", "due to climate change",
)  # fmt: skip
_DETAILS = (
    "in front of a large crowd", "together with a former colleague", "at a cost of several million", "in the capital",
    "for the second time", "with the help of volunteers", "during the summer", "at the age of twenty-six",
    "free of charge",
    "on a Tuesday morning", "in a small village near the coast", "with a five-year warranty", "to great acclaim",
    "in both black and white", "as reported by the local newspaper", "under a false name", "without any side effects",
    "in all age groups", "for more than a decade", "with support from the government", "by a narrow margin",
    "ahead of schedule", "at the request of the family", "in three languages", "at night", "by train", "in secret",
    "on the second floor", "with overwhelming public approval", "after a long illness", "in a record time",
    "at no extra charge", "as part of a larger programme", "with an option to renew",
    "in partnership with a university",
)  # fmt: skip
_ASIDES = (
    "a former teacher", "a close friend of the mayor", "the youngest of three siblings", "a keen gardener",
    "the first of its kind", "originally from Portugal", "known for its strict rules", "long considered a favourite",
    "a graduate of a local college", "widely used in hospitals", "an award winner in the previous year",
    "the most expensive in its class", "founded by two brothers", "named after a saint", "popular with tourists",
)  # fmt: skip
_END = re.compile(r"[.!?]?\s*$")
_CLAUSE = re.compile(r"(?<=\w),? (?:and|but|while) (?=\w)|, (?=which |who |where )|; ")
_VERB = re.compile(r" (?:is|was|are|were|has|had|will|can) ")


def insert_cause(sentence: str, _others: Sequence[str], rng: random.Random) -> str | None:
    """A reason the source does not give."""
    return _append(sentence, rng.choice(_CAUSES)) if " because " not in sentence else None


def insert_detail(sentence: str, _others: Sequence[str], rng: random.Random) -> str | None:
    """A circumstance at the end, or an aside after a name, that the source does not hold."""
    names = find_names(sentence)
    if names and rng.random() < 0.5:
        place = rng.choice(names).end()
        if sentence[place : place + 1] in (" ", ","):
            comma = "" if sentence[place] == "," else ","
            return f"{sentence[:place]}, {rng.choice(_ASIDES)}{comma}{sentence[place:]}"
    return _append(sentence, rng.choice(_DETAILS))


def borrow_clause(sentence: str, others: Sequence[str], rng: random.Random) -> str | None:
    """The end of another document's sentence attached to this one, as if both were said of the same thing."""
    ends = [other[found.end() :] for other in others for found in _CLAUSE.finditer(other)]
    usable = [end for end in ends if 3 <= len(end.split()) <= 14]
    return _append(sentence, "and " + _END.sub("", rng.choice(usable)), comma=True) if usable else None


def merge_facts(sentence: str, others: Sequence[str], rng: random.Random) -> str | None:
    """This sentence's subject with another's predicate: two true halves, one unfounded whole."""
    mine = _VERB.search(sentence)
    theirs = [(other, found) for other in others if (found := _VERB.search(other)) is not None]
    alike = [(other, found) for other, found in theirs if mine is not None and found.group() == mine.group()]
    if mine is None or not alike:
        return None
    other, found = rng.choice(alike)
    merged = sentence[: mine.start()] + other[found.start() :]
    return merged if merged not in (sentence, other) and len(merged.split()) > 4 else None


def _append(sentence: str, words: str, *, comma: bool = False) -> str:
    end = _END.search(sentence)
    place = end.start() if end else len(sentence)
    return f"{sentence[:place]}{',' if comma else ''} {words}{sentence[place:] or '.'}"
