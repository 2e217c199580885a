"""Untrusted text made safe to show to a judge: nothing hidden, no tag or role marker that works."""

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass

from assay.text.normal import INVISIBLE, INVISIBLE_KINDS, comment_spans, legible

_KIND_PATTERNS = {kind: re.compile(f"[{inside}]") for kind, inside in INVISIBLE_KINDS.items()}
_LINE_BREAK = re.compile(r"\r\n?|[\x0b\x0c\x1c-\x1f\x85\u2028\u2029]")

# "p < 0.05" stays; what could open a tag does not. The replacements read alike and normalise back.
_ANGLES = re.compile(r"[<＜﹤]++(?=[^\W\d_]|[/|!?])|[<＜﹤]{2,}+|[>＞﹥]+|\n")
# Letters, digits and common marks among which nothing hides and nothing opens: most sentences hold no other.
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


def find_hidden(text: str) -> tuple[str, ...]:
    """The kinds of things that neutralising takes out of a text or defuses."""
    return neutralise(text).removed


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
    """A mark for the borders of these texts that none of them can contain: 96 bits of their own digest."""
    digest = hashlib.blake2b(digest_size=12)
    for text in texts:
        content = text.encode("utf-8", "surrogatepass")
        digest.update(len(content).to_bytes(8, "big"))
        digest.update(content)
    return digest.hexdigest()
