"""`assay judge --source FILE --output FILE`: one record from text files, without a file of records."""

from dataclasses import dataclass
from pathlib import Path

from assay.domain.json import JSON
from assay.domain.rubric import Rubric
from assay.errors import InputError
from assay.files.texts import build_values, read_text


@dataclass(frozen=True, slots=True)
class TextFiles:
    """An output and its sources, each in a file of its own. The record is named after the output's file."""

    output: Path
    sources: tuple[Path, ...]
    query: str | None = None

    def read(self, rubric: Rubric) -> dict[str, JSON]:
        """The record's fields. Each source has the name of its file as its title."""
        sources: list[JSON] = [{"title": path.name, "content": read_text(path)} for path in self.sources]
        return build_values(rubric, read_text(self.output), sources, self.query, name=self.output.name)


def find_input(
    records: Path | None, output: Path | None, sources: tuple[Path, ...], query: str | None
) -> Path | TextFiles:
    """The file of records, or the files of one text. Raises InputError where it is not clear what is judged."""
    given = {"--source": bool(sources), "--output": output is not None, "--query": query is not None}
    named = " and ".join(option for option, is_given in given.items() if is_given)
    if records is not None:
        if named:
            message = f"RECORDS and {named} can't be given together"
            raise InputError(message, remedy=f"Leave out {named}, or the file of records.")
        return records
    if not named:
        remedy = "Name a file of records, or one text: --source FILE --output FILE."
        raise InputError("there is nothing to judge", remedy=remedy)
    if output is None or not sources:
        missing = "--output" if output is None else "--source"
        raise InputError(f"{named} needs {missing} too", remedy="Write --source FILE --output FILE.")
    return TextFiles(output, sources, query)
