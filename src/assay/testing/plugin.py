"""The pytest plugin: defaults for `assert_judged`, one cache for all workers, JUnit properties and a summary.

Every session of pytest loads it where Assay is installed, so it imports nothing of the engine before a text is judged.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest

from assay.testing.assertion import Judgement, RunningTest, assert_judged, running

if TYPE_CHECKING:
    from assay.report.result import Result

_MARKER = (
    "assay(**arguments): defaults of assay.testing.assert_judged in this test, such as rubric, judge, at_least, "
    "max_findings, min_scored."
)


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("assay", "judged texts")
    for name, what in (
        ("store", "file that keeps results and replies of judged texts, shared by all workers"),
        ("judge", "judge of texts for which a test names none"),
    ):
        group.addoption(f"--assay-{name}", metavar="PATH" if name == "store" else "NAME", help=f"The {what}.")
        parser.addini(f"assay_{name}", f"The {what}.")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", _MARKER)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    defaults = _read_settings(item.config)
    for marker in reversed(list(item.iter_markers("assay"))):  # the closest one wins
        defaults |= marker.kwargs

    def tell(judgement: Judgement) -> None:
        item.user_properties.extend(_list_properties(judgement))

    with running(RunningTest(defaults, item.nodeid, tell)):
        return (yield)


@pytest.fixture
def judge() -> "Callable[..., Result]":
    """`assay.testing.assert_judged`, with the defaults of this test."""
    return assert_judged


def _read_settings(config: pytest.Config) -> dict[str, Any]:
    """A path of the command line is relative to where pytest was started, one of a settings file to its folder."""
    found: dict[str, Any] = {}
    for name in ("store", "judge"):
        given, written = config.getoption(f"--assay-{name}"), config.getini(f"assay_{name}")
        if given or written:
            found[name] = given or written
            if name == "store":
                found[name] = (config.invocation_params.dir if given else config.rootpath) / found[name]
    return found


def _list_properties(judgement: Judgement) -> Iterator[tuple[str, str]]:
    """Plain texts: a worker sends them to its controller, and the JUnit report writes them."""
    from assay.engine.costs import PICODOLLARS
    from assay.report.display import format_score, show_hidden

    card, usage = judgement.card, judgement.usage
    yield "assay.result", "error" if judgement.failures else "failed" if judgement.faults else "passed"
    yield "assay.judge", show_hidden(card.judge)
    yield "assay.rubric", show_hidden(f"{card.rubric.id} version {card.rubric.version}")
    yield "assay.rubric_digest", card.rubric.digest
    for metric, outcome in card.outcomes.items():
        yield f"assay.score.{metric}", format_score(outcome)
    claims = judgement.claims
    yield "assay.findings", str(claims.at_fault)
    yield "assay.claims", f"{claims.decided} of {claims.claims} decided"
    yield "assay.calls", str(usage.calls)
    yield "assay.cached", str(usage.cache_hits)
    yield "assay.usd", "unknown" if usage.unpriced_calls else str(Decimal(usage.picodollars) / PICODOLLARS)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """From the properties of every test's last report, so that it holds whichever worker ran the test."""
    reports = (each for group in terminalreporter.stats.values() for each in group)
    ended = (each for each in reports if getattr(each, "when", None) == "teardown")
    told = [(name, str(value)) for report in ended for name, value in report.user_properties]
    results = Counter(value for name, value in told if name == "assay.result")
    if not results:
        return
    terminalreporter.section("judged texts")
    counts = f"{results.total()} judged, {results['failed']} failed"
    if results["error"]:
        counts += f", {results['error']} without an answer of the judge"
    terminalreporter.write_line(f"{counts}; {_format_cost(told)}")
    if store := _read_settings(config).get("store"):
        terminalreporter.write_line(f"kept in {store}")


def _format_cost(told: list[tuple[str, str]]) -> str:
    sums = {name: sum(int(value) for each, value in told if each == f"assay.{name}") for name in ("calls", "cached")}
    dollars = [value for name, value in told if name == "assay.usd"]
    said = f"{sums['calls']} calls, {sums['cached']} replies from the cache"
    if "unknown" in dollars:
        return f"{said}, price unknown"
    from assay.engine.costs import PICODOLLARS, render_usd

    return f"{said}, {render_usd(int(sum(map(Decimal, dollars)) * PICODOLLARS))}"
