"""What holds for all tests."""

from pathlib import Path

import pytest

# Whole folders of integration tests, which import a browser's driver and the trainer: other runs need not load them.
INTEGRATION = {"browser", "training"}


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    is_left_out = collection_path.is_dir() and collection_path.name in INTEGRATION
    return True if is_left_out and config.option.markexpr == "not integration" else None
