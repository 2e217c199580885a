import pytest

from assay.units.claims import cut_claims

TRUE, FALSE, LAST = "The council voted on Tuesday.", "The mayor was arrested.", "Work starts in March."
GLUES = ["<br>", "<br/>", "<BR />", "</p>\n<p>", "</p><p class='a b'>", "<!-- -->", "<!-- x. -->",
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

    assert claims(output) == [TRUE, FALSE, "of nine people"]
    assert [unit.span.of(output) for unit in cut_claims(output)] == [TRUE, FALSE, "of nine people"]


def test_tags_alone_are_no_claims():
    assert claims(f"{TRUE}\n\n<!-- x -->\n\n<br>\n\n<hr>\n\n---") == [TRUE]
    assert len(claims(f"<b><i><u></u></i></b>\n\n{TRUE}")) == 1


FORMS = {
    "heading": "# The mayor was arrested",
    "heading of two words": "## Aspirin kills",
    "bold line": "**The mayor was arrested**",
    "line with a colon": "The mayor was arrested:",
    "tag question": "The mayor was arrested, wasn't he?",
    "did you know": "Did you know that the mayor was arrested?",
    "comment": "<!-- The mayor was arrested. -->",
    "attribute": '<span title="The mayor was arrested">More</span>',
    "image": "![The mayor was arrested](photo.png)",
    "list item": "- The mayor was arrested",
    "block quote": "> The mayor was arrested",
    "table row": "| News | Item |\n|---|---|\n| Town | The mayor was arrested |",
}


@pytest.mark.parametrize("form", FORMS)
def test_no_form_hides_a_claim(form):
    words = "Aspirin kills" if "two words" in form else "mayor was arrested"
    assert any(words in text for text in claims(f"{TRUE}\n\n{FORMS[form]}\n\n{LAST}"))


def test_a_long_heading_of_a_table_is_a_claim_of_its_own():
    table = "| | Ula, which is waterproof to fifty metres | Bem |\n|---|---|---|\n| Price | 10 | 20 |"
    units = cut_claims(table, cells=True)
    assert [(unit.text, unit.context) for unit in units] == [
        ("Ula, which is waterproof to fifty metres", ""),
        ("10", "Price | Ula, which is waterproof to fifty metres"),
        ("20", "Price | Bem"),
    ]


def test_a_heading_before_a_line_break_does_not_take_what_follows_with_it():
    assert claims(f"# News of the week<br>{FALSE}") == ["# News of the week", FALSE]


def test_a_comment_within_a_sentence_does_not_cut_it():
    output = "The council <!-- it met; and it was late, and he left --> voted on Tuesday."

    assert claims(output) == [output, "it met; and it was late, and he left"]


def test_words_in_angle_brackets_that_are_no_attributes_stay_in_the_claim():
    assert any("ten people died" in text for text in claims(f"{TRUE}<p ten people died>"))


def test_a_compound_sentence_is_one_claim():
    output = "The council voted on Tuesday, and the mayor was arrested; nobody was hurt."
    assert claims(output) == [output]
