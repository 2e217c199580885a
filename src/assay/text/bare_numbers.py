"""What a number without a unit stands for, judged by the words next to it."""

import re
from typing import Final

from assay.text.amounts import Amount
from assay.text.calendar_dates import MONTH
from assay.text.quantity import Kind

_FUNCTION_WORD_LIST: Final = """
    a about above after against ago all almost also although am among an and any are around as at be because been
    before behind being below between both but by can could did do does during each either else even every except few
    following for from had has have he her here hers him his how however i if in including into is it its itself just
    last later least less many may me might more most much must my nearly neither next no nor not now of off on once
    only onto or other others our out over own per please plus rather s said same says scored see set she should since
    so some still such t than that the their them then there these they this those though through throughout thus to
    today too total toward towards under until unto up upon us using was we well were what when where whereas whether
    which while who whom whose why will with within without won would yes yet you your
"""
_FUNCTION_WORDS: Final = frozenset(_FUNCTION_WORD_LIST.split())
_LABELS: Final = (
    "no|number|nos|page|pages|pp|p|chapter|section|article|figure|fig|table|appendix|step|part|volume|vol|issue|question"
    "|week|day|round|stage|phase|grade|level|season|episode|series|act|scene|rank|ranked|place|seed|match|game|category"
    "|mile|hole|class|year|ward|district|division|lane|position|lap|group|zone|tier|item|point|psalm|verse"
)
_LABEL: Final = re.compile(rf"(?:\b(?:{_LABELS})\.?[ \u00a0]|#[ ]?)$", re.IGNORECASE)
# Capitals before a number mostly make a name (GPT 4), but these are what a clinician measures.
_MEASURED_LIST: Final = "age bmi gcs hr rr bp spo2 hb hba1c wbc ph ef lvef egfr tsh apgar nihss psa alt ast score total"
_MEASURED: Final = frozenset(_MEASURED_LIST.split())
_SPELT_LABEL: Final = re.compile(
    r"\b(?:number|no\.?|part|chapter|step|phase|stage|round|episode|season|volume|page)[ \u00a0]$", re.IGNORECASE
)
_NAME_LABEL: Final = re.compile(
    r"\b(?:dial(?:led|ling)?|version|model|flight|room|gate|channel|route|highway|interstate|bus|apartment|apt|suite|platform|terminal"
    r"|type|build|release|code|id|isbn|issn|doi|pmid|unit|box|bay|area|boeing|airbus|falcon"
    r"|iphone|ipad|windows|xbox|playstation|apollo|formula)[ :#]{1,2}$",
    re.IGNORECASE,
)
_WORD_BEFORE: Final = re.compile(r"(?P<word>[^\W\d_][\w'&.-]*)[ \u00a0]$")
_WORD_AFTER: Final = re.compile(r"(?: |-| - )(?:[0-9]{1,3}(?:st|nd|rd|th)[ -])?(?P<word>[^\W\d_]+|\x00+)")
_SENTENCE_START: Final = re.compile(r"(?:^|[.!?:;|\n\"'“”‘(*#>•–—-]\s*)$")
_YEAR_BEFORE: Final = re.compile(
    r"(?:\b(?:in|since|until|till|by|from|during|of|before|after|between|early|late|mid|the|year|years|summer|winter"
    r"|spring|autumn|fall|season|circa|around|about|to|and|for|at|born|ca\.|c\.|as of"
    rf"|{MONTH})[ \u00a0-]|[(\[/–-]|, ?|['’]s )$",
    re.IGNORECASE,
)
_SURE_YEAR_BEFORE: Final = re.compile(
    r"(?:\b(?:in|since|until|till|during|early|late|mid|year|summer|winter|spring|autumn|fall|circa|born|by"
    r"|c\.|ca\.|dat(?:e|es|ed|ing)(?: back)? (?:to|from))[ \u00a0-]"
    rf"|{MONTH},? )$",
    re.IGNORECASE,
)
_RATED: Final = re.compile(r"\brat(?:ed|es?|ing)s?(?: of| is| was|:)?(?: it| at| an?| as)? ?$", re.IGNORECASE)
_AGED: Final = re.compile(r"\b(?:aged?|ages|age of)[ \u00a0]$", re.IGNORECASE)
_PRONOUN_BEFORE: Final = re.compile(
    r"\b(?:the|this|that|any|no|each|every|another|which|only|some|latest|last|first|next|new|old|good|great|big|the"
    r"|right|wrong|loved|every|anyone|square|day|number)[ -]$",
    re.IGNORECASE,
)
_SCORE_BEFORE: Final = re.compile(r"[0-9]\s?[-–]\s?$")
_RANKED_LIST: Final = "half round place placed quarter leg minute year largest floor prize degree time goal set innings"
_RANKED: Final = frozenset(_RANKED_LIST.split())
_ARTICLE_BEFORE: Final = re.compile(
    r"(?:\b(?:the|a|an|his|her|its|their|our|my|your|this|that|whose|every|each|for|and|or|to|very|in|came|finished"
    r"|placed|ranked|only|just)|'s)[ \u00a0]$",
    re.IGNORECASE,
)


def names_something(text: str, amount: Amount) -> bool:
    """Whether a bare number is part of a name, as in iPhone 15, flight 370 or Fantastic Four."""
    before = text[max(0, amount.start - 40) : amount.start]
    if amount.numeral.in_words:
        return _is_capitalised_inside(text, amount.start)
    if _NAME_LABEL.search(before):
        return True
    if _LABEL.search(before):
        return False
    if _joined_to_a_letter(text, amount.end):
        return True
    found = _WORD_BEFORE.search(before)
    if not found or not amount.numeral.plain or amount.scaled:
        return False
    word = found["word"]
    if not any(char.isupper() for char in word) or word.rstrip(".").lower() in _FUNCTION_WORDS | _MEASURED:
        return False
    if any(char.isupper() for char in word[1:]):
        return True
    opens = _SENTENCE_START.search(before[: found.start()])
    follower = _follower(text, amount.end)
    return not (opens and follower.endswith("s"))


def _joined_to_a_letter(text: str, end: int) -> bool:
    """3-D and 4x are names or shorthand; 10-man is a count."""
    return bool(re.match(r"\w|-[^\W\d_](?!\w)|['’]s\b", text[end : end + 3]))


def is_year(text: str, amount: Amount) -> bool:
    """Four plain digits from 1900 to 2099 are a year unless they count something; older ones need a word for it."""
    if not amount.numeral.plain or amount.end - amount.start != 4 or not 1000 <= amount.value <= 2099:
        return False
    before = text[max(0, amount.start - 24) : amount.start]
    if amount.value < 1900:
        bracketed = before.endswith("(") and text[amount.end : amount.end + 1] == ")"
        return bracketed or bool(_SURE_YEAR_BEFORE.search(before))
    if _YEAR_BEFORE.search(before):
        return True
    follower = _follower(text, amount.end)
    return not (follower in {"people", "men", "women", "children"} or (follower.endswith("s") and len(follower) > 4))


def stands_for(text: str, amount: Amount) -> tuple[Kind, str | None]:
    """The kind, and the unit that goes without saying, of a bare number that names nothing."""
    before = text[max(0, amount.start - 24) : amount.start]
    if _RATED.search(before) and 0 <= amount.value <= 10:
        return Kind.RATING, "/5" if amount.value <= 5 else "/10"
    if _AGED.search(before) and 0 < amount.value < 120:
        return Kind.DURATION, "year"
    whole = amount.value.denominator == 1 and amount.value >= 0
    if whole and (_SPELT_LABEL if amount.numeral.in_words else _LABEL).search(before):
        return Kind.ORDINAL, None
    follower = _follower(text, amount.end)
    scores = _SCORE_BEFORE.search(before)
    counts = (
        whole
        and not scores
        and len(follower) > 1
        and (follower not in _FUNCTION_WORDS or follower in {"of", "more", "other", "others"})
    )
    return (Kind.COUNT if counts else Kind.NUMBER), None


def is_pronoun(text: str, amount: Amount) -> bool:
    """Whether "one" stands for a thing instead of counting it: "the only one", "one of the best", "one-sided"."""
    word = text[amount.start : amount.end].lower()
    if word != "one":
        return False
    before = text[max(0, amount.start - 16) : amount.start]
    follower = _follower(text, amount.end)
    hyphened = text[amount.end : amount.end + 1] == "-"
    return bool(_PRONOUN_BEFORE.search(before)) or follower in _FUNCTION_WORDS or not follower or hyphened


def is_place(text: str, start: int, end: int) -> bool:
    """Whether an ordinal word ranks a thing; "at first" and "First Avenue" rank nothing, nor does "a second later"."""
    word = text[start:end].lower()
    before = text[max(0, start - 16) : start]
    follower = _follower(text, end)
    if _is_capitalised_inside(text, start) or (text[start].isupper() and text[end + 1 : end + 2].isupper()):
        return False
    if text[end : end + 1] == "-":
        return follower in _RANKED
    if word == "second" and (before.lower().endswith("a ") and (not follower or follower in _FUNCTION_WORDS)):
        return False
    if word in {"first", "second", "third"}:
        return follower in _RANKED or bool(_ARTICLE_BEFORE.search(before))
    return True


def _is_capitalised_inside(text: str, start: int) -> bool:
    return text[start].isupper() and not _SENTENCE_START.search(text[max(0, start - 4) : start])


def _follower(text: str, end: int) -> str:
    found = _WORD_AFTER.match(text[end : end + 24])
    return found["word"].lower() if found else ""
