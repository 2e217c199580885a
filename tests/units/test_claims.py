import pytest

from assay.units.claims import cut_claims

TRUE, FALSE, LAST = "The council voted on Tuesday.", "The mayor was arrested.", "Work starts in March."
GLUES = ["<br>", "<br/>", "<BR />", "</p>\n<p>", "</p><p class='a b'>", "<!-- -->", "<!-- x. Y; and he left -->",
         "</li><li>", "</div>\n<div id=x>", "<hr>", "</td><td>", "</b> ", " <b>", "\u200b ", " " * 40]  # fmt: skip


def claims(output: str) -> list[str]:
    return [unit.text for unit in cut_claims(output)]


@pytest.mark.parametrize("glue", GLUES)
def test_no_markup_glues_sentences_into_one_claim(glue):
    found = claims(glue.join([TRUE, FALSE, LAST]))

    assert len(found) == 3
    assert [text.removeprefix("<b>").removesuffix("</b>").rstrip("\u200b") for text in found] == [TRUE, FALSE, LAST]


def test_a_claim_is_cut_out_of_the_markup_around_it():
    output = f"<!-- draft -->\n<div>\n<ul><li>- {TRUE}</li>\n<li>1. {FALSE}</li></ul>\n</div><!-- of nine people -->"

    assert claims(output) == [TRUE, FALSE]
    assert [unit.span.of(output) for unit in cut_claims(output)] == [TRUE, FALSE]


def test_tags_and_comments_alone_are_no_claims():
    assert claims(f"{TRUE}\n\n<!-- all nine people agree on that -->\n\n<br>\n\n<hr>") == [TRUE]
    assert len(claims(f"<b><i><u></u></i></b>\n\n{TRUE}")) == 1


def test_a_heading_before_a_line_break_does_not_take_what_follows_with_it():
    assert claims(f"# News of the week<br>{FALSE}") == [FALSE]


def test_a_comment_within_a_sentence_does_not_cut_it():
    output = "The council <!-- it met; and it was late, and he left --> voted on Tuesday."

    assert claims(output) == [output]


def test_words_in_angle_brackets_that_are_no_attributes_stay_in_the_claim():
    assert any("ten people died" in text for text in claims(f"{TRUE}<p ten people died>"))
