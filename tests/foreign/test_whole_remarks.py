"""What a whole reply remarks on beside its scores is kept: deviations, theme, tone, issues, and reasons that are missing."""

import json
from typing import Any

import pytest

from foreign.harness import judge_whole
from foreign.test_article_audit_replies import OBJECTS


def audit(folder, metric: str, **changes: Any):
    objects = {**OBJECTS, metric: {**OBJECTS[metric], **changes}}
    card = judge_whole("article-audit", folder, "\n".join(json.dumps(each) for each in objects.values()))
    return card.outcomes[metric].trail


@pytest.mark.parametrize("aspect", ["tone", "meaning", "focus", "stance", "intent"])
def test_a_deviation_is_kept_with_its_aspect(aspect, tmp_path):
    deviation = {"aspect": aspect, "summary_text": "Visitors pay nothing", "issue": "The director is gone."}
    trail = audit(tmp_path, "alignment", deviations=[deviation])
    assert [dict(each.fields) for each in trail.findings.remarked("deviations")] == [deviation]


def test_aspects_and_theme_are_kept(tmp_path):
    aspects = {"intent": "to warn", "stance": "against", "tone": "grim"}
    trail = audit(tmp_path, "alignment", aspects=aspects)
    assert [dict(each.fields) for each in trail.findings.remarked("aspects")] == [aspects]
    trail = audit(tmp_path, "relevance", article_theme="a new wing")
    assert [dict(each.fields) for each in trail.findings.remarked("theme")] == [{"article_theme": "a new wing"}]


@pytest.mark.parametrize("tone", ["neutral", "subjective", "hostile", "unclear"])
def test_a_tone_of_the_four_is_kept(tone, tmp_path):
    assert audit(tmp_path, "bias_toxicity", tone=tone).findings.picked("tone") == (tone,)


@pytest.mark.parametrize("kind", ["Bias", "Toxicity", "Stereotype", "Subjectivity"])
def test_an_issue_is_kept_with_its_type_and_reason(kind, tmp_path):
    issue = {"issue": "moved by hand", "type": kind, "justification": "It is loaded."}
    trail = audit(tmp_path, "bias_toxicity", issues_found=[issue])
    assert [dict(each.fields) for each in trail.findings.remarked("issues_found")] == [issue]


@pytest.mark.parametrize(("words", "flagged"), [(25, False), (26, True)])
def test_a_theme_past_its_words_is_flagged(words, flagged, tmp_path):
    trail = audit(tmp_path, "relevance", article_theme=" ".join(["wing"] * words))
    assert ("over_word_limit" in trail.flags) == flagged


@pytest.mark.parametrize(("reason", "flagged"), [("", True), ("All are supported.", False)])
def test_a_hallucination_score_without_a_justification_is_flagged(reason, flagged, tmp_path):
    reply = {"hallucination_evaluation": {"hallucination_score": 0, "hallucination_justification": reason}}
    card = judge_whole("search-summary", tmp_path, json.dumps(reply))
    assert ("missing_reasoning" in card.outcomes["hallucination"].trail.flags) == flagged
