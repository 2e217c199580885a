"""Judges opened by name share what belongs to the run, and what belongs to an endpoint and its key."""

import pytest

from assay.api.judges import Engine, find_calls_in_flight, open_judge

LOCAL, OTHER = "http://127.0.0.1:9/v1", "http://127.0.0.1:10/v1"


def limiter_of(judge):
    return judge._chat.limiter


def test_two_models_at_one_endpoint_with_one_key_share_its_limits(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-one")
    engine = Engine(requests_per_minute=60)
    first, second = (open_judge(f"openai:{model}", LOCAL, engine=engine) for model in ("a", "b"))
    assert limiter_of(first) is limiter_of(second)


@pytest.mark.parametrize("other", ["address", "key", "run"])
def test_another_endpoint_another_key_and_another_run_have_limits_of_their_own(monkeypatch, other):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-one")
    engine = Engine()
    first = open_judge("openai:a", LOCAL, engine=engine)
    if other == "key":
        monkeypatch.setenv("OPENAI_API_KEY", "sk-two")
    address = OTHER if other == "address" else LOCAL
    second = open_judge("openai:a", address, engine=Engine() if other == "run" else engine)
    assert limiter_of(first) is not limiter_of(second)


def test_what_tells_accounts_apart_does_not_hold_the_key(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    engine = Engine()
    open_judge("openai:a", LOCAL, engine=engine)
    assert "sk-secret" not in repr(engine)


@pytest.mark.parametrize(("workers", "calls"), [(1, 64), (8, 64), (200, 400)])
def test_many_workers_are_never_held_up_by_the_calls_allowed_at_once(workers, calls):
    engine = Engine(calls_in_flight=find_calls_in_flight(workers))
    assert engine.find_limiter("here").ceiling == calls >= workers
