"""Logs of evaluations by other tools: every sample of an Inspect log and every result of promptfoo becomes a row."""

import zlib
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from zipfile import BadZipFile, ZipFile, ZipInfo

from assay.domain.json import JSON
from assay.errors import InputError
from assay.files import bounds
from assay.files.json_lines import decode, parse_json
from assay.files.json_values import is_absent, is_list
from assay.files.place import Place

_ZSTANDARD = 93
_DAMAGE = (BadZipFile, zlib.error, EOFError, OSError, RuntimeError)


def read_inspect(rows: Iterable[tuple[Place, JSON | InputError]]) -> Iterator[tuple[Place, JSON | InputError]]:
    """Every sample of the logs. What stands in its metadata are columns."""
    for place, log in rows:
        samples = _get(log, "samples")
        if isinstance(log, InputError) or not is_list(samples):
            yield place, log
            continue
        for number, sample in enumerate(samples, start=1):
            here = place if len(samples) == 1 else Place(f"{place.path}, sample {number}", None)
            yield here, _read_sample(sample, here)


def read_promptfoo(rows: Iterable[tuple[Place, JSON | InputError]]) -> Iterator[tuple[Place, JSON | InputError]]:
    """Every result of the evaluations, or of the lines. The variables of its test are columns."""
    for place, values in rows:
        results = _get(_get(values, "results"), "results")
        if isinstance(values, InputError) or not is_list(results):
            yield place, values if isinstance(values, InputError) else _read_result(values, place)
            continue
        for number, result in enumerate(results, start=1):
            here = Place(f"{place.path}, result {number}", None)
            yield here, _read_result(result, here)


def read_eval_file(path: Path) -> Iterator[tuple[Place, JSON | InputError]]:
    """An Inspect log that is an archive (`.eval`), as one log for every sample, so that one is in memory at a time."""
    place = Place(str(path), None)
    bounds.check_file(path)
    try:
        with ZipFile(path) as archive:
            members = [each for each in archive.infolist() if each.filename.startswith("samples/")]
            if any(each.compress_type == _ZSTANDARD for each in members):
                _import_zstandard(place)
            for each in members:
                here = Place(f"{path}, {each.filename}", None)
                sample = _read_member(archive, each, here)
                yield here, sample if isinstance(sample, InputError) else {"eval": {"task": ""}, "samples": [sample]}
    except _DAMAGE as error:
        remedy = "Give a log that Inspect wrote, or make JSON of it with `inspect log convert --to json`."
        raise place.fault(f"the Inspect log can't be read ({error})", remedy) from error


def _import_zstandard(place: Place) -> None:
    """Importing it lets `zipfile` read this compression, which Python has from version 3.14 on."""
    try:
        import_module("compression.zstd")
    except ModuleNotFoundError:
        try:
            import_module("zipfile_zstd")
        except ModuleNotFoundError:
            remedy = "Install it with `pip install 'assay-judge[inspect]'`, or use `inspect log convert --to json`."
            raise place.fault("this Inspect log needs the package zipfile-zstd", remedy) from None


def _read_member(archive: ZipFile, member: ZipInfo, place: Place) -> JSON | InputError:
    with archive.open(member) as stream:
        # Not by the size that the archive states, which may be a lie.
        content = stream.read(bounds.RECORD_BYTES + 1)
    if len(content) > bounds.RECORD_BYTES:
        return bounds.refuse(place, "the bytes of the sample are", "RECORD_BYTES", "Leave it out")
    try:
        return parse_json(decode(content, place), place)
    except InputError as error:
        return error


def _read_sample(sample: JSON, place: Place) -> JSON | InputError:
    if error := _get(sample, "error"):
        remedy = "Run it again with `inspect eval-retry`, or leave it out with `--skip-invalid`."
        return place.fault(f"the sample ended with an error: {_get(error, 'message')}", remedy)
    output, metadata, epoch = _get(sample, "output"), _get(sample, "metadata"), _get(sample, "epoch")
    name = _get(sample, "id")
    return {
        **(metadata if isinstance(metadata, Mapping) else {}),
        "id": name if epoch in {1, None} else f"{name}/{epoch}",
        "system": _get(output, "model"),
        "input": read_question(_get(sample, "input")),
        "output": _get(output, "completion"),
        "target": _get(sample, "target"),
    }


def read_question(given: JSON) -> JSON:
    """The input of a sample: a text, or of several messages the text of the user's last one."""
    if not is_list(given):
        return given
    asked = [_get(message, "content") for message in given if _get(message, "role") == "user"]
    content = asked[-1] if asked else None
    if not is_list(content):
        return content
    texts = (_get(part, "text") for part in content)
    return "\n".join(text for text in texts if isinstance(text, str))


def _read_result(result: JSON, place: Place) -> JSON | InputError:
    output, variables, provider = (
        _get(_get(result, "response"), "output"),
        _get(result, "vars"),
        _get(result, "provider"),
    )
    if is_absent(output):
        reason = _get(_get(result, "response"), "error") or _get(result, "error") or "no reason is given"
        remedy = "Run it again with `promptfoo retry`, or leave it out with `--skip-invalid`."
        return place.fault(f"the result has no output: {reason}", remedy)
    prompt = str(_get(result, "promptIdx"))
    return {
        **(variables if isinstance(variables, Mapping) else {}),
        "id": f"{_get(result, 'testIdx')}-{prompt}",
        "system": _get(provider, "label") or _get(provider, "id"),
        "facets": {"prompt": prompt},
        "output": output,
    }


def _get(values: object, name: str) -> JSON:
    return values.get(name) if isinstance(values, Mapping) else None
