# Two commands for a new user: `make demo` and `make test`. Everything lands in this folder, nothing in the system.
PYTHON ?= python3
UV := $(or $(shell command -v uv 2>/dev/null),.tools/bin/uv)
RUN := .venv/bin/
export UV_PROJECT_ENVIRONMENT := .venv
# Compiled modules are kept: each command that a test starts would otherwise compile all of them again.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: demo readme docs test check fix lock install install-dev tests integration clean axe

demo: install
	@$(RUN)assay demo

# The output at the top of the README, from the examples as the embedded judge judges them now.
readme: install-dev
	UPDATE_GOLDEN=1 $(RUN)pytest tests/test_readme.py

# The documentation as a site in .site, from the Markdown of this repository. A broken link fails the build. It has an
# environment of its own, so that `make sbom` lists what Assay needs.
docs: .tools/docs/installed
	.tools/docs/bin/python tools/commands_page.py
	.tools/docs/bin/python tools/shipped_page.py
	.tools/docs/bin/sphinx-build --quiet --fresh-env --fail-on-warning --keep-going -c docs . .site
	@echo ".site/index.html"

test: check tests

check: install-dev
	$(RUN)ruff format --check .
	$(RUN)ruff check .
	$(RUN)mypy
	$(RUN)lint-imports

tests: install-dev
	$(RUN)pytest -n 2 --dist loadfile

# Tests with large real parts: a small language model behind a server, a browser, commands that are killed or read
# damaged stores by the hundred; and those of the trainer and the fuzzer, which no user runs. What is not installed is
# skipped. The browser holds an event loop of its own process.
integration: install-dev
	$(RUN)pytest -n 2 --dist loadfile -m integration --ignore tests/browser
	$(RUN)pytest -m integration tests/browser

# Tests with other tools (MCP, Inspect, MLflow, OpenTelemetry), in an environment of their own: the lock is for ours alone.
.PHONY: tools-env integration-tools
tools-env: | $(UV)
	$(UV) venv --quiet --allow-existing --python $(PYTHON) .tools/env
	VIRTUAL_ENV=.tools/env $(UV) pip install --quiet pytest hypothesis sqlalchemy alembic \
	  --editable '.[inspect,mcp,mlflow,otel,parquet]'
integration-tools: tools-env
	.tools/env/bin/python -m pytest tests/tools tests/cli/test_mcp.py

fix: install-dev
	$(RUN)ruff format .
	$(RUN)ruff check --fix .

# What running needs, and beside it what the checks and tests need.
install: .venv/installed
install-dev: .venv/installed-dev

# The version stands in the package.
.venv/installed: requirements.lock pyproject.toml src/assay/__init__.py | $(UV)
	$(UV) venv --quiet --allow-existing --python $(PYTHON) .venv
	$(UV) pip install --quiet --require-hashes -r requirements.lock
	$(UV) pip install --quiet --no-deps --editable .
	@touch $@

.venv/installed-dev: requirements-dev.lock .venv/installed
	$(UV) pip install --quiet --require-hashes -r requirements-dev.lock
	@touch $@

.tools/docs/installed: requirements.lock requirements-docs.lock | $(UV)
	$(UV) venv --quiet --allow-existing --python $(PYTHON) .tools/docs
	VIRTUAL_ENV=.tools/docs $(UV) pip install --quiet --require-hashes -r requirements.lock -r requirements-docs.lock
	VIRTUAL_ENV=.tools/docs $(UV) pip install --quiet --no-deps --editable .
	@touch $@

.tools/bin/uv:
	$(PYTHON) -m venv .tools
	.tools/bin/pip install --quiet 'uv>=0.5'

# All environments by version and hash, for every platform, with no index address in them.
LOCK := $(UV) pip compile --quiet --universal --generate-hashes --no-header --no-emit-index-url --python-version 3.11
lock: | $(UV)
	$(LOCK) --extra view --extra parquet pyproject.toml --output-file requirements.lock
	$(LOCK) --extra view --extra parquet --constraint requirements.lock pyproject.toml requirements-dev.in --output-file requirements-dev.lock
	$(LOCK) --constraint requirements-dev.lock requirements-docs.in --output-file requirements-docs.lock

# What the accessibility test reads, from the npm registry; the browser is the system's chromium.
axe:
	npm install --silent --prefix .tools/axe --no-audit --no-fund axe-core@4

clean:
	rm -rf .venv .tools .site .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis

# The pair model of the embedded judge: an environment of its own, a run that resumes, and the whole way on a small slice.
# Where it keeps all this, and where its pairs lie, are settings: training/README.md.
.PHONY: training-env training training-slice
export ASSAY_TRAINING ?= .training
TRAINER := $(ASSAY_TRAINING)/env/bin/
TRAIN := RAYON_NUM_THREADS=1 nice -n 5 $(TRAINER)python -m
training-env:
	$(PYTHON) -m venv $(ASSAY_TRAINING)/env
	$(TRAINER)pip install --quiet torch==2.13.0 safetensors==0.8.0 tokenizers==0.23.3 numpy==2.4.6 \
	  onnx==1.23.2 onnxruntime==1.31.1 onnxscript==0.7.2 pytest hypothesis
training:
	$(TRAIN) training.steady
training-slice:
	$(TRAIN) training.steady --name slice --passes 600
	$(TRAIN) training.export $(ASSAY_TRAINING)/slice/export --name slice --every 60

# The weights by which sentences that speak to a judge are told, and how the detector fares with writers it did not learn from.
.PHONY: detector
detector: install
	$(RUN)python -m training.detector

# Measurements against labelled sets in ../shared/data, where they are at hand; results in bench/results/.
.PHONY: bench bench-language
bench-language: install
	PYTHONPATH=.:tests $(RUN)python bench/$(@:bench-%=%).py

# The embedded judge against people, on pairs that differ by one fact, and its speed; `make fit` also fits its calibration.
.PHONY: bench-embedded bench-contrastive bench-rules fit
bench-embedded: install
	PYTHONPATH=.:tests $(RUN)python bench/embedded.py
	PYTHONPATH=.:tests $(RUN)python bench/embedded_speed.py
bench-contrastive: install
	PYTHONPATH=.:tests $(RUN)python bench/contrastive.py
bench-rules: install
	PYTHONPATH=.:tests $(RUN)python bench/rules.py
fit: install
	PYTHONPATH=.:tests $(RUN)python bench/embedded.py --fit

# How far hostile text moves the scores of three kinds of judges; parts run alone: PYTHONPATH=tests python bench/attack.py --judge embedded
.PHONY: bench-attack
bench-attack: install
	PYTHONPATH=.:tests $(RUN)python bench/attack.py

# Start-up, faults, overhead, resume and memory of the engine, against a local server and a floor measured in the same run.
bench: install
	for name in startup faults cost overhead resume memory pages; do PYTHONPATH=.:tests $(RUN)python bench/$$name.py || exit 1; done
	PYTHONPATH=.:tests $(RUN)python bench/million.py

# The tools that the bill compares with, each in an environment of its own. Ragas still wants an older langchain-community.
.PHONY: peers-env
export ASSAY_PEERS ?= .peers
peers-env: | $(UV)
	$(UV) venv --quiet --allow-existing --python $(PYTHON) $(ASSAY_PEERS)/deepeval
	$(UV) venv --quiet --allow-existing --python $(PYTHON) $(ASSAY_PEERS)/ragas
	VIRTUAL_ENV=$(ASSAY_PEERS)/deepeval $(UV) pip install --quiet deepeval==4.3.1
	VIRTUAL_ENV=$(ASSAY_PEERS)/ragas $(UV) pip install --quiet ragas==0.4.3 'langchain-community<0.4'

# What Assay is made of: a bill of materials, every licence, and known faults in what is installed.
.PHONY: sbom audit
sbom: install-dev
	$(UV) tool run --quiet --from cyclonedx-bom==7.5.0 cyclonedx-py environment .venv --pyproject pyproject.toml \
	  --output-reproducible --output-format JSON --spec-version 1.6 --output-file .venv/sbom.json
	$(RUN)python tools/sbom.py .venv/sbom.json docs/supply-chain/sbom.cdx.json
	$(UV) run --quiet --no-project --with 'cyclonedx-python-lib[json-validation]==11.12.0' tools/check_sbom.py docs/supply-chain/sbom.cdx.json
	$(RUN)python tools/licences.py docs/supply-chain/licences.md
audit: install-dev
	$(UV) tool run --quiet pip-audit==2.10.1 --progress-spinner off --skip-editable --path "$$($(RUN)python -c 'import site; print(site.getsitepackages()[0])')"

# Coverage-guided fuzzing in idle cycles, with corpora and a log in .fuzz/ that every run adds to.
.PHONY: fuzz fuzz-env fuzz-report fuzz-patterns
MINUTES ?= 2
ROUNDS ?= 1
fuzz-env: | $(UV)
	$(UV) venv --quiet --allow-existing --python $(PYTHON) .fuzz/env
	VIRTUAL_ENV=.fuzz/env $(UV) pip install --quiet atheris==3.0.0 --editable '.[view,parquet]'
fuzz:
	.fuzz/env/bin/python -m fuzz.run --minutes $(MINUTES) --rounds $(ROUNDS)
fuzz-report: install
	$(RUN)python -m fuzz.report
fuzz-patterns: install
	$(RUN)python -m fuzz.pumping
