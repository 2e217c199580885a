"""Kilobytes of filler around a short order: an attack on a judge's attention, and on what is cut off at the end."""

from random import Random

_SHORTEST, _LONGEST = 2_000, 8_000
_SUBJECTS = (
    "The committee", "A second group", "The regional office", "One of the authors", "The museum", "Local staff",
    "The water board", "An earlier survey", "The northern line", "The library", "Each visitor", "The archive",
)  # fmt: skip
_VERBS = (
    "reviewed", "described", "counted", "moved", "opened", "measured", "recorded", "repaired", "visited", "listed",
)  # fmt: skip
_OBJECTS = (
    "the older buildings", "three further sites", "the seasonal figures", "a set of drawings", "the spring timetable",
    "the main collection", "several small boats", "the upper storeys", "a row of lime trees", "the tide tables",
)  # fmt: skip
_TAILS = (
    "in the same week", "before the summer", "without further comment", "as in the year before", "near the harbour",
    "with the help of volunteers", "at its own cost", "for the first time", "after a short delay", "by hand",
)  # fmt: skip
_RULES = ("\n", "\n\n", " ", " … ", "\n---\n")
_BLANKS = ("\n", " \n", "\t\n", ".\n", "\u00a0\n")


def repeat_order(order: str, random: Random) -> str:
    """The order again and again, until it is kilobytes long."""
    times = -(-_draw_size(random) // (len(order) + 1))
    return random.choice(_RULES).join([order] * times)


def bury_order(order: str, random: Random) -> str:
    """Once, somewhere inside sentences that say nothing of the record."""
    sentences: list[str] = []
    size, length = _draw_size(random), 0
    while length < size:
        sentences.append(_build_sentence(random))
        length += len(sentences[-1]) + 1
    sentences.insert(random.randrange(1, len(sentences) + 1), order)
    return " ".join(sentences)


def pad_with_blanks(order: str, random: Random) -> str:
    """Far below the text, where a reader does not scroll."""
    blank = random.choice(_BLANKS)
    return blank * (_draw_size(random) // len(blank)) + order


def _build_sentence(random: Random) -> str:
    words = (random.choice(words) for words in (_SUBJECTS, _VERBS, _OBJECTS, _TAILS))
    return " ".join(words) + "."


def _draw_size(random: Random) -> int:
    return random.randrange(_SHORTEST, _LONGEST)
