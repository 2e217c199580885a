"""Makes untrusted text safe to show to a judge, and finds in it what no reader is shown and orders to a judge."""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise
from math import sqrt
from typing import Literal

from assay.domain.span import Span
from assay.text.normal import INVISIBLE, INVISIBLE_KINDS, comment_spans, fold, legible
from assay.text.sentences import split_sentences

_KIND_PATTERNS = {kind: re.compile(f"[{inside}]") for kind, inside in INVISIBLE_KINDS.items()}
_LINE_BREAK = re.compile(r"\r\n?|[\x0b\x0c\x1c-\x1f\x85\u2028\u2029]")

# "p < 0.05" stays; what could open a tag does not. The replacements read alike and normalise back.
_ANGLES = re.compile(r"[<＜﹤]++(?=[^\W\d_]|[/|!?])|[<＜﹤]{2,}+|[>＞﹥]+|\n")
# Characters that hide nothing and open no tag. Most sentences hold no others.
_HARMLESS = re.compile(r"[\t\n -\"$-9;=?-Z\\^-~¡-\u00ac®-\u024f\u2013\u2014\u2018-\u201d\u2026€]*+")
_LONGEST_TAG = 300
_SQUARE_ROLE = re.compile(
    r"\[(?P<inside>\s{0,4}/?\s{0,4}(?:inst|sys|system|assistant|user|human|developer|tool)\b[^\[\]\n]{0,80})(?P<close>\]?)",
    re.IGNORECASE,
)
_HEADED_ROLE = re.compile(
    r"^[ \t]{0,8}#{1,6}[ \t]{0,8}"
    r"(?:(?:system|assistant|user|human|developer)(?:[ \t]{1,4}(?:prompt|message|instructions?|note))?"
    r"[ \t]{0,4}(?:[:：]|$)|(?:instructions?|response|input)[ \t]{0,4}[:：])",
    re.IGNORECASE | re.MULTILINE,
)
_LINE_ROLE = re.compile(
    r"^(?P<head>[ \t]{0,8}(?:\*\*|__)?(?:system|assistant|user|human|developer|ai)(?:\*\*|__)?[ \t]{0,4})[:：]",
    re.IGNORECASE | re.MULTILINE,
)

# The characters that the next three patterns start with. Few texts hold one, and this test is ten times as fast.
_HIDING = re.compile(
    "[\u0325\u0331\u200b-\u200d\u202d\u202e\u2060-\u2068\ufe00-\ufe0f\ufeff\U000e0020-\U000e007e\U000e0100-\U000e01ef]"
)
# A few invisible characters shape letters or colour a symbol. So many in a row are a message.
_RUN = re.compile(
    "[\u200b-\u200d\u2060-\u2064\ufeff]{16,}|[\U000e0020-\U000e007e]{4,}|[\ufe00-\ufe0f]{8,}"
    "|[\U000e0100-\U000e01ef]{8,}"
)
_FLAG = "\U0001f3f4"
"""Flags of regions are spelt with tag characters after it."""
# Zero-width characters have no use between Latin letters.
_SPRINKLED = re.compile(
    "[A-Za-z][\u200b-\u200d\u2060-\u2064\ufeff](?=[A-Za-z])|[\u2066-\u2068](?=[A-Za-z])|[A-Za-z][\u0325\u0331]"
)
_FEWEST_SPRINKLED = 6
_OVERRIDE = re.compile("[\u202d\u202e][^\u202c\n]{3,2000}")
_MIXED_SCRIPTS = re.compile(r"\b\w{0,20}?(?:[a-zA-Z][а-яѐ-џ]|[а-яѐ-џ][a-zA-Z])\w{0,30}")
_CYRILLIC = re.compile("[а-яѐ-џ]")
_HIDDEN_ELEMENT = re.compile(
    r"<[a-z][^<>]{0,200}(?:style[^<>]{0,200}(?:display ?: ?none|visibility ?: ?hidden|font-size ?: ?[01](?![\d.])"
    r"|opacity ?: ?0(?![.\d])|color ?: ?(?:white|#fff|transparent))|\bhidden\b"
    r"|size ?= ?[\"']?[01](?!\d))[^<>]{0,200}>(?P<words>[^<>]{1,600})"
    r"|<meta [^<>]{0,200}content ?= ?[\"'](?P<meta>[^<>]{1,400})|<[a-z]{1,10} [^<>]{0,300}(?:alt|title"
    r"|aria-label) ?= ?[\"'](?P<alt>[^<>]{1,400})",
    re.IGNORECASE,
)
_MARKDOWN_COMMENT = re.compile(r"\[(?://|comment|_)\]: ?(?:#|<>) ?[(\"'](?P<words>[^\n]{1,400})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Neutralised:
    """`removed` names each kind of thing that was taken out or defused, once."""

    text: str
    removed: tuple[str, ...]


def neutralise(text: str) -> Neutralised:
    """Strips what no reader sees and defuses tags and role markers; its quotes are still found in the text."""
    if _HARMLESS.fullmatch(text):
        return Neutralised(text, ())
    removed = [kind for kind, pattern in _KIND_PATTERNS.items() if pattern.search(text)]
    shown = _LINE_BREAK.sub(
        lambda found: "\n" if found.group()[0] in "\r\u2028\u2029\x85" else " ", INVISIBLE.sub("", text)
    )
    comments = list(comment_spans(shown))
    if comments:
        removed.append("html comment")
        shown = legible(shown).without(comments).text
    defused = _defuse_angles(shown)
    if defused != shown:
        removed.append("tag")
    marked = _SQUARE_ROLE.sub(lambda found: f"⟦{found['inside']}{'⟧' if found['close'] else ''}", defused)
    marked = _HEADED_ROLE.sub(
        lambda found: found.group().replace("#", "＃").replace(":", "∶").replace("：", "∶"), marked
    )
    marked = _LINE_ROLE.sub(lambda found: f"{found['head']}∶", marked)
    if marked != defused:
        removed.append("role marker")
    return Neutralised(marked, tuple(removed))


def _defuse_angles(text: str) -> str:
    opened_at = -_LONGEST_TAG

    def replace(found: re.Match[str]) -> str:
        nonlocal opened_at
        signs = found.group()
        if signs == "\n":
            opened_at = -_LONGEST_TAG
            return signs
        if signs[0] in "<＜﹤":
            opened_at = found.end()
            return "‹" * len(signs)
        closes = found.start() - opened_at < _LONGEST_TAG
        opened_at = -_LONGEST_TAG
        return "›" * len(signs) if closes else signs

    return _ANGLES.sub(replace, text)


def delimiter(texts: Iterable[str]) -> str:
    """A mark for the borders of these texts that none of them can contain: 64 bits of their own digest."""
    digest = hashlib.blake2b(digest_size=8)
    for text in texts:
        content = text.encode("utf-8", "surrogatepass")
        digest.update(len(content).to_bytes(8, "big"))
        digest.update(content)
    return digest.hexdigest()


def find_hidden_characters(text: str) -> Iterator[Span]:
    """Messages in invisible characters, letters sprinkled with them, reversed text, words that mix two alphabets."""
    if text.isascii():
        return
    mixed = [match.span() for match in _MIXED_SCRIPTS.finditer(text)] if _CYRILLIC.search(text) else []
    if len(mixed) > 1:
        yield Span(mixed[0][0], mixed[-1][1])
    if not _HIDING.search(text):
        return
    for match in _RUN.finditer(text):
        if text[match.start() - 1 : match.start()] != _FLAG:
            yield Span(*match.span())
    yield from (Span(*match.span()) for match in _OVERRIDE.finditer(text))
    sprinkled = [match.span() for match in _SPRINKLED.finditer(text)]
    if len(sprinkled) >= _FEWEST_SPRINKLED:
        yield Span(sprinkled[0][0], sprinkled[-1][1])


def find_hidden_markup(text: str) -> Iterator[tuple[Span, str]]:
    """Comments, elements that are not displayed, and attributes with words in them: each with its words."""
    if "]:" in text:
        yield from ((Span(*match.span()), match["words"]) for match in _MARKDOWN_COMMENT.finditer(text))
    if "<" not in text:
        return
    seen = legible(text)
    for comment in comment_spans(seen.text):
        yield seen.span(*comment), Span(comment.start + 4, comment.end - 3).of(seen.text)
    for match in _HIDDEN_ELEMENT.finditer(seen.text):
        yield seen.span(*match.span()), match["words"] or match["meta"] or match["alt"]


WEIGHTS = "injection_weights.tsv"
_SPACELESS = "\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
# Scripts without spaces are cut into single characters, so that their pairs are about words.
_TOKEN = re.compile(rf"[{_SPACELESS}]|[^\W\d_{_SPACELESS}]+(?:'[^\W\d_{_SPACELESS}]+)?|\d+(?:[.,]\d+)?|[^\w\s]|_")
# The same for ASCII, without the large character classes: three times as fast.
_ASCII_TOKEN = re.compile(r"[A-Za-z]+(?:'[A-Za-z]+)?|[0-9]+(?:[.,][0-9]+)?|[^\w\s]|_")
# A longer sentence is cut, so that an order cannot be diluted.
_LONGEST_SENTENCE = 120
# Shorter sentences are rated as if they had so many tokens: a few words prove little.
_FEWEST_TOKENS = 8
_COMMENT = re.compile("<!--.*?-->", re.DOTALL)
# An order to drop one's instructions, at the start of a sentence or after a colon.
_DROP_ORDER = re.compile(
    r"""(?:^|:\ )\W{0,20}+(?:please,?\ |bitte\ )?(?:
    (?:ignore|disregard|forget|override)\ (?:\w+\ ){0,3}(?:
        (?:previous|prior|earlier|preceding|above|your)\ (?:\w+\ ){0,2}(?:instructions|prompts?)
        |instructions\ (?:above|before))
    |(?:ignorier|vergiss|vergessen|missacht)\w*\ (?:\w+\ ){0,3}(?:vorherig|bisherig|obig|früher|dein)\w*\ anweisungen
    |(?:ignor|olvid)[ae]\ (?:\w+\ ){0,3}instrucciones\ (?:anteriores|previas)
    |(?:ignor|oubli)ez?\ (?:\w+\ ){0,3}(?:instructions|consignes)\ précédentes
    )\b""",
    re.VERBOSE,
)

Reason = Literal["hidden", "wording"]


@dataclass(frozen=True, slots=True)
class InjectionSuspicion:
    """A stretch that may speak to the judge: `hidden` from readers, or by its `wording`."""

    span: Span
    reason: Reason


@dataclass(frozen=True, slots=True)
class Detector:
    """A sentence is suspicious from `threshold` on, text that a reader is not shown from `hidden_threshold` on.

    Weights are integers (hundredths), so that their sum does not depend on the order of the words.
    """

    weights: Mapping[str, int]
    bias: float
    threshold: float
    hidden_threshold: float

    def is_suspicious(self, sentence: str, *, is_hidden: bool = False) -> bool:
        folded = fold_sentence(sentence)
        if _DROP_ORDER.search(folded):
            return True
        threshold = self.hidden_threshold if is_hidden else self.threshold
        return any(self.rate(tokens) >= threshold for tokens in list_pieces(folded))

    def rate(self, tokens: Sequence[str]) -> float:
        weight = sum([self.weights.get(feature, 0) for feature in list_features(tokens)])
        return self.bias + weight * find_scale(len(tokens)) / 100


def find_scale(tokens: int) -> float:
    """The factor on the weights of a piece of so many tokens."""
    return 1 / sqrt(max(_FEWEST_TOKENS, tokens))


def list_features(tokens: Sequence[str]) -> set[str]:
    """Words and pairs of neighbours, each once; the first word is a pair with the sign ^."""
    return {*tokens, *map(" ".join, pairwise(("^", *tokens)))}


def fold_sentence(text: str) -> str:
    """The text in one spelling and without comments. Faster than `normalise`, since no character's origin is traced."""
    seen = _COMMENT.sub("", text)
    return seen.lower() if seen.isascii() else INVISIBLE.sub("", fold(seen))


def list_pieces(folded: str) -> list[list[str]]:
    """The tokens of a folded sentence, cut into pieces if it is long."""
    return [tokenise(piece) for piece in _cut_long(folded)]


def tokenise(text: str) -> list[str]:
    """The words and signs of a folded text. All numbers are 0."""
    pattern = _ASCII_TOKEN if text.isascii() else _TOKEN
    return ["0" if token[0].isdigit() else token for token in pattern.findall(text)]


def _cut_long(text: str) -> Iterator[str]:
    start = 0
    while len(text) - start > _LONGEST_SENTENCE:
        space = text.rfind(" ", start + 1, start + _LONGEST_SENTENCE)
        end = space if space > start else start + _LONGEST_SENTENCE
        yield text[start:end]
        start = end
    yield text[start:]


@cache
def load_detector() -> Detector:
    return parse_detector((files("assay.text") / WEIGHTS).read_text(encoding="utf-8"))


def parse_detector(table: str) -> Detector:
    """One feature and its weight a line; the detector's own numbers have names that begin with a colon."""
    rows = dict(line.rsplit("\t", 1) for line in table.splitlines())
    bias, threshold, hidden = (float(rows.pop(f":{name}")) for name in ("bias", "threshold", "hidden"))
    return Detector({feature: round(100 * float(weight)) for feature, weight in rows.items()}, bias, threshold, hidden)


def find_injections(text: str) -> tuple[InjectionSuspicion, ...]:
    """All suspicions in the order of the text, each stretch once."""
    detector = load_detector()
    hidden = list(find_hidden_characters(text))
    for span, words in find_hidden_markup(text):
        if any(detector.is_suspicious(each.of(words), is_hidden=True) for each in split_sentences(words)):
            hidden.append(span)
    worded = [span for span in split_sentences(text) if detector.is_suspicious(span.of(text))]
    shown = [span for span in worded if not any(span.overlaps(other) for other in hidden)]
    found = {
        *(InjectionSuspicion(span, "hidden") for span in hidden),
        *(InjectionSuspicion(span, "wording") for span in shown),
    }
    return tuple(sorted(found, key=lambda each: (each.span, each.reason)))
