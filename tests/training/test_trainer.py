"""These need torch, which lives in the training environment only (`make training-env`); elsewhere they are skipped."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is installed in the training environment only")

from training.encoder import PairModel, Shape  # noqa: E402  # after the skip
from training.loss import measure_loss  # noqa: E402  # after the skip
from training.schedule import Schedule  # noqa: E402  # after the skip
from training.tokens import TokenPairs  # noqa: E402  # after the skip
from training.trainer import Plan, PlanChangedError, Trainer  # noqa: E402  # after the skip

pytestmark = pytest.mark.integration
SMALL = Shape(vocabulary=50, positions=32, width=24, heads=2, layers=2, inner=48)


def build_plan(name: str = "plan", rows: int = 64) -> Plan:
    rng = np.random.default_rng(1)
    lengths = rng.integers(4, 20, rows)
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    ids = rng.integers(1, 50, int(starts[-1])).astype(np.int32)
    data = TokenPairs(ids, starts, (lengths // 2).astype(np.int32), rng.integers(0, 4, rows).astype(np.int8))
    return Plan(data, [list(range(start, start + 8)) for start in range(0, rows, 8)], name)


def build_trainer(plan: Plan | None = None) -> Trainer:
    torch.manual_seed(3)
    return Trainer(PairModel(SMALL), plan or build_plan(), Schedule(64, peak=1e-2, rise=8, fall=32))


def test_a_run_that_was_stopped_and_resumed_ends_like_one_that_was_not(tmp_path):
    whole = build_trainer()
    whole.walk(lambda: False)
    first = build_trainer()
    first.walk(lambda: first.progress.step == 3)
    first.save(tmp_path / "checkpoint.pt")
    second = build_trainer()
    second.resume(tmp_path / "checkpoint.pt")
    assert second.progress.step == 3
    second.walk(lambda: False)
    left, right = whole.model.state_dict(), second.model.state_dict()
    assert all(torch.equal(left[name], right[name]) for name in left)


def test_training_moves_the_layers_and_leaves_the_words_alone():
    trainer = build_trainer()
    before = {name: weight.clone() for name, weight in trainer.model.state_dict().items()}
    trainer.walk(lambda: trainer.progress.step == 4)
    after = trainer.model.state_dict()
    assert torch.equal(before["embedding.word.weight"], after["embedding.word.weight"])
    assert not torch.equal(before["layers.0.query.weight"], after["layers.0.query.weight"])


def test_a_checkpoint_of_another_plan_is_refused(tmp_path):
    trainer = build_trainer()
    trainer.save(tmp_path / "checkpoint.pt")
    with pytest.raises(PlanChangedError, match="another"):
        build_trainer(build_plan("another")).resume(tmp_path / "checkpoint.pt")


def test_two_workers_find_the_gradient_that_one_finds():
    plan = build_plan()
    gradients = []
    for threads in (1, 2):
        torch.manual_seed(3)
        trainer = Trainer(PairModel(SMALL), plan, Schedule(64), threads)
        trainer._workers.compute_gradients(plan.data, plan.batches[0])
        gradients.append(trainer.model.verdict.weight.grad.clone())
    assert torch.allclose(gradients[0], gradients[1], atol=1e-6)


def build_batch(rows: int = 16):
    data = build_plan(rows=rows).data
    ids, attention, segments = (torch.from_numpy(part) for part in data.pad(list(range(rows))))
    return ids, attention, segments, torch.from_numpy(data.labels.astype("int64"))


def find_gradients(model: PairModel) -> dict[str, "torch.Tensor"]:
    return {name: weight.grad.clone() for name, weight in model.named_parameters() if weight.grad is not None}


def test_the_way_back_that_is_written_out_is_that_of_autograd(monkeypatch):
    from training.workers import freeze_words

    from training import selective

    monkeypatch.setattr(selective, "KNOWN", 1e-9)  # every row goes back
    torch.manual_seed(3)
    model, batch = PairModel(SMALL), build_batch()
    freeze_words(model)
    loss = measure_loss(model(*batch[:3]), batch[3]) / 16
    loss.backward()
    expected = find_gradients(model)
    model.zero_grad()
    assert selective.step_back(model, batch, 16, 5) == pytest.approx(float(loss.detach()))
    found = find_gradients(model)
    assert found.keys() == expected.keys()
    assert all(torch.allclose(found[name], expected[name], atol=1e-6) for name in expected)


def test_rows_left_out_do_not_bend_the_mean_gradient(monkeypatch):
    from training import selective

    monkeypatch.setattr(selective, "KNOWN", 4.0)  # most rows are left out each time
    torch.manual_seed(3)
    model, batch = PairModel(SMALL), build_batch()
    (measure_loss(model(*batch[:3]), batch[3]) / 16).backward()
    expected = model.verdict.bias.grad.clone()
    model.zero_grad()
    rounds = 600
    for chance in range(rounds):
        selective.step_back(model, batch, 16, chance)
    assert torch.allclose(model.verdict.bias.grad / rounds, expected, atol=0.02)


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
    model, data = PairModel(SMALL).eval(), build_plan(rows=200).data
    together = answer(model, data)
    for row in (0, 77, 199):
        ids, _, segments = data.pad([row])
        with torch.inference_mode():
            alone = torch.softmax(model(torch.from_numpy(ids), None, torch.from_numpy(segments)), dim=-1).numpy()
        assert np.abs(together[row] - alone[0]).max() < 1e-5


def test_a_mean_of_snapshots_lies_between_them(tmp_path):
    from training.snapshots import KEPT, average, list_snapshots, write_snapshot

    model = PairModel(SMALL)
    for number in range(KEPT + 2):
        torch.nn.init.constant_(model.verdict.bias, float(number))
        write_snapshot(model, tmp_path, number * 10)
    kept = list_snapshots(tmp_path)
    assert len(kept) == KEPT
    assert torch.allclose(average(kept[-2:])["verdict.bias"], torch.full((3,), KEPT + 0.5))


def test_a_branch_falls_to_nothing_from_where_the_other_run_stands(tmp_path):
    import json

    from training.run import branch

    trainer = build_trainer()
    trainer.walk(lambda: trainer.progress.step == 3)
    main, side = tmp_path / "main", tmp_path / "side"
    trainer.save(main / "checkpoint.pt")
    (main / "layout.npz").write_bytes(b"laid out")
    (main / "schedule.json").write_text(json.dumps({"budget": 900, "peak": 0.5, "rise": 8, "fall": 100}))
    branch(main, side, 40)
    schedule = Schedule(**json.loads((side / "schedule.json").read_text()))
    assert (schedule.budget, schedule.rate_at(24), schedule.rate_at(64)) == (64, 0.5, 0.0)
    assert (side / "layout.npz").read_bytes() == b"laid out"
    resumed = build_trainer()
    resumed.resume(side / "checkpoint.pt")
    assert resumed.progress.passes == 24


def test_a_landing_keeps_the_rate_of_now_and_reaches_nothing_where_it_should():
    schedule = Schedule(1000, peak=0.5, rise=10, fall=400)
    for passes in (300, 700):
        landing = schedule.land(passes, 80)
        assert landing.rate_at(passes) == pytest.approx(schedule.rate_at(passes), rel=0.02)
        assert landing.rate_at(passes + 80) == 0


def test_rows_taken_from_tokens_are_those_rows():
    data = build_plan().data
    some = data.take([5, 2])
    assert np.array_equal(some.pad([0])[0], data.pad([5])[0])
    assert np.array_equal(some.pad([1])[2], data.pad([2])[2])
    assert some.labels.tolist() == [data.labels[5], data.labels[2]]


def test_mining_takes_what_was_wrong_but_not_what_was_hopeless():
    from training.mine import choose_mistakes
    from training.pairs import Label, Pair

    answers = np.array([[0.9, 0.1, 0.0], [0.3, 0.6, 0.1], [0.01, 0.9, 0.09], [0.7, 0.2, 0.1]], np.float32)
    labels = (Label.SUPPORTED, Label.SUPPORTED, Label.SUPPORTED, Label.NOT_SUPPORTED)
    pairs = [Pair(f"p{place}", "h", label, "mnli", "g") for place, label in enumerate(labels)]
    assert [pair.premise for pair in choose_mistakes(pairs, answers)] == ["p1", "p3"]


def test_kept_layouts_come_back_whole(tmp_path):
    from training.pairs import Label, Pair
    from training.plan import Layout, read_layout, write_layout

    plan = build_plan()
    layout = Layout(plan, [Pair("p", "h", Label.CONTRADICTED, "mnli", "g")] * 64, plan.data, 7)
    write_layout(layout, tmp_path)
    back = read_layout(tmp_path)
    assert (back.plan.batches, back.plan.fingerprint) == (plan.batches, plan.fingerprint)
    assert (back.held_out, back.trained_pairs) == (layout.held_out, 7)
    assert np.array_equal(back.plan.data.ids, plan.data.ids)


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
    plan = build_plan()
    ids, attention, segments = plan.data.pad([0, 1, 2])
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


def test_a_first_look_measures_every_so_many_held_out_pairs():
    from training.export import thin_out
    from training.pairs import Label, Pair
    from training.plan import Layout

    plan = build_plan()
    held = [Pair("p", f"h{number}", Label(int(label)), "mnli", "g") for number, label in enumerate(plan.data.labels)]
    thin = thin_out(Layout(plan, held, plan.data, 5), 10)
    assert [pair.hypothesis for pair in thin.held_out] == ["h0", "h10", "h20", "h30", "h40", "h50", "h60"]
    assert thin.held_out_tokens.labels.tolist() == [int(pair.label) for pair in thin.held_out]
