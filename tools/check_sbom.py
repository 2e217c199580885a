"""Holds the bill of materials to the schema of its format, strictly.

uv run --no-project --with 'cyclonedx-python-lib[json-validation]' tools/check_sbom.py docs/supply-chain/sbom.cdx.json
"""
# ruff: noqa: INP001  # programs of the project, not a package

import sys
from importlib import import_module
from pathlib import Path


def main() -> None:
    """The library is not among what developing Assay needs: it is fetched for this one use."""
    schema = import_module("cyclonedx.schema")
    validation = import_module("cyclonedx.validation.json")
    text = Path(sys.argv[1]).read_text(encoding="utf-8")
    fault = validation.JsonStrictValidator(schema.SchemaVersion.V1_6).validate_str(text)
    if fault is not None:
        sys.exit(f"{sys.argv[1]} breaks the schema: {fault}")


if __name__ == "__main__":
    main()
