from assay.checks.quantity_sentences import Neighbours, cut_sentences
from assay.text.quantities import find_quantities


def cut(text):
    return list(cut_sentences(text, find_quantities(text), "en"))


def test_each_sentence_holds_its_own_quantities():
    sentences = cut("She took 5 mg at noon. He rested. They paid $30 for 12 tickets.")
    assert [[each.value for each in sentence.quantities] for sentence in sentences] == [[5], [], [30, 12]]


def test_near_are_the_quantities_of_sentences_that_share_words():
    filler = " ".join(f"House {number} has {number + 100} windows." for number in range(60))
    near = Neighbours(cut(f"{filler} The choir sold 310 tickets."), "en").near("The choir sold many tickets.")
    assert [each.value for each in near] == [310]
