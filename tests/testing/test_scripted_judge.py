"""The judge that follows a script, as a user's own test would use it."""

import pytest

import assay
from assay.testing import ScriptedJudge

RECORD = {
    "id": "a",
    "article": "A bicycle costs 22 kroner. Dogs travel free. Tickets are sold on board.",
    "summary": "A bicycle costs 32 kroner. Dogs travel free. Tickets are sold on board.",
}


def judge(judge: ScriptedJudge):
    return assay.judge([RECORD], rubric="article-audit", judge=judge)["a"].metrics


def test_everything_is_supported_where_the_script_says_nothing():
    found = judge(ScriptedJudge())
    assert found["hallucination"].score == 10
    assert {each["support"] for each in found["hallucination"].findings} == {"supported"}
    assert all(each["evidence"] for each in found["hallucination"].findings)


def test_a_claim_with_the_words_of_the_script_has_its_label():
    found = judge(ScriptedJudge({"32 kroner": "absent"}))
    assert [each["support"] for each in found["hallucination"].findings] == ["absent", "supported", "supported"]
    assert found["hallucination"].score == 4


@pytest.mark.parametrize(("grades", "score"), [({}, 10), ({"alignment": 3}, 3)])
def test_grades_are_the_best_unless_the_script_has_others(grades: dict[str, int], score: int):
    assert judge(ScriptedJudge(grades=grades))["alignment"].score == score
