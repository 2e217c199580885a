"""Untrusted text made safe to show to a judge: nothing hidden, no tag or role marker that works."""

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass

from assay.text.normal import INVISIBLE, INVISIBLE_KINDS, comment_spans, legible, normalise

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

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_SPACELESS_WORD = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff]")
_LITTLE_WORDS = (
    "the a an and or of to in on at for is are was were be it its this that as by with from i you he she we they yes no"
    " not so ok okay sure done thanks thank please hello hi"
)

_OPENERS = frozenset(
    {
        "thought process", "thinking process", "solution", "answer", "the answer is", "final answer", "explanation",
        "reasoning", "analysis", "summary", "response", "let's solve this problem step by step",
        "let's solve this step by step",
        "let us solve this problem step by step", "let's think step by step", "let us think step by step",
        "let's work through this step by step", "let me think", "let me think step by step", "let's break this down",
        "here is the summary", "here is my answer", "here is the solution", "sure, here is the answer",
        "to solve this problem, we need to think step by step",
        "解説", "解答", "解决方案", "解", "答案", "让我们一步一步地解决这个问题", "让我们一步步思考", "思考过程",
        "solución", "respuesta", "proceso de pensamiento", "vamos a resolver este problema paso a paso", "réponse",
        "résolvons ce problème étape par étape", "lösung", "antwort", "gedankengang",
        "lassen sie uns dieses problem schritt für schritt lösen", "giải pháp", "câu trả lời", "lời giải",
        "hãy giải quyết vấn đề này từng bước một",
    }
)  # fmt: skip
_OPENER_END = re.compile(r"[.:!?。：！？\n*#]+")


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


def explain_degenerate(text: str, *, may_be_short: bool = False) -> str | None:
    """Why there is nothing to judge: no words, only function words, or nothing but a known opening of an answer.

    Language models give such texts high scores, so no model is asked about them. An answer to a question
    `may_be_short`: a single word can be all that was asked for.
    """
    normal = normalise(text).text.strip()
    if not any(character.isalnum() for character in normal):
        return "holds no words"
    pieces = [piece.strip(" '\"-,…") for piece in _OPENER_END.split(normal)]
    if all(piece in _OPENERS for piece in pieces if piece):
        return "only opens an answer that never comes"
    if may_be_short or any(character.isdigit() for character in normal):
        return None
    little = frozenset(_LITTLE_WORDS.split())
    spaced = _SPACELESS_WORD.sub(" ", normal)
    # Two characters make about one word where words are written without spaces.
    has_content = len(_SPACELESS_WORD.findall(normal)) > 1 or any(
        len(word) > 1 and word not in little for word in _WORD.findall(spaced)
    )
    return None if has_content else "has no words of content"


def delimiter(texts: Iterable[str]) -> str:
    """A mark for the borders of these texts that none of them can contain: 96 bits of their own digest."""
    digest = hashlib.blake2b(digest_size=12)
    for text in texts:
        content = text.encode("utf-8", "surrogatepass")
        digest.update(len(content).to_bytes(8, "big"))
        digest.update(content)
    return digest.hexdigest()
