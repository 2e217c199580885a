"""A bill of materials made fit to keep: the same bytes for the same packages, each with what it is there for.

`python tools/sbom.py CYCLONEDX_FILE FILE` reads what cyclonedx-py wrote of the environment.
"""
# ruff: noqa: INP001  # programs of the project, not a package

import json
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

from licences import PROJECT, Package, Use, read_packages
from packaging.utils import canonicalize_name

# In the words of CycloneDX: excluded is what is not delivered.
_SCOPES: dict[Use, str] = {"run time": "required", "extra": "optional", "development": "excluded"}


def clean(document: dict[str, Any], packages: list[Package]) -> dict[str, Any]:
    """Links and descriptions go, for they hold host names; so does what depends on the day or the machine."""
    kept = {package.name: package for package in packages}
    components = [_clean_component(each, kept) for each in document["components"] if _name_of(each) in kept]
    references = {each["bom-ref"] for each in components} | {"root-component"}
    root = document["metadata"]["component"]
    return {
        "bomFormat": document["bomFormat"],
        "specVersion": document["specVersion"],
        "version": 1,
        "metadata": {
            "component": {
                **{name: root[name] for name in ("bom-ref", "name", "type") if name in root},
                "version": version(PROJECT),
                "licenses": [{"license": {"id": "Apache-2.0"}}],
            },
        },
        "components": sorted(components, key=lambda each: str(each["bom-ref"])),
        "dependencies": [
            {**each, "dependsOn": sorted(set(each.get("dependsOn", ())) & references)}
            for each in sorted(document["dependencies"], key=lambda each: str(each["ref"]))
            if each["ref"] in references
        ],
    }


def _clean_component(component: dict[str, Any], packages: dict[str, Package]) -> dict[str, Any]:
    package = packages[_name_of(component)]
    return {
        "bom-ref": component["bom-ref"],
        "type": "library",
        "name": package.name,
        "version": package.version,
        "purl": f"pkg:pypi/{package.name}@{package.version}",
        "scope": _SCOPES[package.use],
        "licenses": [{"expression": package.licence}]
        if any(word in package.licence for word in (" AND ", " OR "))
        else [{"license": {"name": package.licence}}],
    }


def _name_of(component: dict[str, Any]) -> str:
    name = canonicalize_name(component["name"])
    return "" if name == PROJECT else name


if __name__ == "__main__":
    document = clean(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")), read_packages())
    Path(sys.argv[2]).write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
