"""A list that is said in one line: inline numbers, semicolons, commas, references to another list, "none"."""

import re
from collections.abc import Collection, Sequence

from assay.foreign.outline import fold_words, strip_emphasis
from assay.text.keywords import keywords

_CONTRAST = re.compile(
    r"\b(?:but|however|except|although|though|apart from|other than|aside from|besides|only|save)\b(?:\s+for\b)?"
)
_NONE = re.compile(
    r"(?:none|nothing|nil|n/?a|not (?:applicable|provided|available|given)|zero|0)\b"
    r"|no\s+(?!\d)\w"
    r"|(?:there|here)\s+(?:is|are|were|was|do(?:es)?n't\s+(?:seem|appear)\s+to\s+be)\s+(?:no|none|nothing|zero|not\s+any|any)\b"
    r"|(?:i|we)\s+(?:have\s+)?(?:found|find|see|saw|identif\w+|detect\w*|notice\w*)\s+(?:no|none|nothing)\b"
    r"|(?:i|we)\s+(?:did|do|could|can|have)\s*(?:not|n't)\s+(?:find|found|identif\w+|see|detect\w*|spot|notice\w*)\s+any\b"
    r"|(?:the\s+)?(?:\w+\s+){1,4}(?:contains?|has|have|includes?)\s+(?:no|none|nothing)\b"
)
_FOUND_NONE = re.compile(
    r"\b(?:not|n't)\s+(?:find|found|identif\w+|see|detect\w*|contain|include)\s+any\s+(?:\w+\s+){0,3}"
    r"(?:information|claims?|items?|statements?|details?|facts?|issues?|errors?)\b(?!\s+(?:about|on|regarding|for)\b)"
    r"|\bno\s+(?:\w+,?\s+){0,5}(?:information|claims?|items?|statements?|details?|facts?)\s+(?:was|were|is|are)\s+(?:found|present)"
)
_ALL = re.compile(
    r"(?:all|both\s+of|everything|every\s+\w+)\b(?:(?!\bnot\b|\bno\b)[^.;])*"
    r"|(?:the\s+)?(?:\w+\s+){1,4}(?:covers|matches|mentions|includes)\s+all\b[^.;]*"
)
_REFERENCES = re.compile(
    r"(?:\d{1,3}\s*\(\s*)?(?P<but>all\s+(?:except|but|other\s+than|apart\s+from)(?:\s+for)?\s+)?(?:all\s+of\s+)?"
    r"(?P<named>(?:items?|points?|numbers?|entries|rows?|nos?\.?)\s*#?|#)?"
    r"(?P<numbers>\d{1,3}(?:\s*(?:,|and|&|[-–]|to|through)+\s*#?\d{1,3})*)"
    r"(?:\s+(?:of|from|in|on|above|below)\b[^.;]*)?(?:\s*\([^()]*\))?\)?\.?",
    re.IGNORECASE,
)
_SPAN = re.compile(r"(\d{1,3})(?:\s*(?:[-–]|to|through)\s*#?(\d{1,3}))?")
_INLINE = (
    re.compile(r"(?:^|(?<=[\s;,.:]))\(?(\d{1,2})[.)]\s+"),
    re.compile(r"(?:^|(?<=[\s;,.:]))\(([a-h])\)\s+"),
)
_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|does|did|do|can|could|would|should|seems?|appears?|covers|mentions)\b"
)
# What joins the name of a list and its entries in a sentence.
_JOINT = re.compile(r"(?:\b(?:is|are|was|were|includes?|namely)\b:?|:)\s+", re.IGNORECASE)
# A clause that explains the entry before it and is none of its own.
_CLAUSE = re.compile(
    r"(?:which|who|whose|where|although|though|but|because|since|while|so|as|e\.g|i\.e|not|also|even)\b"
)
_TALLY = re.compile(
    r"[.;]\s+(?:(?:that|this|which)\s+(?:makes|is|gives)|total|count)\b[^.\d]{0,20}\d{1,3}(?:\s+\w+){0,3}\.?$"
    r"|\s*[(\[]?\s*(?:total:?\s*)?\d{1,3}\s*(?:(?:out\s+)?of|/)\s*\d{1,3}[^()\[\]]{0,20}[)\]]?\s*$|\s*\(\d{1,3}\)\s*$",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"(?<=[a-z)\"”])[.!?]\s+(?=[A-Z])")
# A count with the entries behind it, after a colon or in brackets.
_COUNTED = re.compile(
    r"(?:only\s+)?(?:\d{1,3}|one|two|three|four|five)(?:\s+[a-z]+){0,3}\s*(?:[:–—-]|(?=\())\s*\(?([^()]+?)\)?\.?",
    re.IGNORECASE,
)
LONGEST_PIECE_WORDS, _LONGEST_NONE_WORDS = 12, 40


def says_none(text: str) -> bool:
    if text.strip(" .") in {"[]", "{}", "-", "–", "—"}:
        return True
    bare = _SENTENCE_END.split(text)[0].strip(" .*_-–—:\"'“”()[]").lower()
    if len(bare.split()) > _LONGEST_NONE_WORDS or _CONTRAST.search(bare):
        return False
    return _NONE.match(bare) is not None or _FOUND_NONE.search(bare) is not None


def opens_with_none(text: str) -> bool:
    """Whether a sentence of its own says that there is none, whatever follows: not "None of these is supported:"."""
    first = _SENTENCE_END.split(text)[0].rstrip()
    return says_none(first) and not first.endswith(":") and not re.match(r"\W*none\s+of\b", first, re.IGNORECASE)


def says_all(text: str) -> bool:
    bare = text.strip().lower()
    return _ALL.match(bare) is not None and not _CONTRAST.search(bare) and len(bare.split()) < _LONGEST_NONE_WORDS


def read_references(text: str) -> tuple[tuple[int, ...], bool] | None:
    """The numbers of entries of another list, and whether these are the ones left out. A number alone is a count."""
    found = _REFERENCES.fullmatch(text.strip())
    if found is None:
        return None
    spans = _SPAN.findall(found["numbers"])
    numbers = tuple(each for first, last in spans for each in range(int(first), int(last or first) + 1))
    return (numbers, found["but"] is not None) if found["named"] or len(numbers) > 1 else None


def split_line(text: str, known: Collection[str], names: Sequence[str] = ()) -> tuple[list[str], int] | None:
    """The entries of a list in one line, and how certain they are ones. `names` are phrases that name the list."""
    for pattern in _INLINE:
        _, *pieces = pattern.split(text)
        counts = [int(each) if each.isdecimal() else ord(each) - ord("a") + 1 for each in pieces[::2]]
        if counts and counts == list(range(1, len(counts) + 1)):
            # What follows the last entry in the same line is no part of it.
            own = [*pieces[1:-1:2], _SENTENCE_END.split(pieces[-1])[0]]
            return [_trim(piece) for piece in own if _trim(piece)], 2
    bare = cut_sentence(text, names) or text.strip()
    if _NONE.match(bare.lower()) and (contrast := _CONTRAST.search(bare.lower())):
        bare = bare[contrast.end() :].strip()
    behind_count = _COUNTED.fullmatch(bare)
    bare = bare.removeprefix("[").removesuffix("]") if bare.endswith("]") else bare
    body = (behind_count[1] if behind_count else _TALLY.sub("", bare)).rstrip(". ")
    if not body or re.search(r"[.!?]\s", body):
        return None
    if " / " in body and ";" not in body and "," not in body:
        body = body.replace(" / ", "; ")
    if ";" in body:
        return [_trim(re.sub(r"^and\s+", "", piece.strip())) for piece in body.split(";") if _trim(piece)], 2
    pieces = [piece for each in _split_commas(body) if (piece := _trim(re.sub(r"^(?:and|&)\s+", "", each.strip())))]
    is_plain = all(_is_plain(piece) for piece in pieces)
    is_told = not known or any(keywords(piece) & set(known) for piece in pieces)
    if not pieces or not is_plain or not is_told:
        return None
    return pieces, 1


def names_all(words: Sequence[str], phrases: Sequence[str]) -> bool:
    """Whether all words of a phrase begin words of the text."""
    return any(
        all(any(word.startswith(part) for word in words) for part in phrase.lower().split()) for phrase in phrases
    )


def cut_sentence(text: str, names: Sequence[str]) -> str:
    """What "the unsupported claims are …" or "… are not supported" lists; "" where a text names no list."""
    joints = [] if re.search(r"[.!?]\s", text) else list(_JOINT.finditer(text))
    for joint in joints:
        if names_all(fold_words(text[: joint.start()]), names):
            return text[joint.end() :]
    is_behind = bool(joints) and names_all(fold_words(text[joints[0].end() :]), names)
    return text[: joints[0].start()] if is_behind else ""


def _is_plain(piece: str) -> bool:
    """Short, and no sentence: a verb stands only in quotes or in a clause behind a comma."""
    head = re.split(r",\s", piece, maxsplit=1)[0]
    bare = re.sub(r"[\"“‘'][^\"”’']*[\"”’']", "", head.lower())
    return len(head.split()) <= LONGEST_PIECE_WORDS and not _VERB.search(bare)


def _trim(text: str) -> str:
    return re.sub(r"[;,]\s*(?:and|or)$", "", strip_emphasis(text).strip(" ;,")).rstrip(".").strip()


def _split_commas(text: str) -> list[str]:
    """At commas outside brackets and quotes; the last two may be joined by "and"."""
    pieces, depth, start, quoted = [], 0, 0, False
    for place, letter in enumerate(text):
        depth += (letter in "([") - (letter in ")]")
        quoted = (not quoted) if letter == '"' else letter == "“" or (quoted and letter != "”")
        is_number = text[place - 1 : place].isdigit() and text[place + 1 : place + 2].isdigit()
        is_clause = _CLAUSE.match(text[place + 1 :].lstrip().lower()) is not None
        if letter == "," and depth <= 0 and not quoted and not is_number and not is_clause:
            pieces.append(text[start:place])
            start = place + 1
    pieces.append(text[start:])
    if len(pieces) > 1 or quoted:
        head, joint, tail = pieces[-1].rpartition(" and ")
        if joint and not head.strip().startswith("and ") and head.strip():
            pieces[-1:] = [head, tail]
    elif " and " in text and not re.search(r"[\"“]", text):
        pieces = text.split(" and ")
    return pieces
