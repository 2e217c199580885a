"""How likely a text is in each of several languages of one script, by the statistics of its letters."""

import math
from collections.abc import Collection, Mapping
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from assay.errors import InputError
from assay.text.language_codes import read_language

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

_LONGEST = 4_000
"""Characters read of one piece; more do not change the answer."""


@cache
def _load_identifier() -> "LanguageIdentifier":
    """Loaded on first use: reading the model takes most of a second, which many texts do not need."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    try:
        return LanguageIdentifier.from_model_file(MODEL_FILE)
    except OSError as error:
        from tempfile import gettempdir

        # It is unpacked into the folder for temporary files.
        remedy = f"Make room in {gettempdir()}, or set TMPDIR to a folder that has some."
        raise InputError(f"the model of languages can't be unpacked ({error.strerror})", remedy=remedy) from None


@cache
def _codes_by_label() -> Mapping[str, str | None]:
    return {label: read_language(label) for label in _load_identifier().labels}


@lru_cache(maxsize=4_096)
def _log_scores(text: str) -> tuple[Mapping[str, float], bool]:
    """A score per language we tell apart, and whether the best of all was none of them."""
    scores: dict[str, float] = {}
    ranking, codes = _load_identifier().rank(text), _codes_by_label()
    for label, score in ranking:
        code = codes[label]
        if code is not None:
            scores.setdefault(code, score)
    return scores, bool(ranking) and codes[ranking[0][0]] is None


def sounds_foreign(text: str) -> bool:
    """Whether the best of all the model's languages is none we tell apart, as for Japanese in Latin letters."""
    return _log_scores(text[:_LONGEST])[1]


def rate_languages(text: str, candidates: Collection[str]) -> dict[str, float]:
    """A weight per candidate the model knows, together one; empty where it knows none."""
    read = text[:_LONGEST]
    wanted = frozenset(candidates)
    known = {code: score for code, score in _log_scores(read)[0].items() if code in wanted}
    if not known:
        return {}
    # The letters of a text are not independent: dividing by the root of its length keeps long texts from certainty.
    temperature = math.sqrt(len(read.encode("utf-8", "surrogatepass")) or 1)
    best = max(known.values())
    weights = {code: math.exp((score - best) / temperature) for code, score in known.items()}
    total = sum(weights.values())
    return {code: weight / total for code, weight in weights.items()}
