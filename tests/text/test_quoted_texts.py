"""The normal forms of a text last as long as somebody keeps it, and no longer."""

import gc
from weakref import ref

from assay.text.quoted_texts import keep, recall

LINES = [f"Line {number} says nothing *new* [{number}]." for number in range(30)]


def test_a_kept_text_is_not_forgotten_for_others():
    kept = [keep(line) for line in LINES]
    assert [recall(line) for line in LINES] == kept
    assert all(recall(line).normal is each.normal for line, each in zip(LINES, kept, strict=True))


def test_all_who_keep_a_text_share_its_forms():
    first = keep("One text.")
    assert keep("One text. "[:-1]) is first
    assert keep("Another text.") is not first


def test_a_text_that_nobody_keeps_any_more_is_let_go():
    kept = keep("Kept for a while.")
    assert recall("Kept for a while.").normal.text == "kept for a while."
    gone = ref(kept)
    del kept
    gc.collect()
    assert gone() is None


def test_a_text_that_nobody_keeps_is_remembered_until_a_few_others_were_asked_for():
    first = recall(LINES[0])
    assert recall(LINES[0]) is first
    for line in LINES[1:]:
        recall(line)
    assert recall(LINES[0]) is not first
