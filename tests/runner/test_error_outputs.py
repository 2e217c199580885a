"""Texts that a pipeline left where a summary should be."""

import pytest

from assay.runner.emptiness import is_error_message


@pytest.mark.parametrize(
    "text",
    [
        "Error",
        "Error: model overloaded",
        "null",
        "None",
        "N/A",
        "ValueError: could not parse the response",
        "Failed to generate a summary for this query.",
        "Unable to summarize the search results.",
        "No summary available.",
        "Could not generate an answer.",
    ],
)
def test_an_error_message_is_no_output(text):
    assert is_error_message(text)


@pytest.mark.parametrize(
    "text",
    [
        "None of the 40 patients reported side effects.",
        "Errors in dosing were rare, and no patient came to harm.",
        "Null results were reported for both arms of the trial.",
        "No significant difference was found between the groups.",
        "The error rate fell from 5 to 2 percent.",
        "Exceptions apply to patients over 65.",
    ],
)
def test_a_sentence_about_errors_is_an_output(text):
    assert not is_error_message(text)
