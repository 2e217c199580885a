"""Finite verbs of English, told by their form and their neighbours."""

import re
from collections.abc import Sequence


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


SINGULAR_AUXILIARIES = frozenset({"is", "was", "has", "does", "isn't", "wasn't", "hasn't", "doesn't"})

_AUXILIARIES = SINGULAR_AUXILIARIES | _set(
    "are were am have had do did will would can could may might must shall should cannot aren't weren't haven't "
    "hadn't don't didn't won't wouldn't can't couldn't mustn't shouldn't"
)

# A past form that is no participle is finite wherever it stands.
_PAST = _set(
    "went rose began took gave wrote grew knew ate drove chose broke spoke became came ran fell saw drew flew "
    "threw wore stole swore sang sank"
)
# Past forms that are participles too: "the phones sold in May" has no finite verb yet.
_PAST_OR_PARTICIPLE = _set(
    "sold made won lost held led said told found left kept bought built sent paid met cut hit put set spent stood "
    "felt brought caught taught got read"
)
_PRESENT = _set(
    "comes costs offers includes weighs runs lasts provides supports features shows causes reduces increases "
    "improves remains contains requires takes gives makes works lacks needs uses seems becomes appears delivers "
    "receives suffers allows keeps gets goes feels looks fits says wants means holds charges leads falls rises "
    "believes thinks claims suggests reports finds praises complains"
)
_BASE = _set(
    "offer include cost need like love prefer say find want live work praise report complain mention think "
    "believe use get go come make take seem feel"
)
_PLURAL_SUBJECTS = frozenset({"i", "you", "we", "they", "these", "those"})

ATTRIBUTIONS = _set(
    "said says say saying told tells claimed claims claim reported reports report found finds shows showed "
    "suggests suggested believes believe believed think thinks thought argued argues announced warned warns added "
    "noted notes mentions mention knew knows know saw sees hopes hoped hope expects expected expect stated states "
    "concluded concludes indicates indicated feel feels felt wrote writes insisted insists denied denies admitted "
    "confirmed confirms according means agreed agree predicted predicts explained explains revealed reveals "
    "complain"
)

_ED = re.compile(r"[a-z]{3,}ed$")
_NEGATED_ADVERB = frozenset({"not", "never", "also", "still", "often", "then", "soon", "now", "even", "just", "only"})
_LEADS_A_NOUN = _set(
    "the a an its his her their our my your this that these those of some more most very and or to by with for in "
    "on at from as be been being no many all"
)
_LEADS_AN_ADJUNCT = _set(
    "by in at on to for from with as of under during and or over through last next yesterday today earlier before "
    "after since until along against into about there here twice once"
)


def first_finite_verb(words: Sequence[str]) -> int | None:
    """The place of the first word that is surely a finite verb; doubtful forms are passed over."""
    for at, word in enumerate(words):
        before = words[at - 1].lower() if at else ""
        if before in _NEGATED_ADVERB or before.endswith("ly"):
            before = words[at - 2].lower() if at > 1 else ""
        after = words[at + 1].lower() if at + 1 < len(words) else ""
        if _is_finite(word.lower().rstrip(".!"), before, after):
            return at
    return None


def _is_finite(word: str, before: str, after: str) -> bool:
    if word in _AUXILIARIES:
        return before != "to"
    pronoun = before in {"he", "she", "it", "they", "we", "i", "you"}
    if word in _PAST:
        return before not in _LEADS_A_NOUN
    if word in _PAST_OR_PARTICIPLE or (_ED.match(word) and not word.endswith("eed")):
        object_follows = bool(after) and after not in _LEADS_AN_ADJUNCT and not after.endswith("ly")
        return pronoun or (bool(before) and before not in _LEADS_A_NOUN and object_follows)
    if word in _PRESENT:
        return bool(before) and before not in _LEADS_A_NOUN
    return word in _BASE and before in _PLURAL_SUBJECTS
