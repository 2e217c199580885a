"""Every shipped rubric has examples that can be judged with it, whether or not replies to them are scripted."""

from importlib.resources import as_file

import pytest
from click.testing import CliRunner

from assay.cli.main import assay
from assay.files.records import open_records
from assay.files.rubrics import open_rubric
from assay.packs import list_packs


@pytest.mark.parametrize("name", list_packs())
def test_the_first_example_is_clean_and_each_names_what_is_seeded(name: str) -> None:
    with as_file(list_packs()[name].folder / "examples.jsonl") as path:
        records = list(open_records(path, open_rubric(name)))
    assert records[0].facets["seeded"] == "nothing"
    assert len([record for record in records if record.facets["seeded"] != "nothing"]) >= 2
    assert len({record.id for record in records}) == len(records)


@pytest.mark.parametrize("name", list_packs())
def test_a_prompt_about_every_metric_can_be_made_for_the_examples(name: str) -> None:
    with as_file(list_packs()[name].folder / "examples.jsonl") as path:
        ended = CliRunner().invoke(assay, ["judge", str(path), "--rubric", name, "--judge", "openai:x", "--dry-run"])
    assert ended.exit_code == 0, ended.output
    asked = [metric.id for metric in open_rubric(name).metrics if f"(`{metric.id}`)" in ended.output]
    assert asked == [metric.id for metric in open_rubric(name).metrics]
