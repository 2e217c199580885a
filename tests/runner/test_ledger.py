from assay.runner.ledger import Ledger


def test_what_a_store_never_held_is_not_looked_for():
    ledger = Ledger(lambda _most: ["old"])
    assert ledger.may_hold("old")
    assert not ledger.may_hold("new")


def test_what_was_put_since_is_looked_for():
    ledger = Ledger(lambda _most: [])
    ledger.add(("rubric", "bank", "source"))
    assert ledger.may_hold(("rubric", "bank", "source"))
    assert not ledger.may_hold(("rubric", "bank", "another"))


def test_a_store_too_full_to_be_listed_may_hold_anything():
    assert Ledger(lambda _most: None).may_hold("any")


def test_a_store_is_listed_at_the_first_question_and_only_then():
    asked: list[int] = []

    def list_keys(most: int) -> list[str]:
        asked.append(most)
        return []

    ledger = Ledger(list_keys)
    ledger.add("first")
    assert not asked
    assert ledger.may_hold("first")
    assert not ledger.may_hold("second")
    assert len(asked) == 1
