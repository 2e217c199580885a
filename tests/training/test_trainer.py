"""These need torch, which lives in the training environment only (`make training-env`); elsewhere they are skipped."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is installed in the training environment only")

from training.encoder import PairModel, Shape  # noqa: E402  # after the skip
from training.loss import measure_loss  # noqa: E402  # after the skip
from training.tokens import TokenPairs  # noqa: E402  # after the skip

pytestmark = pytest.mark.integration
SMALL = Shape(vocabulary=50, positions=32, width=24, heads=2, layers=2, inner=48)


def build_tokens(rows: int = 64) -> TokenPairs:
    rng = np.random.default_rng(1)
    lengths = rng.integers(4, 20, rows)
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    ids = rng.integers(1, 50, int(starts[-1])).astype(np.int32)
    return TokenPairs(ids, starts, (lengths // 2).astype(np.int32), rng.integers(0, 4, rows).astype(np.int8))


def test_padding_changes_no_answer():
    torch.manual_seed(3)
    model = PairModel(SMALL)
    ids = torch.tensor([[5, 6, 7, 8]])
    segments = torch.tensor([[0, 0, 1, 1]])
    padded = torch.tensor([[5, 6, 7, 8, 0, 0]])
    attention = torch.tensor([[1, 1, 1, 1, 0, 0]])
    wide = torch.tensor([[0, 0, 1, 1, 0, 0]])
    with torch.inference_mode():
        assert torch.allclose(model(ids, None, segments), model(padded, attention, wide), atol=1e-6)


def test_a_pair_that_is_only_not_supported_asks_nothing_between_the_other_two():
    labels = torch.tensor([3])
    one, other = torch.tensor([[0.0, 4.0, -4.0]]), torch.tensor([[0.0, -4.0, 4.0]])
    assert measure_loss(one, labels) == pytest.approx(float(measure_loss(other, labels)))
    sure = torch.tensor([[4.0, 0.0, 0.0]])
    assert measure_loss(sure, labels) > measure_loss(one, labels)


def test_many_answers_are_those_of_each_pair_alone():
    from training.inference import answer

    torch.manual_seed(3)
    model, data = PairModel(SMALL).eval(), build_tokens(200)
    together = answer(model, data)
    for row in (0, 77, 199):
        ids, _, segments = data.pad([row])
        with torch.inference_mode():
            alone = torch.softmax(model(torch.from_numpy(ids), None, torch.from_numpy(segments)), dim=-1).numpy()
        assert np.abs(together[row] - alone[0]).max() < 1e-5


def test_rows_taken_from_tokens_are_those_rows():
    data = build_tokens()
    some = data.take([5, 2])
    assert np.array_equal(some.pad([0])[0], data.pad([5])[0])
    assert np.array_equal(some.pad([1])[2], data.pad([2])[2])
    assert some.labels.tolist() == [data.labels[5], data.labels[2]]


@pytest.mark.filterwarnings("ignore")
def test_an_exported_model_answers_as_the_trained_one(tmp_path):
    onnxruntime = pytest.importorskip("onnxruntime")
    pytest.importorskip("onnx", reason="onnx is installed in the training environment only")
    from training.graph import INPUTS, write_graph
    from training.shipped import load_shipped

    torch.manual_seed(3)
    model = PairModel(SMALL).eval()
    for weight in model.parameters():  # Equal ones would be stored once, under one name.
        weight.data.add_(0.01 * torch.randn_like(weight))
    data = build_tokens()
    ids, attention, segments = data.pad([0, 1, 2])
    with torch.inference_mode():
        expected = model(*(torch.from_numpy(part) for part in (ids, attention, segments))).numpy()
    words = model.embedding.word.weight.clone()
    again = PairModel(SMALL)
    again.embedding.word.weight.data.copy_(words)
    write_graph(model, tmp_path / "model.onnx")
    load_shipped(again, tmp_path / "model.onnx")
    with torch.inference_mode():
        back = again(*(torch.from_numpy(part) for part in (ids, attention, segments))).numpy()
    assert np.abs(back - expected).max() < 0.1
    session = onnxruntime.InferenceSession(tmp_path / "model.onnx", providers=["CPUExecutionProvider"])
    (got,) = session.run(None, dict(zip(INPUTS, (ids, attention, segments), strict=True)))
    assert got.shape == (3, 3)
    assert np.abs(got - back).max() < 0.02  # Only the word vectors differ: those read back are the pretrained ones.


def build_twins():
    from training.modern import FACTS
    from training.pairs import Label, Pair

    def pair(premise, claim, label, origin=FACTS):
        return Pair(premise, claim, label, origin, f"{origin}:{premise}")

    return [
        pair("p", "It rose.", Label.SUPPORTED),
        pair("p", "It fell.", Label.CONTRADICTED),
        pair("p", "Ann won.", Label.SUPPORTED),
        pair("p", "Ben won.", Label.CONTRADICTED),
        pair("q", "Snow fell.", Label.NOT_IN_SOURCE),
        pair("m", "It rained.", Label.SUPPORTED, "mnli"),
        pair("m", "It was dry.", Label.CONTRADICTED, "mnli"),
        pair("n", "It was dry.", Label.SUPPORTED, "mnli"),
    ]


def test_a_wrong_claim_is_set_beside_the_right_one_that_it_was_made_from():
    from training.steady import find_others

    others = find_others(build_twins())
    assert {row: sorted(rows) for row, rows in others.items()} == {
        0: [1], 1: [0], 2: [3], 3: [2], 5: [6], 6: [5, 7], 7: [6],
    }  # fmt: skip


def test_a_chunk_is_drawn_again_as_it_was_with_twins_in_one_batch():
    from training.modern import FACTS
    from training.steady import Material, draw_chunk, find_others

    twins = build_twins()
    data = build_tokens(len(twins))
    material = Material(data, {FACTS: [0, 1, 2, 3]}, find_others(twins), {})
    batches = list(draw_chunk(material, 7, 4))
    assert batches == list(draw_chunk(material, 7, 4))
    assert batches != list(draw_chunk(material, 8, 4))
    together = [tuple(sorted(batch[at : at + 2])) for batch in batches for at in range(0, len(batch), 2)]
    assert set(together) == {(0, 1), (2, 3)}
