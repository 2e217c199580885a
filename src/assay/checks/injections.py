"""Looks for text that speaks to the judge, and for what no reader sees. A hit is a flag, never a penalty."""

from collections.abc import Iterator

from assay.domain.record import Record
from assay.domain.scorecard import Notice
from assay.text.hostile import find_hidden
from assay.text.injection import find_injections


def check_injections(record: Record) -> Iterator[Notice]:
    """Each place in the output; for a source, which may hold thousands of them, one notice per reason."""
    for suspicion in find_injections(record.output):
        yield Notice("injection_suspect", f"the output may speak to the judge ({suspicion.reason})", suspicion.span)
    for name, text in _list_source_texts(record):
        for reason in dict.fromkeys(suspicion.reason for suspicion in find_injections(text)):
            yield Notice("injection_suspect", f"{name} may speak to the judge ({reason})")


def check_hidden(record: Record) -> Iterator[Notice]:
    """What is taken out or defused before a judge is shown the texts, by text and kind."""
    texts = [("the output", record.output), *_list_source_texts(record)]
    found = [f"{name}: {', '.join(kinds)}" for name, text in texts if (kinds := find_hidden(text))]
    if found:
        yield Notice("neutralised", f"not shown to the judge as it stands; {'; '.join(found)}")


def _list_source_texts(record: Record) -> Iterator[tuple[str, str]]:
    """With its title, which a judge is shown too."""
    for source in record.sources:
        yield source.id, source.text
        if source.title:
            yield f"the title of {source.id}", source.title
