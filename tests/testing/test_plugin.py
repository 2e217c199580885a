"""The pytest plugin in sessions of its own, loaded by its entry point as in a user's environment."""

import re
from xml.etree import ElementTree as ET

import pytest

from equipment.chat_server.faults import Fault, FaultRule
from equipment.chat_server.server import ScriptedServer, run_in_thread

pytest_plugins = ["pytester"]

SOURCE = "The lamp runs for eight hours on one charge. It is made of steel."
WRONG = "The lamp runs for 12 hours. It is made of steel."
RIGHT = "The lamp runs for eight hours on one charge."
TEXTS = f"""
import assay
import pytest
from assay.testing import assert_judged

SOURCE, WRONG, RIGHT = {SOURCE!r}, {WRONG!r}, {RIGHT!r}
QUERY = "How long does it run?"
GOOD = {{"faithfulness": 0.8}}
"""


def run(session: pytest.Pytester, tests: str, *arguments: str) -> pytest.RunResult:
    session.makepyfile(test_lamp=TEXTS + tests)
    return session.runpytest_subprocess("-p", "no:cacheprovider", *arguments)


def test_a_failure_shows_the_claim_at_fault_and_what_its_source_says(session: pytest.Pytester):
    ended = run(
        session,
        "def test_answer():\n    assert_judged(WRONG, SOURCE, QUERY, at_least=GOOD)\n"
        "def test_good():\n    assert assert_judged(RIGHT, SOURCE, QUERY, at_least=GOOD).metrics['faithfulness'].score == 100\n",
    )
    ended.assert_outcomes(failed=1, passed=1)
    shown = ended.stdout.str()
    assert "AssertionError: Faithfulness 50: normalized score 0.50, wanted at least 0.8" in shown
    assert "not in source: “The lamp runs for 12 hours.” — words at fault: “12 hours”" in shown
    assert "Closest source sentence ([1] Sources): “The lamp runs for eight hours on one charge.”" in shown
    assert "assertion.py" not in shown, "the traceback ends in the test"
    assert re.search(r"= judged texts =+\n2 judged, 1 failed; 0 calls, 0 replies from the cache, \$0\.00\n", shown)


def test_a_metric_that_the_judge_does_not_answer_fails_where_it_is_named(session: pytest.Pytester):
    ended = run(
        session,
        "def test_named():\n    assert_judged(RIGHT, SOURCE, QUERY, at_least={'completeness': 0.5})\n"
        "def test_unknown():\n"
        "    with pytest.raises(assay.InputError, match='has no metric'):\n"
        "        assert_judged(RIGHT, SOURCE, QUERY, at_least={'taste': 0.5})\n"
        "    with pytest.raises(assay.InputError, match='not a number from 0 to 1'):\n"
        "        assert_judged(RIGHT, SOURCE, QUERY, at_least=80)\n"
        "def test_blank():\n    assert_judged(' ', SOURCE, QUERY, at_least=0)\n"
        "def test_unsaid():\n    assert_judged(RIGHT, SOURCE, QUERY)\n",
    )
    shown = ended.stdout.str()
    ended.assert_outcomes(failed=3, passed=1)
    assert "Completeness: not scored (the built-in judge" in shown
    assert "only 0 of 4 metrics scored, wanted at least 90 %" in shown
    assert "Faithfulness: not scored (empty input: answer is blank), wanted at least 0" in shown
    assert "no requirement for the text is given. Write at_least=0.8" in shown


def test_marker_fixture_and_settings_give_defaults_and_the_call_wins(session: pytest.Pytester):
    session.makeini("[pytest]\nassay_store = kept/runs.db\naddopts = --strict-markers\n")
    ended = run(
        session,
        "@pytest.mark.assay(at_least=1, min_scored=0)\n"
        "class TestLamp:\n"
        "    def test_marked(self, judge):\n        judge(RIGHT, SOURCE, QUERY)\n"
        "    @pytest.mark.assay(at_least=0.5)\n"
        "    def test_closer(self, judge):\n        judge(WRONG, SOURCE, QUERY)\n"
        "    @pytest.mark.assay(at_least=0.5)\n"
        "    def test_call(self, judge):\n        judge(WRONG, SOURCE, QUERY, at_least=0.6)\n",
    )
    ended.assert_outcomes(failed=1, passed=2)
    store = session.path / "kept" / "runs.db"
    assert store.is_file()
    assert f"kept in {store}" in ended.stdout.str()


def test_the_junit_report_has_scores_judge_and_rubric(session: pytest.Pytester):
    ended = run(session, "def test_it(judge):\n    judge(WRONG, SOURCE, QUERY, max_findings=1)\n", "--junit-xml=out.xml", "-Werror")  # fmt: skip
    ended.assert_outcomes(passed=1)
    tree = ET.parse(session.path / "out.xml")  # noqa: S314  # our own file
    found = {each.get("name"): each.get("value") for each in tree.iter("property")}
    assert found["assay.result"] == "passed"
    assert found["assay.score.faithfulness"] == "50"
    assert found["assay.score.completeness"] == "not scored"
    assert (found["assay.findings"], found["assay.claims"]) == ("1", "2 of 2 decided")
    assert found["assay.judge"].startswith("embedded:")
    assert re.fullmatch(r"[0-9a-f]{24}", found["assay.rubric_digest"])


def test_workers_share_one_cache_of_replies(session: pytest.Pytester, monkeypatch: pytest.MonkeyPatch):
    tests = (
        "@pytest.mark.parametrize('number', range(4))\n"
        "def test_text(number, judge):\n    judge(f'Lamp {number} is steel.', SOURCE, QUERY, at_least={'answer_relevancy': 0})\n"
    )
    with run_in_thread(ScriptedServer()) as server:
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        options = ("-n", "2", "--assay-store", "runs.db", "--assay-judge", "openai:toy")
        first = run(session, tests, *options)
        first.assert_outcomes(passed=4)
        assert "4 judged, 0 failed; " in first.stdout.str()
        sent = int(re.search(r"(\d+) calls, ", first.stdout.str())[1])
        assert sent >= 4
        again = run(session, tests, *options)
        again.assert_outcomes(passed=4)
        assert re.search(r"4 judged, 0 failed; 0 calls, \d+ replies from the cache", again.stdout.str())


def test_a_judge_that_fails_is_an_error_and_no_verdict_on_the_text(
    session: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
):
    with run_in_thread(ScriptedServer(faults=[FaultRule(Fault.REFUSAL, always=True)])) as server:
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        ended = run(session, "def test_it(judge):\n    judge(RIGHT, SOURCE, QUERY, at_least=0)\n", "--assay-judge=openai:toy")  # fmt: skip
    ended.assert_outcomes(failed=1)
    assert "JudgeError: Faithfulness: the judge openai:toy" in ended.stdout.str()
    assert "1 judged, 0 failed, 1 without an answer of the judge" in ended.stdout.str()


def test_the_plugin_loads_nothing_of_the_engine_and_says_nothing_where_nothing_is_judged(session: pytest.Pytester):
    ended = run(
        session,
        "import sys\n"
        "def test_light(pytestconfig):\n"
        "    assert pytestconfig.pluginmanager.hasplugin('assay')\n"
        "    heavy = {'numpy', 'aiohttp', 'orjson', 'rich', 'click', 'sqlite3', 'assay.api', 'assay.domain'}\n"
        "    assert heavy & sys.modules.keys() == set()\n",
    )
    ended.assert_outcomes(passed=1)
    assert "judged texts" not in ended.stdout.str()
