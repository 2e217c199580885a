"""The independent clauses of a sentence: the parts that each stand alone as a claim.

A cut is made only where code can be sure without grammar, so most compound sentences stay whole. A joint is a
semicolon, a comma with and, but, while, whereas or although, or a bare "and". In English it is a cut where
  - neither side has fewer than four words, and it is outside quotes, brackets and questions;
  - what follows opens with a subject (pronoun, determiner and noun, or name) and its finite verb;
  - what precedes has a finite verb of its own that no "which", "if" or "that" governs;
  - nothing before may govern both sides: "he said ... and ...", "if ... and ...", "not only ... but ...".
After a semicolon any subject will do. Other languages are cut at semicolons alone, where both sides have four words
and no colon opens a list.
"""

import re
from collections.abc import Sequence

from assay.domain.span import Span

LEAST_WORDS = 4

_JOINT = re.compile(r";\s+|,\s+(?P<comma>and|but|while|whereas|although)\s+|\s(?P<bare>and)\s+", re.IGNORECASE)
_CONNECTIVE = re.compile(
    r"(?:(?:and|but)\s+)?(?:however|therefore|moreover|furthermore|in addition|meanwhile|nevertheless|thus|instead"
    r"|as a result|by contrast|in contrast|consequently),\s+|(?:and|but)\s+",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(r"[,;:]")
_WORD = re.compile(r"[^\s,;:()]+")
_SHELTERED = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\}|\"[^\"]*\"|“[^“”]*”|«[^«»]*»|(?<!\w)['‘][^'‘’]*['’](?!\w)")
_UNPAIRED = re.compile(r"[()\[\]{}\"“”«»]")


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Finite verbs of English, told by their form and their neighbours.
_SINGULAR_AUXILIARIES = frozenset({"is", "was", "has", "does", "isn't", "wasn't", "hasn't", "doesn't"})

_AUXILIARIES = _SINGULAR_AUXILIARIES | _set(
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

_ATTRIBUTIONS = _set(
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

_NOMINATIVES = frozenset({"he", "she", "they", "we", "it", "i"})
_PRONOUNS = _NOMINATIVES | {"you", "this", "these", "those", "there"}
_DETERMINERS = _set(
    "the a an this that these those its his her their our my your each every some many most all no both several "
    "few another any"
)
_SUBORDINATORS = _set(
    "which who whom whose that because if when whenever unless until since after before although though while "
    "whereas whether where once as how why what"
)
_GOVERNORS = frozenset({"either", "neither", "whether", "if", "unless", "both", "between"})
_NAME = re.compile(r"[A-Z][\w.'’&-]*$")
# A subject longer than this is not recognised, nor a sentence longer than that read.
_SUBJECT_WORDS = 5
_SENTENCE_CHARACTERS = 2000


def split_clauses(sentence: str, language: str = "en") -> tuple[Span, ...]:
    """Claims of one sentence in order, without the joining words; the whole sentence where in doubt."""
    start = len(sentence) - len(sentence.lstrip())
    whole = Span(start, len(sentence.rstrip()))
    if whole.start >= whole.end:
        return ()
    sheltered = _shelter(sentence) if len(sentence) <= _SENTENCE_CHARACTERS else None
    if sheltered is None:
        return (whole,)
    english = language.lower().partition("-")[0] == "en"
    spans: list[Span] = []
    for joint in _JOINT.finditer(sheltered, whole.start, whole.end):
        rest = joint.end()
        if english and joint.group().startswith(";") and (connective := _CONNECTIVE.match(sheltered, rest)):
            rest = connective.end()
        left, right = _words(sheltered[start : joint.start()]), _words(sheltered[rest : whole.end])
        if min(len(left), len(right)) < LEAST_WORDS:
            continue
        if english:
            is_cut = _is_cut(joint, left, right, _words(_CLAUSE_END.split(sheltered[rest:], maxsplit=1)[0]))
        else:
            is_cut = joint.group().startswith(";") and ":" not in sheltered[: joint.start()]
        if is_cut:
            spans.append(Span(start, start + len(sentence[start : joint.start()].rstrip())))
            start = rest
    return (*spans, Span(start, whole.end))


def _shelter(sentence: str) -> str | None:
    """The sentence with what stands in quotes or brackets blotted out; None where these do not pair."""
    sheltered = _SHELTERED.sub(lambda found: "_" * len(found.group()), sentence)
    return None if _UNPAIRED.search(sheltered) else sheltered


def _words(text: str) -> list[str]:
    return [word for word in _WORD.findall(text) if any(letter.isalnum() or letter == "_" for letter in word)]


def _is_cut(joint: re.Match[str], left: Sequence[str], right: Sequence[str], head: Sequence[str]) -> bool:
    """Whether English stands alone on both sides; `head` are the words of the right side up to its first comma."""
    if right[-1].endswith("?") or not _governs_itself(left):
        return False
    if joint.group().startswith(";"):
        return _governs_itself(right)
    verb = None if _governs_both(left, joint) else _find_opening_verb(head)
    if verb is None:
        return False
    # Only a singular verb shows that "the dog and the cat was ill" is not one subject of two.
    return not joint["bare"] or right[0].lower() in _NOMINATIVES or right[verb].lower() in _SINGULAR_AUXILIARIES


def _governs_itself(words: Sequence[str]) -> bool:
    """Whether the first finite verb has a subject before it and no subordinator."""
    verb = _find_finite_verb(words)
    return verb is not None and verb > 0 and not any(word.lower() in _SUBORDINATORS for word in words[:verb])


def _governs_both(left: Sequence[str], joint: re.Match[str]) -> bool:
    words = [word.lower() for word in left]
    if any(word in _GOVERNORS for word in words) or "not only" in " ".join(words):
        return True
    if joint["bare"] and any(word in _SUBORDINATORS for word in words):
        return True
    reported = any(word in _ATTRIBUTIONS for word in words)
    # "said prices rose, but ..." leaves the reported speech; "said that prices rose, but ..." may not.
    contrast = joint["comma"] is not None and joint["comma"].lower() != "and"
    return reported and (not contrast or "that" in words)


def _find_opening_verb(head: Sequence[str]) -> int | None:
    """Where the finite verb stands that the opening subject of the right side has."""
    verb = _find_finite_verb(head[: _SUBJECT_WORDS + 2])
    if verb is None or verb == 0:
        return None
    first, *others = [word.lower() for word in head[:verb]]
    if any(word in _SUBORDINATORS | _PRONOUNS | {"and", "or"} for word in others):
        return None
    if first in _PRONOUNS and verb <= 2:
        return verb if verb == 1 or first in _NOMINATIVES else None
    if first in _DETERMINERS:
        return verb if 2 <= verb <= _SUBJECT_WORDS else None
    is_name = first not in _SUBORDINATORS | _PRONOUNS and all(map(_NAME.match, head[:verb]))
    return verb if is_name else None


def _find_finite_verb(words: Sequence[str]) -> int | None:
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
