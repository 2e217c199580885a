"""The pages' own style and script: as files for a server, or inside one page with the policy that lets only them in."""

import base64
import hashlib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from markupsafe import Markup


@dataclass(frozen=True, slots=True)
class Inlined:
    """`policy` is the page's Content-Security-Policy: no network at all, and no style or script but these two."""

    style: Markup
    script: Markup
    policy: str


@cache
def read_style() -> str:
    return _read("style.css")


@cache
def read_script() -> str:
    return _read("script.js")


@cache
def inline_assets() -> Inlined:
    style, script = read_style(), read_script()
    policy = (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    # The only text that is markup by decree: our own two files, none of it from data.
    return Inlined(Markup(style), Markup(script), policy)  # noqa: S704


def _read(name: str) -> str:
    text = (files("assay.pages") / name).read_text(encoding="utf-8")
    if "</" in text:
        raise AssertionError(f"{name} would end its own element")
    return text


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
