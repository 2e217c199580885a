"""One record from an output, its sources and a query, for a rubric that needs no more than these."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from assay.domain.json import JSON
from assay.domain.rubric import Input, Rubric
from assay.errors import InputError
from assay.files.json_lines import read_whole
from assay.files.json_values import is_blank
from assay.files.place import Place

_SOURCE_KINDS = ("text", "texts", "documents")


def build_values(
    rubric: Rubric, output: JSON, sources: Sequence[JSON], query: JSON = None, *, name: str | None = None
) -> dict[str, JSON]:
    """The record's fields as the rubric names them; `name` becomes its id.

    A source is a text, or an object with a title and a content. Titles are kept where the rubric takes documents.

    Raises InputError where the rubric's inputs do not fit.
    """
    source, judged, asked = _find_inputs(rubric)
    if query is None and asked is not None and asked.required:
        remedy = "Give it: `--query TEXT`, in Python `query=`. Or name another rubric."
        raise InputError(f"{rubric.id} needs a query ({asked.name})", remedy=remedy)
    if query is not None and asked is None:
        raise InputError(f"{rubric.id} has no input for a query", remedy="Leave it out, or name another rubric.")
    given = list(sources)
    if source.kind != "documents":
        given = [each.get("content", each) if isinstance(each, Mapping) else each for each in sources]
    if source.kind == "text" and len(given) != 1:
        message = f"{rubric.id} takes one text as {source.name}, {len(given) or 'none'} given"
        raise InputError(message, remedy="Give one source, or name another rubric.")
    values: dict[str, JSON] = {source.name: given[0] if source.kind == "text" else given, judged.name: output}
    if asked is not None and query is not None:
        values[asked.name] = query
    return values if name is None else {"id": name, **values}


def read_text(path: Path) -> str:
    """A whole file of text. Raises InputError where it can't be read, is not UTF-8 or holds nothing."""
    place = Place(str(path), None)
    if not path.exists():
        raise place.fault("there is no such file", "Give the path of a text file.")
    text = read_whole(path, "RECORD_BYTES", "Shorten it")
    if is_blank(text):
        raise place.fault("the file holds no text", "Give a file with the text in it.")
    return text


def _find_inputs(rubric: Rubric) -> tuple[Input, Input, Input | None]:
    """The inputs for the sources, the output and the query."""
    by_role = {role: [each for each in rubric.inputs if each.role == role] for role in ("source", "output", "query")}
    sources, outputs, queries = by_role["source"], by_role["output"], by_role["query"]
    rest = [each for each in rubric.inputs if each.required and each.role not in by_role]
    fits = len(sources) == len(outputs) == 1 and len(queries) <= 1 and not rest
    if not fits or sources[0].kind not in _SOURCE_KINDS:
        listed = ", ".join(f"{each.name} ({each.role}, {each.kind})" for each in rubric.inputs)
        message = f"{rubric.id} needs more than one output and its sources; its inputs are {listed}"
        raise InputError(message, remedy="Write a file of records, or name a rubric with one source and one output.")
    return sources[0], outputs[0], queries[0] if queries else None
