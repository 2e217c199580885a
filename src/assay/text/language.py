"""The language a text is in, sentence by sentence: by script, and by statistics of letters (py3langid)."""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

from assay.domain.span import Span
from assay.errors import InputError
from assay.text.language_codes import languages_of, read_language, same_script_neighbours
from assay.text.scripts import KANA, Piece, blank_nonwords, cut_by_script
from assay.text.sentences import split_sentences

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

OPENING: Final = 1000
"""Characters of a text that tell its one language."""
MODEL_CHARACTERS: Final = 4_000
"""Characters of one piece that the model reads; more do not change the answer."""
ENOUGH_LETTERS: Final = 20
"""Below this the statistics of letters say nothing."""
FIRM_LETTERS: Final = 40
"""Below this a sentence also leans on its neighbours."""
FIRM_WEIGHT: Final = 0.7
"""What a language must weigh in a firm sentence to be considered in the whole text."""
CLEAR_WEIGHT: Final = 0.9
"""What a close neighbour of the expected language must weigh in the whole text to be told from it, and a language with
its neighbours in a sentence that is short of firm."""
NEAR_SHARE: Final = 1 / 3
"""So many of the sentences must clearly be in a close neighbour of the language of the whole to be counted as such."""
CLEAR_WORDS: Final = 5
"""From so many words on a clear sentence needs none beside it to say its language."""
MARGIN: Final = 10
"""So many times the weight of the expected language another one must have: of 1,800 short English sentences none
looked Italian or French by more, and what is in another language mostly does a hundred times."""
HAN_ALONE: Final = 12
"""So many Han characters without a kana are not a Japanese sentence."""

# Frequent in English, and rare or unknown as words of other languages: Polish has "to" and "by", Danish "for".
_ENGLISH_WORDS: Final = (
    "and are because been but can could from has had how into its more most not only other our she should some such "
    "than that the their them there these they this those through was were what when where which while who will with "
    "would you your"
)
_ENGLISH: Final = frozenset(_ENGLISH_WORDS.split())
_ENGLISH_LEAST: Final = 40
_ENGLISH_SHARE: Final = 0.15
_WORD: Final = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class LanguageShares:
    """Shares are of the words whose language could be told; `words` counts only these."""

    words: int
    shares: Mapping[str, Fraction]
    dominant: str | None

    def of(self, language: str) -> Fraction:
        return self.shares.get(read_language(language) or language, Fraction(0))


def identify(text: str) -> str | None:
    """The language of most words in the opening of a text; None where the letters are too few to tell."""
    return _identify(text[:OPENING])


@lru_cache(maxsize=1024)
def _identify(opening: str) -> str | None:
    return "en" if is_plainly_english(blank_nonwords(opening)) else language_shares(opening).dominant


def is_plainly_english(text: str) -> bool:
    """Whether a text is long enough and dense with English function words. It saves loading the model."""
    words = _WORD.findall(text.lower())
    if len(words) < _ENGLISH_LEAST or len(text.encode("ascii", "ignore")) < 0.97 * len(text):
        return False
    return sum(word in _ENGLISH for word in words) >= _ENGLISH_SHARE * len(words)


def language_shares(text: str, expected: str | None = None, ignore: Sequence[Span] = ()) -> LanguageShares:
    """The share of words in each language; a word without spaces around it is two characters of its script.

    Not counted: addresses, code, identifiers, quantities, acronyms, Latin terms inside a sentence of another script,
    and the `ignore` spans, for what is quoted from elsewhere.
    """
    wanted = None if expected is None else read_language(expected)
    visible = blank_nonwords(text, ignore)
    pieces = [piece for span in split_sentences(text, wanted or "en") for piece in cut_by_script(span.of(visible))]
    han = [piece for piece in pieces if piece.script == "han"]
    is_japanese = 10 * sum(len(KANA.findall(piece.text)) for piece in han) >= sum(piece.letters for piece in han)
    words: Counter[str] = Counter()
    undecided: dict[str, list[Piece]] = {}
    for piece in pieces:
        possible = languages_of(piece.script)
        if piece.script == "han":
            kana = KANA.search(piece.text) or (is_japanese and piece.letters < HAN_ALONE)
            words["ja" if kana else "zh"] += piece.words
        elif len(possible) == 1:
            words[possible[0]] += piece.words
        else:
            undecided.setdefault(piece.script, []).append(piece)
    for script, group in undecided.items():
        for piece, language in _tell_languages(group, script, wanted):
            words[language] += piece.words
    total = sum(words.values())
    shares = {language: Fraction(count, total) for language, count in words.most_common()}
    dominant = max(shares, key=lambda language: (shares[language], language == wanted), default=None)
    return LanguageShares(total, shares, dominant)


def _tell_languages(pieces: Sequence[Piece], script: str, expected: str | None) -> Iterator[tuple[Piece, str]]:
    clear = [_find_clear_language(piece) for piece in pieces]
    choice = _choose_candidates(pieces, [code for code in clear if code is not None], script, expected)
    if choice is None:
        return
    candidates, standing = choice
    for piece, own in zip(pieces, clear, strict=True):
        # A short sentence says little: it takes the language around it.
        is_heard = own in candidates or piece.letters >= FIRM_LETTERS
        yield piece, (_choose(rate_languages(piece.text, candidates), standing) if is_heard else None) or standing


def _find_clear_language(piece: Piece) -> str | None:
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


def _choose_candidates(
    pieces: Sequence[Piece], clear: Sequence[str], script: str, expected: str | None
) -> tuple[Collection[str], str] | None:
    """The languages worth telling apart in a text, and the one that a doubtful sentence is in; None for no idea.

    Candidates are the language of the whole, the expected one and English. Another one is where a sentence is clearly
    in it and it is no close neighbour of the former, since a stray Galician sentence in a Spanish text is Spanish, or
    where many sentences are. A doubtful sentence is in the language of the whole, which is the expected one where it
    may as well be. A few words that look like another language, and may be in either, are left open, unless English
    is expected.
    """
    possible, letters = languages_of(script), sum(piece.letters for piece in pieces)
    if script != "latin" and letters < FIRM_LETTERS and expected in possible:
        # A few words of the expected script say so by it alone; Latin letters could be of any language.
        return [expected], expected
    text = " ".join(piece.text for piece in pieces)
    whole = {} if letters < ENOUGH_LETTERS else rate_languages(text, possible)
    # Latin letters may spell Japanese or another language that is written otherwise.
    is_transcribed = script == "latin" and letters >= FIRM_LETTERS and sounds_foreign(text)
    if not whole or is_transcribed:
        return None
    standing = expected if expected in possible else "en"
    heaviest = max(whole, key=lambda code: whole[code])
    is_doubtful = not same_script_neighbours(heaviest, standing) and _is_close(whole, standing)
    if is_doubtful and standing != "en" and not clear:
        return None
    best = _choose(whole, standing) or heaviest
    chosen = {code for code in (expected, "en") if code in possible}
    if expected is None or not same_script_neighbours(best, expected) or whole[best] >= CLEAR_WEIGHT:
        chosen.add(best)
    for code, count in Counter(clear).items():
        is_near = any(same_script_neighbours(code, other) for other in chosen)
        if not is_near or (count > 1 and count >= NEAR_SHARE * len(pieces)):
            chosen.add(code)
    return sorted(chosen), best if best in chosen else standing


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


@cache
def _load_model() -> "tuple[LanguageIdentifier, Mapping[str, str | None]]":
    """With our code for each of its labels. Loaded on first use, since it takes most of a second."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    try:
        model = LanguageIdentifier.from_model_file(MODEL_FILE)
    except OSError as error:
        from tempfile import gettempdir

        # It is unpacked into the folder for temporary files.
        remedy = f"Make room in {gettempdir()}, or set TMPDIR to a folder that has some."
        raise InputError(f"the model of languages can't be unpacked ({error.strerror})", remedy=remedy) from None
    return model, {label: read_language(label) for label in model.labels}


@lru_cache(maxsize=4_096)
def _log_scores(text: str) -> tuple[Mapping[str, float], bool]:
    """A score per language we tell apart, and whether the best of all was none of them."""
    model, codes = _load_model()
    scores: dict[str, float] = {}
    ranking = model.rank(text)
    for label, score in ranking:
        code = codes[label]
        if code is not None:
            scores.setdefault(code, score)
    return scores, bool(ranking) and codes[ranking[0][0]] is None


def sounds_foreign(text: str) -> bool:
    """Whether the best of all the model's languages is none we tell apart, as for Japanese in Latin letters."""
    return _log_scores(text[:MODEL_CHARACTERS])[1]


def rate_languages(text: str, candidates: Collection[str]) -> dict[str, float]:
    """A weight per candidate the model knows, together one; empty where it knows none."""
    read = text[:MODEL_CHARACTERS]
    known = {code: score for code, score in _log_scores(read)[0].items() if code in candidates}
    if not known:
        return {}
    # The letters of a text are not independent: dividing by the root of its length keeps long texts from certainty.
    temperature = math.sqrt(len(read.encode("utf-8", "surrogatepass")) or 1)
    best = max(known.values())
    weights = {code: math.exp((score - best) / temperature) for code, score in known.items()}
    total = sum(weights.values())
    return {code: weight / total for code, weight in weights.items()}
