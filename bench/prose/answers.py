"""The option that a prose reply chooses: a letter, or yes and no."""

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from assay.replies.reading import Misreading, Reading
from assay.replies.wrapping import strip_thinking, to_half_width

_NONE: Mapping[str, str] = MappingProxyType({})
_MARKS = r"[\s*_`\"'“”‘’(\[]{0,6}"


def read_answer(text: str, options: Sequence[str], statements: Mapping[str, str] = _NONE) -> Reading[str] | Misreading:
    """The option that is the reply, opens it, follows "Answer:" or "the answer is", or fills its last line.

    `statements` maps phrases that say the same in words onto options; they count where no option is named.
    """
    plain = strip_thinking(to_half_width(text)).strip()
    by_name = {option.casefold(): option for option in options}
    named = _find_named(plain, by_name)
    if len(set(named)) > 1:
        return Misreading("several answers that differ", "ambiguous")
    if named:
        bare = plain.strip(" \n.*_()[]\"'").casefold() in by_name
        return Reading(
            by_name[named[0]], None if bare or plain.casefold().startswith(named[0]) else "answer in a sentence"
        )
    stated = {statements[phrase] for phrase in _find_statements(plain, statements)}
    if len(stated) > 1:
        return Misreading("several answers that differ", "ambiguous")
    if stated:
        return Reading(stated.pop(), "answer in words")
    return Misreading("no answer among the options")


def _find_named(plain: str, by_name: Mapping[str, str]) -> list[str]:
    # "A good summary" chooses no letter, "No evidence was found" does not answer: an option is set off from the rest.
    set_off = r"(?=\s*(?:\Z|[.,:;!)\]\n*\"'”–—-])|\s+(?-i:[A-Z][a-z]))"
    option = "|".join(map(re.escape, sorted(by_name, key=len, reverse=True)))
    forms = (
        rf"\A{_MARKS}({option}){set_off}",
        rf"\b(?:answer|choice|option|verdict|conclusion)\b{_MARKS}(?::|=|\bis\b|\bwould\s+be\b){_MARKS}(?:option\s+)?({option}){set_off}",
        rf"\b(?:thus|therefore|hence|so)\b,?\s{_MARKS}({option})[.*_)\]\"'”]*\s*(?:\n|\Z)",
        rf"\n{_MARKS}({option})[\s.*_)\]\"'”]*\Z",
    )
    return [match.group(1).casefold() for form in forms for match in re.finditer(form, plain, re.IGNORECASE)]


def _find_statements(plain: str, statements: Mapping[str, str]) -> list[str]:
    """The phrases in the text, longest first at each place: "not consistent" is not read as "consistent"."""
    if not statements:
        return []
    by_words = {" ".join(phrase.casefold().split()): phrase for phrase in statements}
    phrases = (r"\s+".join(map(re.escape, words.split())) for words in sorted(by_words, key=len, reverse=True))
    pattern = re.compile(rf"\b(?:{'|'.join(phrases)})\b", re.IGNORECASE)
    return [by_words[" ".join(match.group().casefold().split())] for match in pattern.finditer(plain)]
