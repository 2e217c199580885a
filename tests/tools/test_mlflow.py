"""A run in MLflow's own tracking store, a database in the test's folder."""

import json
from pathlib import Path

import pytest

import assay
from cli.shell import run

pytest.importorskip("mlflow", reason="the extra `mlflow` is not installed")
pytest.importorskip("sqlalchemy", reason="MLflow's database needs sqlalchemy: make tools-env")
pytest.importorskip("alembic", reason="MLflow's database needs alembic: make tools-env")

pytestmark = pytest.mark.filterwarnings("ignore")  # of MLflow and of its database
ADDRESS = "sqlite:///mlflow.db"
COUNTS = ("asked", "scored", "failures")


def test_a_run_is_written_with_parameters_figures_and_a_table_of_its_records(kept: assay.Run):
    from mlflow import MlflowClient
    from mlflow.telemetry.utils import is_telemetry_disabled

    ended = run("runs", "export", "last", "--to", f"mlflow:{ADDRESS}", "--store", "runs.db")
    assert (ended.code, ended.out) == (0, f"mlflow:{ADDRESS}: 3 records\n")
    assert is_telemetry_disabled()
    client = MlflowClient(ADDRESS)
    experiment = client.get_experiment_by_name("assay grounded-answer")
    [written] = client.search_runs([experiment.experiment_id])
    assert (written.info.run_name, written.info.status) == (kept.id, "FINISHED")
    assert written.data.params["judge"].startswith("embedded")
    assert written.data.params["rubric"] == "grounded-answer"
    assert written.data.params["rubric_digest"] == kept["right"].rubric["digest"]
    figures = written.data.metrics
    scores = [kept[name].metrics["faithfulness"].score for name in ("right", "wrong")]
    # Two of three scored: no mean, but its range with the third one at its worst and at its best.
    assert "faithfulness.score" not in figures
    assert "faithfulness.goodness" not in figures
    ends = [figures[f"faithfulness.goodness_{name}"] for name in ("worst", "best")]
    assert ends == pytest.approx([sum(scores) / 300, sum(scores) / 300 + 1 / 3])
    assert 0 < figures["faithfulness.weakest_support"] < 1
    assert [figures[f"faithfulness.{name}"] for name in COUNTS] == [3, 2, 1]
    # A metric without scores has counts and no mean.
    assert {name for name in figures if name.startswith("refusal.")} == {f"refusal.{each}" for each in COUNTS}
    table = json.loads(Path(client.download_artifacts(written.info.run_id, "records.json")).read_text(encoding="utf-8"))
    rows = [dict(zip(table["columns"], row, strict=True)) for row in table["data"]]
    assert [row["record"] for row in rows] == ["right", "wrong", "invalid"]
    assert [row["faithfulness_score"] for row in rows] == [*scores, None]
    assert rows[1]["facet_topic"] == "fares"


@pytest.mark.usefixtures("kept")
def test_an_address_that_mlflow_refuses_is_named_without_a_traceback():
    ended = run("runs", "export", "last", "--to", "mlflow:nowhere://x", "--store", "runs.db")
    assert ended.code == 2
    assert "MLflow refuses nowhere://x" in ended.err
