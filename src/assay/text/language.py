"""The language a text is in, sentence by sentence: by script, and by statistics of letters (py3langid)."""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

from assay.domain.span import Span
from assay.errors import InputError
from assay.text.scripts import ScriptRun, find_runs, languages_of, read_language, same_script_neighbours
from assay.text.sentences import split_sentences
from assay.text.word_lists import read_words

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

OPENING: Final = 1000
"""Characters at the start of a text that decide its language."""
MODEL_CHARACTERS: Final = 4_000
"""Characters of one piece that the model reads; more do not change the answer."""
ENOUGH_LETTERS: Final = 20
"""With fewer letters the statistics say nothing."""
FIRM_LETTERS: Final = 40
"""A sentence of at least this many letters is rated by its own letters alone."""
FIRM_WEIGHT: Final = 0.7
"""Weight from which on a language is recognised in such a sentence."""
CLEAR_WEIGHT: Final = 0.9
"""Weight that a language and its close relatives must have together in a shorter sentence."""
CLEAR_WORDS: Final = 5
"""A shorter sentence needs at least this many words to be rated by itself."""
MARGIN: Final = 10
"""Another language than the expected one must have this many times its weight. Of 1,800 short English sentences none
looked Italian or French by more; a text in another language mostly does by a hundred times."""
HAN_ALONE: Final = 12
"""A sentence with at least this many Han characters and no kana is not Japanese."""
_TERM_WORDS: Final = 4
"""At most this many Latin words in a row, in a sentence of another script, are a technical term."""
_LEAD_IN_LETTERS: Final = 20
"""Fewer letters outside a code fence only introduce the code."""

_ENGLISH_LEAST: Final = 40
_ENGLISH_SHARE: Final = 0.15
_WORD: Final = re.compile(r"[^\W\d_]+")
_KANA: Final = re.compile("[\u3040-\u30fa\u30fd-\u30ff\u31f0-\u31ff\uff66-\uff9f]")
# A fence that is never closed runs to the end.
_FENCED: Final = re.compile(r"^[ \t]*+(`{3,}|~{3,})[\s\S]*?(?:^[ \t]*+\1[`~]*|\Z)", re.MULTILINE)
# Addresses, code, tags, and names with digits in them, such as HER2, NCT01234567 or PD-L1.
_NONWORD: Final = re.compile(
    r"(?:https?://|www\.)[^\s<>\"'，。、）」]+|(?<![\w.+%-])[\w.+%-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,8}"
    r"|`[^`\n]{1,200}`|</?[A-Za-z][^<>]{0,300}>|&#?\w{2,10};|(?P<token>\w+(?:[-–/.'’]\w+)*)"
)


@dataclass(frozen=True, slots=True)
class LanguageShares:
    """Shares are of the words whose language could be told; `words` counts only these."""

    words: int
    shares: Mapping[str, Fraction]
    dominant: str | None

    def of(self, language: str) -> Fraction:
        return self.shares.get(read_language(language) or language, Fraction(0))


@dataclass(frozen=True, slots=True)
class _ScriptPiece:
    """A stretch of one script within one sentence."""

    script: str
    text: str
    words: int
    letters: int


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
    english = read_words("languages", "english")
    return sum(word in english for word in words) >= _ENGLISH_SHARE * len(words)


def language_shares(text: str, expected: str | None = None, ignore: Sequence[Span] = ()) -> LanguageShares:
    """The share of words in each language; a word without spaces around it is two characters of its script.

    Not counted: addresses, code, identifiers, quantities, acronyms, Latin terms inside a sentence of another script,
    and the `ignore` spans, for what is quoted from elsewhere.
    """
    wanted = None if expected is None else read_language(expected)
    visible = blank_nonwords(text, ignore)
    by_script: dict[str, list[_ScriptPiece]] = {}
    for span in split_sentences(text, wanted or "en"):
        for piece in _cut_by_script(span.of(visible)):
            by_script.setdefault(piece.script, []).append(piece)
    words: Counter[str] = Counter()
    for script, pieces in by_script.items():
        for piece, language in _identify_pieces(pieces, script, wanted):
            words[language] += piece.words
    total = sum(words.values())
    shares = {language: Fraction(count, total) for language, count in words.most_common()}
    dominant = max(shares, key=lambda language: (shares[language], language == wanted), default=None)
    return LanguageShares(total, shares, dominant)


def _cut_by_script(text: str) -> Iterator[_ScriptPiece]:
    """The pieces of a sentence, without the Latin terms in one of another script."""
    groups: list[list[ScriptRun]] = []
    weight: Counter[str] = Counter()
    for run in find_runs(text):
        # A lone Greek letter is a symbol wherever the words are in another script.
        if run.script == "greek" and run.span.end - run.span.start == 1 and groups and groups[-1][0].script != "greek":
            continue
        weight[run.script] += run.words
        if groups and groups[-1][0].script == run.script:
            groups[-1].append(run)
        else:
            groups.append([run])
    main = max(weight, key=lambda script: (weight[script], script != "latin"), default="latin")
    for group in groups:
        script = group[0].script
        if main == "latin" or script != "latin" or len(group) > _TERM_WORDS:
            words = Span(group[0].span.start, group[-1].span.end).of(text)
            letters = sum(run.span.end - run.span.start for run in group)
            yield _ScriptPiece(script, " ".join(words.split()), sum(run.words for run in group), letters)


def blank(text: str, spans: Iterable[Span]) -> str:
    """The text with spaces in place of the spans, so that offsets stay."""
    pieces, end = [], 0
    for span in sorted(spans):
        start, stop = max(end, span.start), min(len(text), span.end)
        if stop > start:
            pieces += [text[end:start], " " * (stop - start)]
            end = stop
    return "".join([*pieces, text[end:]])


def find_nonwords(text: str) -> tuple[Span, ...]:
    """Spans that are in no language: addresses, code, tags, names with digits in them. Code fences are left out."""
    found = (match for match in _NONWORD.finditer(text) if match["token"] is None or _is_code(match["token"]))
    return tuple(Span(*match.span()) for match in found)


def _is_code(token: str) -> bool:
    if token.isalpha():
        return False
    return "_" in token or (any(map(str.isdigit, token)) and any(map(str.isalpha, token)))


def blank_nonwords(text: str, ignore: Sequence[Span] = ()) -> str:
    """The text with all but its words blanked. Code fences are blanked too, unless nearly all the text is in them."""
    rest = blank(text, (*find_nonwords(text), *ignore))
    without_code = blank(rest, (Span(*match.span()) for match in _FENCED.finditer(text)))
    return without_code if sum(map(str.isalpha, without_code)) >= _LEAD_IN_LETTERS else rest


def _identify_pieces(
    pieces: Sequence[_ScriptPiece], script: str, expected: str | None
) -> Iterator[tuple[_ScriptPiece, str]]:
    """Each piece of one script with its language; none where the language can't be told."""
    possible = languages_of(script)
    if script == "han":
        kana = sum(len(_KANA.findall(piece.text)) for piece in pieces)
        is_japanese = 10 * kana >= sum(piece.letters for piece in pieces)
        for piece in pieces:
            has_kana = _KANA.search(piece.text) or (is_japanese and piece.letters < HAN_ALONE)
            yield piece, "ja" if has_kana else "zh"
        return
    if len(possible) == 1:
        yield from ((piece, possible[0]) for piece in pieces)
        return
    clear = [_find_clear_language(piece, possible) for piece in pieces]
    standing = _find_standing(pieces, script, expected, is_clear=any(clear))
    if standing is None:
        return
    counts = Counter(clear)
    for piece, own in zip(pieces, clear, strict=True):
        # A short sentence takes the language of the whole, and so does a single one in a close relative of it.
        if own is None or (counts[own] == 1 and same_script_neighbours(own, standing)):
            yield piece, standing
        else:
            yield piece, own


def _find_clear_language(piece: _ScriptPiece, possible: Collection[str]) -> str | None:
    """The language a sentence is in by its own words alone, if these are enough."""
    is_firm = piece.letters >= FIRM_LETTERS
    if not is_firm and (piece.letters < ENOUGH_LETTERS or piece.words < CLEAR_WORDS):
        return None
    weights = rate_languages(piece.text, possible)
    best = max(weights, key=lambda code: weights[code])
    if is_firm:
        return best if weights[best] >= FIRM_WEIGHT else None
    # Short Spanish may look Galician as well. Their weights together show that it is not English.
    family = sum(weight for code, weight in weights.items() if same_script_neighbours(code, best))
    return best if family >= CLEAR_WEIGHT else None


def _find_standing(pieces: Sequence[_ScriptPiece], script: str, expected: str | None, *, is_clear: bool) -> str | None:
    """The language of the whole: the expected one or English if it may be that; None if the letters do not tell."""
    possible, letters = languages_of(script), sum(piece.letters for piece in pieces)
    text = " ".join(piece.text for piece in pieces)
    whole = {} if letters < ENOUGH_LETTERS else rate_languages(text, possible)
    # Latin letters may transcribe Japanese or another language with a script of its own.
    if not whole or (script == "latin" and letters >= FIRM_LETTERS and sounds_foreign(text)):
        return None
    prior = expected if expected in possible else "en"
    heaviest = max(whole, key=lambda code: whole[code])
    is_doubtful = not same_script_neighbours(heaviest, prior) and _is_close(whole, prior)
    return None if is_doubtful and prior != "en" and not is_clear else _choose(whole, prior)


def _choose(weights: Mapping[str, float], standing: str) -> str:
    """The heaviest language, where it clearly outweighs the standing one and English, which borrows many words."""
    best = max(weights, key=lambda code: (weights[code], code == standing), default=standing)
    return best if best == "en" else next((code for code in (standing, "en") if _is_close(weights, code)), best)


def _is_close(weights: Mapping[str, float], language: str) -> bool:
    return MARGIN * weights.get(language, 0.0) >= max(weights.values(), default=0.0)


@cache
def _load_model() -> "tuple[LanguageIdentifier, Mapping[str, str | None]]":
    """The model, and our code for each of its labels. Loaded on first use, since it takes most of a second."""
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
    """A score for each supported language, and whether the best score of all belongs to another language."""
    model, codes = _load_model()
    scores: dict[str, float] = {}
    ranking = model.rank(text)
    for label, score in ranking:
        code = codes[label]
        if code is not None:
            scores.setdefault(code, score)
    return scores, bool(ranking) and codes[ranking[0][0]] is None


def sounds_foreign(text: str) -> bool:
    """Whether the model's best language is not a supported one, as for Japanese in Latin letters."""
    return _log_scores(text[:MODEL_CHARACTERS])[1]


def rate_languages(text: str, candidates: Collection[str]) -> dict[str, float]:
    """The weights of the candidates that the model knows, which sum to one; empty where it knows none."""
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
