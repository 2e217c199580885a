"""The language a text is in, sentence by sentence."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Final

from assay.domain.span import Span
from assay.text.language_codes import language_name, languages_of, read_language, same_script_neighbours
from assay.text.language_model import rate_languages, sounds_foreign
from assay.text.nonwords import blank_nonwords
from assay.text.plain_english import is_plainly_english
from assay.text.scripts import KANA, Run, find_runs
from assay.text.sentences import split_sentences

__all__ = [
    "LanguageShares",
    "find_neighbour_share",
    "identify",
    "language_name",
    "language_shares",
    "may_be",
    "read_language",
    "same_script_neighbours",
]

OPENING: Final = 1000
"""As much of a text as is looked at to tell its one language."""
ENOUGH_LETTERS: Final = 20
"""Below this the statistics of letters say nothing."""
FIRM_LETTERS: Final = 40
"""Below this a sentence also leans on its neighbours."""
TERM_WORDS: Final = 4
"""Up to this many Latin words in a row inside a sentence of another script are a technical term."""
FIRM_WEIGHT: Final = 0.7
"""What a language must weigh in a firm sentence to be considered in the whole text."""
CLEAR_WEIGHT: Final = 0.9
"""What a close neighbour of the expected language must weigh in the whole text to be told from it."""
_ASCII_LETTERS: Final = re.compile("[A-Za-z]+")
HAN_ALONE: Final = 12
"""So many Han characters without a kana are not a Japanese sentence."""


@dataclass(frozen=True, slots=True)
class LanguageShares:
    """Shares are of the words whose language could be told; `words` counts only these."""

    words: int
    shares: Mapping[str, Fraction]
    dominant: str | None

    def of(self, language: str) -> Fraction:
        return self.shares.get(read_language(language) or language, Fraction(0))


@dataclass(frozen=True, slots=True)
class _Piece:
    """A stretch of one script within one sentence."""

    script: str
    text: str
    words: int
    letters: int


def _build_piece(text: str, runs: Sequence[Run]) -> _Piece:
    span = Span(runs[0].span.start, runs[-1].span.end)
    letters = sum(run.span.end - run.span.start for run in runs)
    return _Piece(runs[0].script, " ".join(span.of(text).split()), sum(run.words for run in runs), letters)


def _group_by_script(text: str) -> list[list[Run]]:
    groups: list[list[Run]] = []
    for run in find_runs(text):
        # A lone Greek letter is a symbol wherever the words are in another script.
        if run.script == "greek" and run.span.end - run.span.start == 1 and groups and groups[-1][0].script != "greek":
            continue
        if groups and groups[-1][0].script == run.script:
            groups[-1].append(run)
        else:
            groups.append([run])
    return groups


def _cut_by_script(text: str) -> Iterator[_Piece]:
    groups = _group_by_script(text)
    weight: Counter[str] = Counter()
    for group in groups:
        weight[group[0].script] += sum(run.words for run in group)
    main = max(weight, key=lambda script: (weight[script], script != "latin"), default="latin")
    for group in groups:
        if main == "latin" or group[0].script != "latin" or len(group) > TERM_WORDS:
            yield _build_piece(text, group)


def _tell_han(piece: _Piece, text_is_japanese: bool) -> str:
    if KANA.search(piece.text) or (text_is_japanese and piece.letters < HAN_ALONE):
        return "ja"
    return "zh"


def _script_decides(piece: _Piece, text_is_japanese: bool = False) -> str | None:
    if piece.script == "han":
        return _tell_han(piece, text_is_japanese)
    possible = languages_of(piece.script)
    return possible[0] if len(possible) == 1 else None


def identify(text: str, candidates: Collection[str] | None = None) -> str | None:
    """The one language of a text; None where its letters are too few to tell, or tell of no candidate.

    The opening of a long text speaks for all of it.
    """
    return _identify(text[:OPENING], None if candidates is None else frozenset(candidates))


@lru_cache(maxsize=2048)
def _identify(text: str, candidates: frozenset[str] | None) -> str | None:
    """Several checks and the splitter ask about the same texts of a record."""
    words = blank_nonwords(text)
    allowed = None if candidates is None else {read_language(candidate) or candidate for candidate in candidates}
    if (allowed is None or "en" in allowed) and is_plainly_english(words):
        return "en"
    piece = _find_main_piece(words)
    if piece is None:
        return None
    main = piece.script
    decided = _script_decides(piece)
    if decided is None and piece.letters >= ENOUGH_LETTERS:
        possible = [code for code in languages_of(main) if allowed is None or code in allowed]
        weights = {} if _is_transcribed(piece.text, main, piece.letters) else rate_languages(piece.text, possible)
        decided = max(weights, key=lambda code: weights[code], default=None)
    return decided if allowed is None or decided in allowed else None


def may_be(text: str, language: str) -> bool:
    """Whether a text too short to be sure of may as well be in this language: it weighs half of what the best does."""
    piece = _find_main_piece(blank_nonwords(text[:OPENING]))
    if piece is None or piece.letters >= FIRM_LETTERS:
        return False
    weights = rate_languages(piece.text, languages_of(piece.script))
    return 2 * weights.get(language, 0.0) >= max(weights.values(), default=1.0)


def _find_main_piece(words: str) -> _Piece | None:
    """What a text has in the script that most of its words are in, each word once: a list says no more by repeating."""
    if words.isascii():
        # Most texts, and the plain case of the general one.
        distinct = " ".join(_distinct(words))
        runs = _ASCII_LETTERS.findall(distinct)
        return _Piece("latin", distinct, len(runs), sum(map(len, runs))) if runs else None
    groups = _group_by_script(words)
    weight: Counter[str] = Counter()
    for group in groups:
        weight[group[0].script] += sum(run.words for run in group)
    if not weight:
        return None
    main = max(weight, key=lambda script: (weight[script], script != "latin"))
    piece = _build_piece(words, [run for group in groups if group[0].script == main for run in group])
    kept = _distinct(piece.text)
    return replace(piece, text=" ".join(kept), letters=sum(sum(map(str.isalpha, word)) for word in kept))


def _distinct(words: str) -> list[str]:
    return list(dict.fromkeys(words.split()))


def _is_transcribed(text: str, script: str, letters: int) -> bool:
    """Whether Latin letters spell another script's language, such as Japanese: of none of ours, then."""
    return script == "latin" and letters >= FIRM_LETTERS and sounds_foreign(text)


def _choose_candidates(pieces: Sequence[_Piece], script: str, expected: str | None) -> list[str]:
    """The languages worth telling apart in this text.

    The language of the whole, the expected one and English are; another one is where a firm sentence speaks for it
    and it is no close neighbour of the former, since a stray Galician sentence in a Spanish text is Spanish.
    """
    possible, letters = languages_of(script), sum(piece.letters for piece in pieces)
    if script != "latin" and letters < FIRM_LETTERS and expected in possible:
        # A few words of the expected script say so by it alone; Latin letters could be of any language.
        return [expected]
    text = " ".join(piece.text for piece in pieces)
    whole = {} if letters < ENOUGH_LETTERS else rate_languages(text, possible)
    if not whole or _is_transcribed(text, script, letters):
        return []
    chosen = {code for code in (expected, "en") if code in possible}
    best = max(whole, key=lambda code: whole[code])
    if expected is None or not same_script_neighbours(best, expected) or whole[best] >= CLEAR_WEIGHT:
        chosen.add(best)
    for piece in pieces:
        if piece.letters < FIRM_LETTERS:
            continue
        weights = rate_languages(piece.text, possible)
        best = max(weights, key=lambda code: weights[code])
        if weights[best] >= FIRM_WEIGHT and not any(same_script_neighbours(best, other) for other in chosen):
            chosen.add(best)
    return sorted(chosen)


def _smooth(weights: Sequence[Mapping[str, float]], letters: Sequence[int], at: int) -> dict[str, float]:
    """A short sentence's own weights, filled up to a firm sentence's with those of the nearest on either side."""
    own = min(1.0, letters[at] / FIRM_LETTERS)
    beside = [weights[i] for i in (at - 1, at + 1) if 0 <= i < len(weights)]
    if own == 1.0 or not beside:
        return dict(weights[at])
    return {
        code: own * weight + (1 - own) * sum(other[code] for other in beside) / len(beside)
        for code, weight in weights[at].items()
    }


def _tell_languages(pieces: Sequence[_Piece], script: str, expected: str | None) -> Iterator[tuple[_Piece, str]]:
    letters = [piece.letters for piece in pieces]
    candidates = _choose_candidates(pieces, script, expected)
    if not candidates:
        return
    weights = [rate_languages(piece.text, candidates) for piece in pieces]
    for at, piece in enumerate(pieces):
        smoothed = _smooth(weights, letters, at)
        yield piece, max(smoothed, key=lambda code: (smoothed[code], code == expected))


def _cut(text: str, expected: str | None, ignore: Sequence[Span]) -> list[_Piece]:
    words = blank_nonwords(text, ignore)
    return [piece for span in split_sentences(text, expected or "en") for piece in _cut_by_script(span.of(words))]


def find_neighbour_share(text: str, expected: str, ignore: Sequence[Span] = ()) -> Fraction:
    """The share of words in firm sentences that clearly speak for a close neighbour of the expected language.

    Single ones are noise, and counted as the expected language above; half a text of them is not.
    """
    near = total = 0
    for piece in _cut(text, expected, ignore):
        total += piece.words
        if piece.letters < FIRM_LETTERS or expected not in languages_of(piece.script):
            continue
        weights = rate_languages(piece.text, languages_of(piece.script))
        best = max(weights, key=lambda code: weights[code], default=expected)
        if same_script_neighbours(best, expected) and best != expected and weights[best] >= CLEAR_WEIGHT:
            near += piece.words
    return Fraction(near, total) if total else Fraction(0)


def language_shares(text: str, expected: str | None = None, ignore: Sequence[Span] = ()) -> LanguageShares:
    """The share of words in each language; a word without spaces around it is two characters of its script.

    Not counted: addresses, code, identifiers, quantities, acronyms, Latin terms inside a sentence of another script,
    and the `ignore` spans, for what is quoted from elsewhere.
    """
    wanted = None if expected is None else read_language(expected)
    pieces = _cut(text, wanted, ignore)
    han = [piece for piece in pieces if piece.script == "han"]
    kana = sum(len(KANA.findall(piece.text)) for piece in han)
    text_is_japanese = kana * 10 >= sum(piece.letters for piece in han)
    words: Counter[str] = Counter()
    undecided: dict[str, list[_Piece]] = {}
    for piece in pieces:
        language = _script_decides(piece, text_is_japanese)
        if language is None:
            undecided.setdefault(piece.script, []).append(piece)
        else:
            words[language] += piece.words
    for script, group in undecided.items():
        for piece, language in _tell_languages(group, script, wanted):
            words[language] += piece.words
    total = sum(words.values())
    shares = {language: Fraction(count, total) for language, count in words.most_common()}
    dominant = max(shares, key=lambda language: (shares[language], language == wanted), default=None)
    return LanguageShares(total, shares, dominant)
