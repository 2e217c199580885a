"""A cluster of two nodes, one of which is killed during the run."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import assay
import assay.ray
from assay.ray.parts import read_cards, read_run
from equipment.chat_server.exchange import Asked
from equipment.chat_server.server import ScriptedServer, answer_by_schema, run_in_thread

pytest.importorskip("ray.data", reason="Ray is not installed (extra `ray`)")
pytestmark = [pytest.mark.integration, pytest.mark.filterwarnings("default")]
RUBRIC, JUDGE, RECORDS, WORKERS = "article-audit", "openai:scripted", 40, 4


@pytest.fixture
def nodes(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Any, Any]]:
    """The cluster, and its second node."""
    import ray
    from ray.cluster_utils import Cluster

    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    monkeypatch.setenv("PYTHONPATH", str(Path(assay.__file__).parent.parent))
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 2, "include_dashboard": False})
    second = cluster.add_node(num_cpus=2)
    ray.init(address=cluster.address, log_to_driver=False)
    yield cluster, second
    ray.shutdown()
    cluster.shutdown()


def build_records() -> list[dict[str, str]]:
    return [
        {
            "id": f"r{number}",
            "article": f"Mill {number % 10} ground {number % 10 + 5} sacks a day. The wheel was oak.",
            "summary": f"Mill {number % 10} ground {number % 10 + 5} sacks. Writer {number} saw the wheel.",
        }
        for number in range(RECORDS)
    ]


def test_a_node_that_is_killed_loses_nothing_and_repeats_what_was_in_flight(nodes, tmp_path: Path):
    import ray

    cluster, second = nodes
    killers: list[threading.Thread] = []
    answered = answer_by_schema(1)

    def answer(asked: Asked) -> Any:
        if asked.number >= 40 and not killers:
            killers.append(threading.Thread(target=cluster.remove_node, args=(second, False)))
            killers[0].start()
        return answered(asked)

    with run_in_thread(ScriptedServer(answered)) as server:
        alone = assay.judge(build_records(), RUBRIC, JUDGE, base_url=server.base_url)
        calls = server.calls
    with run_in_thread(ScriptedServer(answer, delay_seconds=0.5)) as server:
        dataset, options = ray.data.from_items(build_records()), {"base_url": server.base_url, "workers": WORKERS}
        run = assay.ray.judge(dataset, RUBRIC, JUDGE, out=tmp_path / "out", **options)
    assert killers
    killers[0].join()
    assert (run.judged, run.stopped) == (RECORDS, None)
    kept = read_run(tmp_path / "out")
    assert kept is not None
    cards = dict(read_cards(tmp_path / "out", kept.row))
    assert [replace(cards[place], run="") for place in sorted(cards)] == [replace(card, run="") for card in alone.cards]
    assert server.calls <= calls + 8 * WORKERS
