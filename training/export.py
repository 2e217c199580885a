"""Write the trained pair model to a folder: `python -m training.export FOLDER --name RUN`.

The folder gets the ONNX file, its tokenizer, a machine-readable description, a card and a licence.
"""

import argparse
import hashlib
import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import onnxruntime
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer

from training.card import Agreement, Making, render_card, render_licence
from training.encoder import PairModel
from training.graph import INPUTS, OUTPUT, write_graph
from training.holdout import SEED
from training.inference import answer, measure_answers
from training.pairs import Label, Pair
from training.places import WORK
from training.provenance import ENCODER, SOURCES
from training.shipped import load_shipped
from training.steady import SHARES, read_split
from training.tokens import MAX_TOKENS, TokenPairs, build_token_pairs, read_tokenizer
from training.weights import PACKAGE, WEIGHTS_SHA256, fetch_pretrained

MODEL, TOKENIZER = "pair-model.onnx", "tokenizer.json"
_THREADS = 2


def main() -> None:
    options = _read_options()
    torch.set_num_threads(1)
    state = torch.load(WORK / options.name / "checkpoint.pt", weights_only=True)
    model = PairModel()
    model.load_state_dict(state["mean" if options.mean else "model"])
    if options.mean_with:
        mix_in(model, options.mean_with)
    split = read_split()
    held = split.held_out[:: options.every]
    tokens = build_token_pairs(read_tokenizer(fetch_pretrained(WORK / "pretrained").tokenizer), held)
    options.folder.mkdir(parents=True, exist_ok=True)
    trained = answer(model, tokens, _THREADS)
    write_graph(model, options.folder / MODEL)
    _write_tokenizer(WORK / "pretrained" / TOKENIZER, options.folder / TOKENIZER)
    shipped = answer_exported(options.folder / MODEL, tokens)
    making = Making(
        datetime.now(UTC).date().isoformat(),
        state["progress"][0] + options.earlier_passes,
        options.earlier_passes,
        SEED,
        sum(pair.origin in SHARES for pair in split.train),
        _figures(held, trained),
        _figures(held, shipped),
        compare_answers(trained, shipped),
    )
    _write_papers(options.folder, making, options.licence)
    print(json.dumps({"folder": str(options.folder), **asdict(making.agreement)}))  # noqa: T201  # the command's answer


def mix_in(model: PairModel, path: Path) -> None:
    """Half of each weight from the exported file that the run began from: keeps what the run would have forgotten."""
    other = PairModel()
    other.load_state_dict(model.state_dict())
    load_shipped(other, path)
    theirs = other.state_dict()
    model.load_state_dict({name: (weight + theirs[name]) / 2 for name, weight in model.state_dict().items()})


def answer_exported(path: Path, data: TokenPairs) -> NDArray[np.float32]:
    """The three probabilities of every row by the exported file."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    out = np.zeros((len(data), 3), np.float32)

    def answer_row(row: int) -> None:
        (logits,) = session.run([OUTPUT], dict(zip(INPUTS, data.pad([row]), strict=True)))
        grown = np.exp(logits - logits.max(axis=1, keepdims=True))
        out[[row]] = grown / grown.sum(axis=1, keepdims=True)

    with ThreadPoolExecutor(_THREADS) as pool:
        list(pool.map(answer_row, range(len(data))))
    return out


def compare_answers(trained: NDArray[np.float32], shipped: NDArray[np.float32]) -> Agreement:
    """How far two sets of answers to the same pairs lie apart."""
    apart = np.abs(trained - shipped)
    same = float((trained.argmax(axis=1) == shipped.argmax(axis=1)).mean())
    return Agreement(len(trained), same, float(apart.max()), float(apart.mean()))


def _figures(pairs: list[Pair], answers: NDArray[np.float32]) -> dict[str, dict[str, float | int | None]]:
    return {origin: accuracy.as_row() for origin, accuracy in measure_answers(pairs, answers).items()}


def _write_tokenizer(source: Path, target: Path) -> None:
    """The encoder's tokenizer without padding and truncation: how much to cut is the caller's to say."""
    tokenizer = Tokenizer.from_file(str(source))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    tokenizer.save(str(target), pretty=False)


def _write_papers(folder: Path, making: Making, licence: Path) -> None:
    (folder / "MODEL_CARD.md").write_text(render_card(making), encoding="utf-8")
    (folder / "LICENSE").write_text(render_licence(licence.read_text(encoding="utf-8")), encoding="utf-8")
    names = (MODEL, TOKENIZER, "MODEL_CARD.md", "LICENSE")
    about = {
        "labels": [label.name.lower() for label in (Label.SUPPORTED, Label.CONTRADICTED, Label.NOT_IN_SOURCE)],
        "inputs": list(INPUTS),
        "output": OUTPUT,
        "max_tokens": MAX_TOKENS,
        "first": "premise",
        "second": "hypothesis",
        "licence": "CC-BY-SA-4.0",
        "encoder": {"package": PACKAGE, "weights_sha256": WEIGHTS_SHA256, "licence": ENCODER.licence},
        "training_data": [{"name": source.name, "licence": source.licence} for source in SOURCES],
        "making": asdict(making),
        "sha256": {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in names},
        "bytes": {name: (folder / name).stat().st_size for name in names},
    }
    (folder / "model.json").write_text(json.dumps(about, indent=2) + "\n", encoding="utf-8")


def _read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where to write")
    parser.add_argument("--name", default="steady", help="the run to export")
    parser.add_argument("--earlier-passes", type=int, default=0, help="those of the weights that the run began from")
    parser.add_argument("--mean", action="store_true", help="the mean of the last weights, for a run at a level rate")
    parser.add_argument("--mean-with", type=Path, help="export the mean with these exported weights")
    parser.add_argument("--every", type=int, default=1, help="measure so many held-out pairs less, for a first look")
    parser.add_argument("--licence", type=Path, default=Path("LICENSE"), help="the text of the Apache License 2.0")
    return parser.parse_args()


if __name__ == "__main__":
    main()
