"""Files of other tools are known by their content and become records of a rubric."""

import csv
import json
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from record_files import fault

from assay.domain.record import Record
from assay.files.records import Records, open_records, records_from
from assay.files.rubrics import open_rubric

RUBRIC = open_rubric("grounded-answer")
QUESTION = "What does a bicycle cost?"
FARES = "A bicycle costs 22 kroner extra."
WRONG = "It costs 32 kroner."


def sample(**changed: object) -> dict:
    said = {"model": "mock/one", "choices": [], "completion": WRONG}
    metadata = {"sources": [FARES], "topic": "fares"}
    return {"id": 7, "epoch": 1, "input": QUESTION, "target": "22", "output": said, "metadata": metadata} | changed


def log(*samples: dict) -> dict:
    return {"version": 2, "status": "success", "eval": {"task": "fares", "model": "mock/one"}, "samples": list(samples)}


def result(**changed: object) -> dict:
    variables = {"query": QUESTION, "context": FARES}
    said = {"output": WRONG}
    failed = {"success": False, "error": "not equal"}
    provider = {"id": "echo", "label": ""}
    given = {"testIdx": 0, "promptIdx": 1, "vars": variables, "response": said, "provider": provider}
    return given | failed | changed


def promptfoo(*results: dict) -> dict:
    return {"evalId": None, "results": {"version": 3, "prompts": [], "results": list(results), "stats": {}}}


def span(kind: str | None, name: str, parent: str | None = None, trace: str = "a" * 32, **attributes: object) -> dict:
    said = {key.replace("_value", ".value"): value for key, value in attributes.items()}
    marked = {"openinference.span.kind": kind} if kind else {}
    return {"name": name, "context": {"trace_id": f"0x{trace}", "span_id": f"0x{name:0>16}"},
            "parent_id": None if parent is None else f"0x{parent:0>16}", "attributes": {**said, **marked}}  # fmt: skip


RETRIEVED = span("RETRIEVER", "2", "1", **{"retrieval.documents.0.document.content": FARES,
                                           "retrieval.documents.0.document.id": "fares"})  # fmt: skip
ANSWERED = span("CHAIN", "1", "0", input_value=QUESTION, output_value=WRONG)
STEP = span("LLM", "3", "2", input_value="a prompt", output_value="a draft")
REQUEST = span(None, "0", url_path="/ask")


def write(path: Path, *values: object) -> Path:
    text = "\n".join(map(json.dumps, values)) if path.suffix == ".jsonl" else json.dumps(values[0], indent=2)
    path.write_text(text, encoding="utf-8")
    return path


def read(path: Path, **options: object) -> tuple[Records, list[Record]]:
    found = open_records(path, RUBRIC, **options)
    return found, [each for each in found if isinstance(each, Record)]


def refuse(path: Path, **options: object) -> str:
    return str(fault(path, RUBRIC, **options))


def test_the_samples_of_an_inspect_log_are_records(tmp_path: Path):
    found, records = read(write(tmp_path / "log.json", log(sample(), sample(epoch=2))))
    assert found.format == "an Inspect log"
    assert [each.id for each in records] == ["7", "7/2"]
    [first, _] = records
    assert (first.query, first.output, first.system) == (QUESTION, WRONG, "mock/one")
    assert [each.text for each in first.sources] == [FARES]
    assert set(found.unknown_fields) == {"topic", "target"}


def test_an_archive_of_inspect_is_read_sample_by_sample(tmp_path: Path):
    with ZipFile(tmp_path / "log.eval", "w", ZIP_DEFLATED) as archive:
        archive.writestr("header.json", "{}")
        archive.writestr("samples/7_epoch_1.json", json.dumps(sample()))
        archive.writestr("samples/8_epoch_1.json", json.dumps(sample(id=8)))
        archive.writestr("summaries.json", "[]")
    found, records = read(tmp_path / "log.eval")
    assert found.format == "an Inspect log"
    assert [each.id for each in records] == ["7", "8"]


def test_samples_without_ids_in_a_folder_are_not_all_named_after_their_log(tmp_path: Path):
    write(tmp_path / "log.json", log(sample(id=None), sample(id=None, output={"completion": "22 kroner."})))
    assert len({each.id for each in read(tmp_path)[1]}) == 2


def test_the_question_of_a_conversation_is_the_users_last_message(tmp_path: Path):
    parts = [{"type": "text", "text": QUESTION}, {"type": "image", "image": "data:"}]
    messages = [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Yes?"},
                {"role": "user", "content": parts}]  # fmt: skip
    assert read(write(tmp_path / "log.json", log(sample(input=messages))))[1][0].query == QUESTION


def test_the_expected_answer_in_the_metadata_is_not_what_is_judged(tmp_path: Path):
    metadata = {"answer": "22 kroner", "sources": [FARES]}
    assert read(write(tmp_path / "log.json", log(sample(metadata=metadata))))[1][0].output == WRONG


def test_a_column_of_a_log_can_be_mapped(tmp_path: Path):
    path = write(tmp_path / "log.json", log(sample(input=FARES, metadata={"asked": QUESTION})))
    assert "sources is missing" in refuse(path)
    [record] = read(path, mapping={"sources": "input", "question": "asked"})[1]
    assert (record.query, record.sources[0].text) == (QUESTION, FARES)
    both = {"sources": "input"}
    assert read(path, mapping=both)[1][0].query == FARES


def test_of_two_columns_that_may_be_the_sources_none_is_guessed(tmp_path: Path):
    metadata = {"context": FARES, "documents": ["Other"]}
    said = refuse(write(tmp_path / "log.json", log(sample(), sample(id=8, metadata=metadata))))
    assert "log.json, sample 2: `context` and `documents` may both be the source" in said
    assert "--map sources=context" in said


def test_a_sample_that_ended_with_an_error_is_no_empty_answer(tmp_path: Path):
    path = write(tmp_path / "log.json", log(sample(error={"message": "out of memory"}), sample()))
    assert "log.json, sample 1: the sample ended with an error: out of memory." in refuse(path)
    found, records = read(path, skip_invalid=True)
    assert (len(found), len(records)) == (2, 1)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 cut off", b"{}"])
def test_an_archive_that_is_none_is_refused(content: bytes, tmp_path: Path):
    (tmp_path / "log.eval").write_bytes(content)
    assert "log.eval: the Inspect log can't be read" in refuse(tmp_path / "log.eval")


def test_a_sample_past_the_bound_is_refused_whatever_the_archive_states(tmp_path: Path, monkeypatch):
    with ZipFile(tmp_path / "log.eval", "w", ZIP_DEFLATED) as archive:
        archive.writestr("samples/1_epoch_1.json", json.dumps(sample(target="0" * 100_000)))
    monkeypatch.setattr("assay.files.bounds.RECORD_BYTES", 50_000)
    assert "samples/1_epoch_1.json: the bytes of the sample are more than 50,000" in refuse(tmp_path / "log.eval")


@pytest.mark.parametrize("name", ["out.json", "out.jsonl"])
def test_the_results_of_promptfoo_are_records(name: str, tmp_path: Path):
    results = [result(), result(promptIdx=0)]
    found, records = read(write(tmp_path / name, *([promptfoo(*results)] if name == "out.json" else results)))
    assert found.format == "results of promptfoo"
    assert [each.id for each in records] == ["0-1", "0-0"]
    first = records[0]
    assert (first.query, first.output, first.system, first.facets) == (QUESTION, WRONG, "echo", {"prompt": "1"})
    assert [each.text for each in first.sources] == [FARES]
    assert found.unknown_fields == ()


def test_a_failed_assertion_is_a_result_and_a_failed_provider_is_not(tmp_path: Path):
    path = write(tmp_path / "out.json", promptfoo(result(), result(response={"error": "no key"})))
    assert "out.json, result 2: the result has no output: no key." in refuse(path)


def test_a_trace_is_one_record_of_its_outermost_answer_and_all_that_was_retrieved(tmp_path: Path):
    other = span("EMBEDDING", "9", trace="b" * 32, input_value="x", output_value="y")
    found, records = read(write(tmp_path / "spans.jsonl", REQUEST, STEP, RETRIEVED, other, RETRIEVED, ANSWERED))
    assert found.format == "OpenInference spans"
    [record] = records
    assert (record.id, record.query, record.output) == ("a" * 32, QUESTION, WRONG)
    assert [(each.text, each.title) for each in record.sources] == [(FARES, "fares")]
    assert record.inputs["span_id"] == f"{1:0>16}"


def test_nested_attributes_and_columns_with_dots_are_the_same_span(tmp_path: Path):
    flat = {"context.trace_id": "a" * 32, "context.span_id": "1", "parent_id": None, "span_kind": "CHAIN",
            "attributes.openinference.span.kind": "CHAIN", "attributes.input.value": QUESTION,
            "attributes.output.value": WRONG,
            "attributes.retrieval.documents": [{"document.content": FARES}, {"document": {"content": "Other"}}]}  # fmt: skip
    nested = {"context": {"trace_id": "b" * 32, "span_id": "1"},
              "attributes": {"openinference": {"span": {"kind": "CHAIN"}}, "input": {"value": QUESTION},
                             "output": {"value": WRONG}, "retrieval": {"documents": [{"document": {"content": FARES}}]}}}  # fmt: skip
    first, second = read(write(tmp_path / "spans.jsonl", flat, nested))[1]
    assert [each.text for each in first.sources] == [FARES, "Other"]
    assert (second.query, second.output, second.sources[0].text) == (QUESTION, WRONG, FARES)


def test_a_frame_of_spans_saved_as_parquet_is_read(tmp_path: Path):
    arrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    from pyarrow import parquet

    ids = {"context.trace_id": "a" * 32, "context.span_id": "1", "parent_id": None}
    retrieved = {"context.trace_id": "a" * 32, "context.span_id": "2", "parent_id": "1",
                 "attributes.openinference.span.kind": "RETRIEVER",
                 "attributes.retrieval.documents": [{"document.content": FARES, "document.score": 0.5}]}  # fmt: skip
    answered = {"attributes.openinference.span.kind": "CHAIN", "attributes.input.value": QUESTION,
                "attributes.output.value": WRONG}  # fmt: skip
    names = dict.fromkeys([*ids, *retrieved, *answered])
    rows = [{**names, **retrieved}, {**names, **ids, **answered}]
    parquet.write_table(arrow.Table.from_pylist(rows), tmp_path / "spans.parquet")
    found, [record] = read(tmp_path / "spans.parquet")
    assert found.format == "OpenInference spans"
    assert (record.query, record.output, record.sources[0].text) == (QUESTION, WRONG, FARES)


def test_a_json_input_gives_its_only_text_or_columns_to_map(tmp_path: Path):
    asked = {"query": QUESTION, "k": 4}
    said = {"result": WRONG, "lang": "en"}
    attributes = {"input.value": json.dumps(asked), "input.mime_type": "application/json",
                  "output.value": json.dumps(said), "output.mime_type": "application/json"}  # fmt: skip
    path = write(tmp_path / "spans.jsonl", RETRIEVED, span("CHAIN", "1", **attributes))
    assert "spans.jsonl:2: answer is missing" in refuse(path)
    assert read(path, mapping={"answer": "output.result"})[1][0].output == WRONG


def test_a_trace_with_two_outermost_answers_is_refused(tmp_path: Path):
    second = span("LLM", "5", input_value="Another?", output_value="Yes.")
    said = refuse(write(tmp_path / "spans.jsonl", RETRIEVED, ANSWERED, second))
    assert f"spans.jsonl:3: the trace {'a' * 32} has 2 outermost spans" in said


def test_spans_whose_parents_form_a_circle_are_read(tmp_path: Path):
    odd = [span("TOOL", "6", "7"), span("TOOL", "7", "6")]
    answer = span("CHAIN", "1", "6", input_value=QUESTION, output_value=WRONG)
    assert len(read(write(tmp_path / "spans.jsonl", *odd, RETRIEVED, answer))[1]) == 1


RAGAS = {"user_input": QUESTION, "retrieved_contexts": [FARES, 'It\'s "late".'], "response": WRONG, "reference": "22"}


def test_a_ragas_table_is_read_as_lines_and_from_memory(tmp_path: Path):
    found, [record] = read(write(tmp_path / "data.jsonl", RAGAS))
    assert (found.format, found.unknown_fields) == ("a Ragas table", ("reference",))
    assert (record.query, record.output) == (QUESTION, WRONG)
    assert [each.text for each in record.sources] == RAGAS["retrieved_contexts"]
    [same] = records_from([RAGAS], RUBRIC)
    assert same == record


def test_a_csv_with_lists_as_python_writes_them_is_read_and_a_doubtful_one_refused(tmp_path: Path):
    def save(contexts: str) -> Path:
        with (tmp_path / "data.csv").open("w", encoding="utf-8", newline="") as stream:
            writer = csv.writer(stream)
            writer.writerows([list(RAGAS), [QUESTION, contexts, WRONG, "22"]])
        return tmp_path / "data.csv"

    for written in (str(RAGAS["retrieved_contexts"]), json.dumps(RAGAS["retrieved_contexts"])):
        assert [each.text for each in read(save(written))[1][0].sources] == RAGAS["retrieved_contexts"]
    assert "data.csv:2: the cell of sources" in refuse(save("['one' 'two']"))


def test_records_with_the_rubrics_own_inputs_are_never_taken_for_another_tools(tmp_path: Path):
    own = {**RAGAS, "question": "Own?", "sources": ["Own."], "answer": "Own!"}
    found, [record] = read(write(tmp_path / "data.jsonl", own))
    assert (found.format, record.output) == (None, "Own!")
