"""Judges opened by name share what belongs to the run, and what belongs to an endpoint and its key."""

import pytest

from assay.api.config import RunConfig
from assay.api.judges import Engine
from assay.errors import InputError

LOCAL, OTHER = "http://127.0.0.1:9/v1", "http://127.0.0.1:10/v1"


@pytest.fixture(autouse=True)
def _key(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-one")


def limiter_of(judge):
    return judge._chat.limiter


def test_two_models_at_one_endpoint_with_one_key_share_its_limits_and_fixed_rates():
    """That a limiter keeps its rates: tests/engine/test_limits.py."""
    engine = Engine(RunConfig(base_url=LOCAL, requests_per_minute=60, tokens_per_minute=9_000))
    first, second = (engine.open_judge(f"openai:{model}") for model in ("a", "b"))
    assert limiter_of(first) is limiter_of(second)
    rates = (limiter_of(first)._requests, limiter_of(first)._tokens)
    assert [rate._capacity for rate in rates] == [1, 150]


@pytest.mark.parametrize("other", ["address", "key", "run"])
def test_another_endpoint_another_key_and_another_run_have_limits_of_their_own(monkeypatch, other):
    engine = Engine(RunConfig(base_url=LOCAL))
    first = engine.open_judge("openai:a")
    if other == "key":
        monkeypatch.setenv("OPENAI_API_KEY", "sk-two")
    if other == "address":
        engine.request = RunConfig(base_url=OTHER)
    if other == "run":
        engine = Engine(engine.request)
    assert limiter_of(first) is not limiter_of(engine.open_judge("openai:a"))


def test_what_tells_accounts_apart_does_not_hold_the_key(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    engine = Engine(RunConfig(base_url=LOCAL))
    engine.open_judge("openai:a")
    assert "sk-secret" not in repr(engine)


def test_an_effort_is_part_of_the_judges_name_and_not_of_the_price():
    judge = Engine(RunConfig(base_url=LOCAL, reasoning_effort="low", budget_usd=1)).open_judge("openai:gpt-4o-mini")
    assert judge.name.startswith("openai:gpt-4o-mini/reasoning-low/prompts-")
    assert judge._chat.price is not None


@pytest.mark.parametrize(("judge", "effort"), [("embedded", "low"), ("openai:a", "huge")])
def test_an_effort_that_means_nothing_is_refused(judge, effort):
    with pytest.raises(InputError, match="effort"):
        Engine(RunConfig(judges=(judge,), reasoning_effort=effort)).open_judge(judge)


@pytest.mark.parametrize(("workers", "calls"), [(1, 64), (8, 64), (200, 400)])
def test_many_workers_are_never_held_up_by_the_calls_allowed_at_once(workers, calls):
    judge = Engine(RunConfig(base_url=LOCAL, workers=workers)).open_judge("openai:a")
    assert limiter_of(judge).ceiling == calls >= workers
