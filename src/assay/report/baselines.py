"""What tells supported outputs from others without judging: words shared with the sources."""

from typing import Any

from assay.errors import InputError
from assay.text.keywords import keywords
from assay.text.language import identify


def share_words(source: str, output: str) -> float:
    """The share of the output's content words, as stems, that the sources hold; 1 where it has none."""
    language = identify(output) or "en"
    words = keywords(output, language)
    return len(words & keywords(source, language)) / len(words) if words else 1.0


def open_rouge() -> Any:
    """ROUGE's scorer, from the package of the figures that others publish."""
    try:
        from rouge_score.rouge_scorer import RougeScorer
    except ModuleNotFoundError:
        message = "the ROUGE-L baseline needs rouge-score, not installed here"
        raise InputError(message, remedy="Install it with: pip install 'assay[bench]'") from None
    return RougeScorer(["rougeL"])


def share_sequence(scorer: Any, source: str, output: str) -> float:
    """ROUGE-L's precision: the share of the output that stands in the sources in the same order."""
    return float(scorer.score(source, output)["rougeL"].precision)
