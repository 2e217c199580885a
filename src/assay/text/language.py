"""The language a text is in, sentence by sentence."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

from assay.domain.span import Span
from assay.text.language_codes import language_name, languages_of, read_language, same_script_neighbours
from assay.text.language_model import rate_languages, sounds_foreign
from assay.text.nonwords import blank_nonwords
from assay.text.plain_english import is_plainly_english
from assay.text.script_pieces import Piece, cut_by_script, find_main_piece
from assay.text.scripts import KANA
from assay.text.sentences import split_sentences

__all__ = [
    "LanguageShares",
    "find_neighbour_share",
    "identify",
    "language_name",
    "language_shares",
    "read_language",
    "same_script_neighbours",
]

OPENING: Final = 1000
"""As much of a text as is looked at to tell its one language."""
ENOUGH_LETTERS: Final = 20
"""Below this the statistics of letters say nothing."""
FIRM_LETTERS: Final = 40
"""Below this a sentence also leans on its neighbours."""
FIRM_WEIGHT: Final = 0.7
"""What a language must weigh in a firm sentence to be considered in the whole text."""
CLEAR_WEIGHT: Final = 0.9
"""What a close neighbour of the expected language must weigh in the whole text to be told from it, and a language with
its neighbours in a sentence that is short of firm."""
CLEAR_WORDS: Final = 5
"""From so many words on a clear sentence needs none beside it to say its language."""
MARGIN: Final = 10
"""So many times the weight of the expected language another one must have: of 1,800 English sentences that are
short of firm none looked Italian or French by more, and what is in another language mostly does a hundred times."""
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


def _tell_han(piece: Piece, text_is_japanese: bool) -> str:
    if KANA.search(piece.text) or (text_is_japanese and piece.letters < HAN_ALONE):
        return "ja"
    return "zh"


def _script_decides(piece: Piece, text_is_japanese: bool = False) -> str | None:
    if piece.script == "han":
        return _tell_han(piece, text_is_japanese)
    possible = languages_of(piece.script)
    return possible[0] if len(possible) == 1 else None


def identify(text: str, candidates: Collection[str] | None = None) -> str | None:
    """The one language of a text; None where its letters are too few to tell, or tell of no candidate.

    It is English where it may as well be. The opening of a long text speaks for all of it.
    """
    return _identify(text[:OPENING], None if candidates is None else frozenset(candidates))


@lru_cache(maxsize=2048)
def _identify(text: str, candidates: frozenset[str] | None) -> str | None:
    """Several checks and the splitter ask about the same texts of a record."""
    words = blank_nonwords(text)
    allowed = None if candidates is None else {read_language(candidate) or candidate for candidate in candidates}
    if (allowed is None or "en" in allowed) and is_plainly_english(words):
        return "en"
    piece = find_main_piece(words)
    if piece is None:
        return None
    main = piece.script
    decided = _script_decides(piece)
    if decided is None and piece.letters >= ENOUGH_LETTERS:
        possible = [code for code in languages_of(main) if allowed is None or code in allowed]
        weights = {} if _is_transcribed(piece.text, main, piece.letters) else rate_languages(piece.text, possible)
        decided = _choose(weights, "en")
    return decided if allowed is None or decided in allowed else None


def _is_transcribed(text: str, script: str, letters: int) -> bool:
    """Whether Latin letters spell another script's language, such as Japanese: of none of ours, then."""
    return script == "latin" and letters >= FIRM_LETTERS and sounds_foreign(text)


def _choose(weights: Mapping[str, float], standing: str) -> str | None:
    """The heaviest language, or the standing one or else English where it does not clearly outweigh these.

    English itself needs no margin: it has many words of other languages, while theirs seldom look English.
    """
    best = max(weights, key=lambda code: (weights[code], code == standing), default=None)
    if best in (None, "en"):
        return best
    return next((code for code in (standing, "en") if _is_close(weights, code)), best)


def _is_close(weights: Mapping[str, float], language: str) -> bool:
    return MARGIN * weights.get(language, 0.0) >= max(weights.values())


def _speaks_for(piece: Piece) -> str | None:
    """The language a sentence is in by its own words alone, if these are enough."""
    is_firm = piece.letters >= FIRM_LETTERS
    if not is_firm and (piece.letters < ENOUGH_LETTERS or piece.words < CLEAR_WORDS):
        return None
    weights = rate_languages(piece.text, languages_of(piece.script))
    best = max(weights, key=lambda code: weights[code])
    if is_firm:
        return best if weights[best] >= FIRM_WEIGHT else None
    # Short Spanish may be Galician as well, which is no doubt that it is not English.
    family = sum(weight for code, weight in weights.items() if same_script_neighbours(code, best))
    return best if family >= CLEAR_WEIGHT else None


@dataclass(frozen=True, slots=True)
class _Choice:
    """The languages worth telling apart in a text, and the one that a doubtful sentence is in."""

    candidates: Collection[str]
    standing: str


def _choose_candidates(
    pieces: Sequence[Piece], spoken_for: Sequence[str], script: str, expected: str | None
) -> _Choice | None:
    """The language of the whole, the expected one and English; None where nothing can be told.

    Another one is where a sentence speaks for it and it is no close neighbour of the former, since a stray Galician
    sentence in a Spanish text is Spanish. A doubtful sentence is in the language of the whole, which is the expected
    one where it may as well be; but a few words that look like another than that, and may be either, are left open,
    unless English is expected.
    """
    possible, letters = languages_of(script), sum(piece.letters for piece in pieces)
    if script != "latin" and letters < FIRM_LETTERS and expected in possible:
        # A few words of the expected script say so by it alone; Latin letters could be of any language.
        return _Choice([expected], expected)
    text = " ".join(piece.text for piece in pieces)
    whole = {} if letters < ENOUGH_LETTERS else rate_languages(text, possible)
    if not whole or _is_transcribed(text, script, letters):
        return None
    standing = expected if expected in possible else "en"
    heaviest = max(whole, key=lambda code: whole[code])
    is_doubtful = not same_script_neighbours(heaviest, standing) and _is_close(whole, standing)
    if is_doubtful and standing != "en" and not spoken_for:
        return None
    best = _choose(whole, standing) or heaviest
    chosen = {code for code in (expected, "en") if code in possible}
    if expected is None or not same_script_neighbours(best, expected) or whole[best] >= CLEAR_WEIGHT:
        chosen.add(best)
    for code in spoken_for:
        if not any(same_script_neighbours(code, other) for other in chosen):
            chosen.add(code)
    return _Choice(sorted(chosen), best if best in chosen else standing)


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


def _tell_languages(pieces: Sequence[Piece], script: str, expected: str | None) -> Iterator[tuple[Piece, str]]:
    letters = [piece.letters for piece in pieces]
    spoken_for = [_speaks_for(piece) for piece in pieces]
    choice = _choose_candidates(pieces, [code for code in spoken_for if code is not None], script, expected)
    if choice is None:
        return
    weights = [rate_languages(piece.text, choice.candidates) for piece in pieces]
    for at, piece in enumerate(pieces):
        is_clear = spoken_for[at] in choice.candidates
        language = _choose(weights[at] if is_clear else _smooth(weights, letters, at), choice.standing)
        if language is not None:
            yield piece, language


def _cut(text: str, expected: str | None, ignore: Sequence[Span]) -> list[Piece]:
    words = blank_nonwords(text, ignore)
    return [piece for span in split_sentences(text, expected or "en") for piece in cut_by_script(span.of(words))]


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
    undecided: dict[str, list[Piece]] = {}
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
