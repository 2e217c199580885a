"""Orders to the evaluator inside a text that is only there to be evaluated."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assay.domain.span import Span
from assay.text.injection_patterns import Family, select_patterns
from assay.text.normal import Normal, comment_spans, legible, normalise

# A few hidden characters shape letters or colour a symbol; so many in a row carry a message.
_HIDDEN_RUN = re.compile(
    "[\u200b-\u200d\u2060-\u2064\ufeff]{16,}|[\U000e0020-\U000e007e]{4,}|[\ufe00-\ufe0f]{8,}|[\U000e0100-\U000e01ef]{8,}"
)
# All that is invisible among the characters of ASCII.
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1b\x7f]")
_FLAG = "\U0001f3f4"
_HIDDEN_STYLE = re.compile(
    r"<[a-z][^<>]{0,200}style[^<>]{0,200}(?:display ?: ?none|visibility ?: ?hidden|font-size ?: ?0"
    r"|opacity ?: ?0(?![.\d])|color ?: ?(?:white|#fff))[^<>]{0,200}>(?P<words>[^<>]{1,600})"
)
_ORDERLY = re.compile(
    r"\b(?:evaluator|grader|llm|language model|ai (?:model|judge|reviewer|assistant)|instructions?|prompt"
    r"|full (?:score|marks)|(?:highest|maximum|perfect) (?:score|rating|mark))\b"
)
_CLOSING = re.compile(
    r"</ ?(?:article|summary|sources?|document|answer|response|output|input|text|context|data|candidate|query"
    r"|question|submission|instructions?|prompt|system|user|reviews?|record) ?>"
)
_TAG = re.compile(r"</?(\w+)")

_URGES = re.compile(
    r"(?:^|(?<=[^\w']))(?:(?:please|kindly|now|so|then|and|just|simply|instead|therefore|only|always"
    r"|you (?:must|should|need to|have to|will|are to)|make sure (?:to|you)|be sure to|remember to"
    r"|por favor|s'il (?:vous|te) plaît|veuillez|bitte|xin|vui lòng|hãy),? ){1,4}$"
)
_PLEAS = re.compile(
    r"\b(?:please|kindly|you (?:must|should|need to|have to)|por favor|s'il (?:vous|te) plaît|veuillez|bitte|hãy)\b"
)
_OPENING_SIGNS = ".!?:;。！？)]}>*-•|\"'([{#"
_QUOTE_SIGNS = "\"'"
_MENTIONED = re.compile(
    r"\b(?:such as|e\.g|for example|for instance|phrases?|strings?|tokens?|tags?|markers?|formats?|templates?|attacks?"
    r"|attackers?|injections?|jailbreaks?|called|known as|examples?|payloads?|wrote|writes|contains?|containing|like"
    r"|words|prompts?|testers?|researchers?)\b"
)


@dataclass(frozen=True, slots=True)
class Suspicion:
    """A stretch that reads as an order or a bait for the evaluator; it taints a record and decides nothing else."""

    span: Span
    family: Family


def find_injections(text: str) -> tuple[Suspicion, ...]:
    """All suspicions in order. A text that speaks about such orders, or gives orders to its readers, raises none."""
    normal = normalise(text)
    found = {*_worded(text, normal), *_hidden(text, normal)}
    return tuple(sorted(found, key=lambda suspicion: (suspicion.span, suspicion.family)))


def is_clean(texts: Sequence[str]) -> bool:
    """A quick look at many texts at once: whether no wording could be found in any of them, and nothing is hidden."""
    together = "\n".join(texts)
    if not together.isascii() or "<" in together or _CONTROL.search(together):
        return False
    return not any(select_patterns(" ".join(together.lower().replace("`", "'").split())))


def _worded(text: str, normal: Normal) -> Iterator[Suspicion]:
    for pattern in select_patterns(normal.text):
        for match in pattern.regex.finditer(normal.text):
            start: int | None = match.start()
            if pattern.is_order:
                start = _order_start(text, normal, match.start())
            elif _is_inside_word(normal.text, match.start()):
                continue
            if start is not None and not _is_mentioned(normal.text, start, match.end()):
                yield Suspicion(normal.span(start, match.end()), pattern.family)
    yield from _closings(normal)


def _closings(normal: Normal) -> Iterator[Suspicion]:
    """Closing tags of what a prompt may wrap a text in, unless the text opened them itself."""
    if "</" not in normal.text:
        return
    openings: set[str] = set()
    for tag in _TAG.finditer(normal.text):
        closing = _CLOSING.match(normal.text, tag.start())
        if closing is None:
            openings.add(tag[1])
        elif tag[1] not in openings and not _is_mentioned(normal.text, *closing.span()):
            yield Suspicion(normal.span(*closing.span()), "delimiter")


def _hidden(text: str, normal: Normal) -> Iterator[Suspicion]:
    for match in () if text.isascii() else _HIDDEN_RUN.finditer(text):
        if text[match.start() - 1 : match.start()] != _FLAG:
            yield Suspicion(Span(*match.span()), "hidden")
    if "<" not in normal.text and "<" not in text:
        return
    if "<!--" in (seen := legible(text)).text:
        for comment in comment_spans(seen.text):
            inside = Span(comment.start + 4, comment.end - 3).of(seen.text)
            words = normalise(inside)
            if _ORDERLY.search(words.text) or any(_worded(inside, words)):
                yield Suspicion(seen.span(*comment), "hidden")
    for match in _HIDDEN_STYLE.finditer(normal.text):
        if _ORDERLY.search(match["words"]):
            yield Suspicion(normal.span(*match.span()), "hidden")


def _order_start(text: str, normal: Normal, verb: int) -> int | None:
    """Where the order begins, with its urging words: at an opening, or anywhere behind a plea; else it is none."""
    if _is_inside_word(normal.text, verb):
        return None
    window = normal.text[max(0, verb - 80) : verb]
    urges = _URGES.search(window)
    start = verb - len(urges.group()) if urges else verb
    if _opens(text, normal, start) or (urges and _PLEAS.search(urges.group())):
        return start
    return None


def _is_inside_word(text: str, at: int) -> bool:
    return text[at].isalnum() and text[at].isascii() and text[max(0, at - 1) : at].isalnum()


def _opens(text: str, normal: Normal, at: int) -> bool:
    """Whether a sentence, a line or a bracket begins here: where an order stands, and a report of one does not."""
    before = normal.text[max(0, at - 40) : at].rstrip(" ")
    if not before or before[-1] in _OPENING_SIGNS:
        return True
    start = normal.starts[at]
    gap = text[max(0, start - 20) : start]
    breaks = gap[len(gap.rstrip()) :].count("\n")
    return breaks > 1 or (breaks == 1 and not text[start].islower())


def _is_mentioned(text: str, start: int, end: int) -> bool:
    """Inside quotation marks, in a sentence that says it is quoting."""
    before, after = text[max(0, start - 160) : start], text[end : end + 100]
    opened = max(before.rfind(sign) for sign in _QUOTE_SIGNS)
    # A mark that opens nothing is an apostrophe.
    if opened < max(0, len(before) - 60) or (opened and before[opened - 1] not in " (["):
        return False
    return any(sign in after for sign in _QUOTE_SIGNS) and bool(_MENTIONED.search(before) or _MENTIONED.search(after))
