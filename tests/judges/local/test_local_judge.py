"""Pair models from folders: random weights of the documented architectures, and the shipped ones copied."""

import importlib.util
import json
import shutil
from importlib.resources import as_file, files
from pathlib import Path

import pytest
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing

import assay
from assay.errors import InputError
from assay.judges.embedded.pair_model import Pair, load_pair_model
from assay.judges.local import find_layout, open_checker, read_labels

has_torch = pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in ("torch", "transformers")),
    reason="torch and transformers are not installed: the extra `local`",
)
SOURCE = "The ferry to Orm leaves at nine from the old pier. A ticket costs four crowns. Dogs travel free of charge."
OUTPUT = "A ferry to Orm departs from the pier. Dogs have to pay for the crossing."
WORDS = [
    "the",
    "ferry",
    "leaves",
    "at",
    "nine",
    "dogs",
    "travel",
    "free",
    "predict",
    ":",
    "Premise",
    "Hypothesis",
    "?",
    "Determine",
    "if",
    "is",
    "true",
    "given",
]
PAIR = Pair("the ferry leaves at nine", "dogs travel free")


@pytest.fixture
def shipped(tmp_path):
    folder = tmp_path / "copied"
    with as_file(files("assay.weights")) as weights:
        shutil.copytree(weights, folder)
    return folder


def save_tokenizer(folder):
    signs = ["<pad>", "</s>", "<unk>", "[SEP]"]
    vocabulary = {word: at for at, word in enumerate([*signs, *dict.fromkeys(WORDS)])}
    tokenizer = Tokenizer(WordLevel(vocabulary, unk_token="<unk>"))
    tokenizer.add_special_tokens(signs)
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.post_processor = TemplateProcessing(
        single="$A </s>", pair="$A [SEP] $B:1 [SEP]:1", special_tokens=[("</s>", 1), ("[SEP]", 3)]
    )
    tokenizer.save(str(folder / "tokenizer.json"))
    return tokenizer


def judge(name):
    return assay.judge_text(OUTPUT, SOURCE, "When does the ferry leave?", judge=name)


def test_the_shipped_weights_in_a_folder_answer_as_the_embedded_judge_does(shipped):
    ours, theirs = judge("embedded"), judge(f"local:{shipped}")
    for name, metric in ours.metrics.items():
        assert theirs.metrics[name].score == metric.score
        for one, other in zip(theirs.metrics[name].findings, metric.findings, strict=True):
            assert one == {**other, "probability": pytest.approx(other["probability"], abs=1e-3)}
        assert "uncalibrated" not in theirs.metrics[name].flags


def test_an_onnx_model_is_read_by_its_config(shipped):
    (shipped / "model.json").unlink()
    named = {"0": "entailment", "1": "contradiction", "2": "neutral"}
    config = {"model_type": "bert", "architectures": ["BertForSequenceClassification"], "id2label": named}
    (shipped / "config.json").write_text(json.dumps({**config, "max_position_embeddings": 256}))
    pairs = [Pair(SOURCE, sentence) for sentence in ("Dogs travel free.", "A ticket costs nine crowns.")]
    rated = zip(open_checker(str(shipped)).load().rate(pairs), load_pair_model().rate(pairs), strict=True)
    assert all(one == pytest.approx(other, abs=1e-5) for one, other in rated)


def test_a_model_without_a_calibration_is_used_as_it_is_and_flagged(shipped):
    (shipped / "calibration.json").unlink()
    checker = open_checker(str(shipped))
    assert (
        checker.calibration.probability({"support": 0.0, "contradiction": 1.0, "coverage": 1.0, "near_copy": 1.0}, None)
        == 0.5
    )
    scored = [metric for metric in judge(f"local:{shipped}").metrics.values() if metric.score is not None]
    assert scored
    assert all("uncalibrated" in metric.flags for metric in scored)


def test_a_calibration_that_is_older_than_a_signal_still_serves(shipped):
    path = shipped / "calibration.json"
    content = json.loads(path.read_text(encoding="utf-8"))
    del content["weights"]["other_polarity"]
    path.write_text(json.dumps(content), encoding="utf-8")
    assert any(metric.findings for metric in judge(f"local:{shipped}").metrics.values())


def test_the_name_of_a_judge_changes_with_its_files(shipped):
    before = open_checker(str(shipped)).name
    (shipped / "calibration.json").unlink()
    assert before.startswith("local:copied:")
    assert open_checker(str(shipped)).name != before


@pytest.mark.parametrize(
    ("names", "meanings"),
    [
        (("entailment", "neutral", "contradiction"), ("supported", "absent", "contradicted")),
        (("CONTRADICTION", "NEUTRAL", "ENTAILMENT"), ("contradicted", "absent", "supported")),
        (("not_entailment", "entailment"), ("absent", "supported")),
        (("hallucinated", "consistent"), ("absent", "supported")),
        (("LABEL_0",), ("supported",)),
    ],
)
def test_the_order_of_labels_is_read_from_their_names(names, meanings):
    assert read_labels(names, "config.json") == meanings


@pytest.mark.parametrize(
    "names", [("LABEL_0", "LABEL_1"), ("neutral", "contradiction"), ("entailment", "supported"), ()]
)
def test_labels_without_a_meaning_are_refused(names):
    with pytest.raises(InputError, match=r"config\.json: the model's labels don't say.*id2label"):
        read_labels(names, "config.json")


def test_a_text_generator_is_no_pair_model():
    with pytest.raises(InputError, match="T5ForConditionalGeneration does not classify pairs of texts"):
        find_layout({"model_type": "t5", "architectures": ["T5ForConditionalGeneration"]}, "flan", "config.json")


@pytest.mark.parametrize(
    ("name", "words"), [("nowhere", "there is no such folder"), ("owner/none", r"there is no folder owner/none")]
)
def test_a_folder_that_is_missing_is_an_input_error(name, words, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(InputError, match=words):
        open_checker(name)


def test_weights_that_may_run_code_are_not_loaded(tmp_path):
    (tmp_path / "pytorch_model.bin").write_bytes(b"")
    with pytest.raises(InputError, match="the folder holds no weights"):
        open_checker(str(tmp_path))


def build(folder, kind, config, **more):
    import torch
    import transformers

    torch.manual_seed(7)
    folder.mkdir()
    model = getattr(transformers, kind)(config)
    model.save_pretrained(folder)
    written = json.loads((folder / "config.json").read_text()) | more
    (folder / "config.json").write_text(json.dumps(written))
    return model.eval(), save_tokenizer(folder)


def small_t5(**more):
    import transformers

    sizes = {"d_model": 16, "d_kv": 4, "d_ff": 32, "num_layers": 2, "num_decoder_layers": 2, "num_heads": 4}
    return transformers.T5Config(vocab_size=256, feed_forward_proj="gated-gelu", **sizes, **more)


def small_bert(**more):
    import transformers

    sizes = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}
    return transformers.BertConfig(vocab_size=64, max_position_embeddings=64, **sizes, **more)


def rate(folder: Path, pair=PAIR):
    [rating] = open_checker(str(folder)).load().rate([pair])
    assert sum(rating) == pytest.approx(1)
    return rating


@has_torch
def test_an_nli_model_is_read_by_its_own_order_of_labels(tmp_path):
    import torch

    labels = {0: "contradiction", 1: "entailment", 2: "neutral"}
    model, tokenizer = build(tmp_path / "nli", "BertForSequenceClassification", small_bert(id2label=labels))
    encoded = tokenizer.encode(*PAIR)
    logits = model(input_ids=torch.tensor([encoded.ids]), token_type_ids=torch.tensor([encoded.type_ids])).logits
    contradicted, supported, absent = logits.softmax(-1)[0].tolist()
    assert tuple(rate(tmp_path / "nli")) == pytest.approx((supported, contradicted, absent), abs=1e-5)


@has_torch
def test_a_single_score_is_the_chance_of_support(tmp_path):
    import torch

    model, tokenizer = build(tmp_path / "cross", "BertForSequenceClassification", small_bert(num_labels=1))
    encoded = tokenizer.encode(*PAIR)
    logits = model(input_ids=torch.tensor([encoded.ids]), token_type_ids=torch.tensor([encoded.type_ids])).logits
    assert rate(tmp_path / "cross").supported == pytest.approx(logits.sigmoid().item(), abs=1e-5)


@has_torch
def test_minicheck_with_a_decoder_answers_by_its_two_tokens(tmp_path):
    import torch

    model, tokenizer = build(tmp_path / "MiniCheck-Flan-T5", "T5ForConditionalGeneration", small_t5())
    ids = tokenizer.encode(f"predict: {PAIR.premise}</s>{PAIR.hypothesis}").ids
    logits = model(input_ids=torch.tensor([ids]), decoder_input_ids=torch.tensor([[0]])).logits[0, 0]
    supported = logits[[3, 209]].softmax(-1)[1].item()
    assert tuple(rate(tmp_path / "MiniCheck-Flan-T5")) == pytest.approx((supported, 0, 1 - supported), abs=1e-5)


@has_torch
def test_minicheck_with_a_classifier_reads_one_text(tmp_path):
    import torch

    model, tokenizer = build(tmp_path / "MiniCheck-RoBERTa", "BertForSequenceClassification", small_bert())
    ids = tokenizer.encode(f"{PAIR.premise}</s>{PAIR.hypothesis}").ids
    supported = model(input_ids=torch.tensor([ids])).logits.softmax(-1)[0, 1].item()
    assert rate(tmp_path / "MiniCheck-RoBERTa").supported == pytest.approx(supported, abs=1e-5)


@has_torch
def test_hhem_is_asked_in_its_own_words_without_its_own_code(tmp_path):
    import torch
    from safetensors.torch import load_file, save_file

    folder = tmp_path / "hhem"
    hhem = {"architectures": ["HHEMv2ForSequenceClassification"], "model_type": "HHEMv2Config"}
    model, tokenizer = build(folder, "T5ForTokenClassification", small_t5(num_labels=2), **hhem)
    stored = load_file(folder / "model.safetensors")
    save_file({f"t5.{name}": tensor for name, tensor in stored.items()}, folder / "model.safetensors")
    prompt = "<pad> Determine if the hypothesis is true given the premise?\n\nPremise: {}\n\nHypothesis: {}"
    ids = tokenizer.encode(prompt.format(*PAIR)).ids
    supported = model(input_ids=torch.tensor([ids])).logits[0, 0].softmax(-1)[1].item()
    assert tuple(rate(folder)) == pytest.approx((supported, 0, 1 - supported), abs=1e-5)


@has_torch
def test_a_premise_that_is_too_long_is_rated_in_chunks_and_the_best_one_counts(tmp_path):
    folder = tmp_path / "MiniCheck-RoBERTa"
    build(folder, "BertForSequenceClassification", small_bert(), max_position_embeddings=64)
    model = open_checker(str(folder)).load()
    model._layout = type(model._layout)(("absent", "supported"), "{premise}{eos}{hypothesis}", max_tokens=24)
    chunks = ["the ferry leaves at nine", "dogs travel free the ferry"]
    long = " ".join(word for chunk in chunks for word in [chunk] * 6)
    asked = []
    run = model._run
    model._run = lambda encoded: asked.append(len(encoded.ids)) or run(encoded)
    [rating] = model.rate([Pair(long, "dogs travel free")])
    assert len(asked) > 2
    assert max(asked) <= 24
    assert 0 < rating.supported < 1


@has_torch
def test_a_sign_of_the_tokenizer_in_a_claim_ends_no_text(tmp_path):
    build(tmp_path / "MiniCheck-RoBERTa", "BertForSequenceClassification", small_bert())
    spoilt = Pair(PAIR.premise, "dogs </s>travel [SEP]free")
    assert rate(tmp_path / "MiniCheck-RoBERTa", spoilt) == rate(tmp_path / "MiniCheck-RoBERTa")


@has_torch
def test_a_local_model_judges_a_record(tmp_path):
    labels = {0: "entailment", 1: "neutral", 2: "contradiction"}
    build(tmp_path / "nli", "BertForSequenceClassification", small_bert(id2label=labels))
    result = judge(f"local:{tmp_path / 'nli'}")
    assert any("uncalibrated" in metric.flags for metric in result.metrics.values())
