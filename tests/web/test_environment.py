"""The templates' surroundings keep the promise for every template, also for those to come."""

from importlib.resources import files

import pytest
from jinja2 import UndefinedError

from assay.report.display import shorten
from assay.web.rendering import build_environment, inline_assets, read_assets

TEMPLATES = [
    each
    for package in ("assay.web", "assay.report")
    for each in (files(package) / "templates").iterdir()
    if each.name.endswith(".html")
]


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda each: each.name)
def test_no_template_calls_data_safe_or_styles_by_attribute(template: object) -> None:
    text = template.read_text(encoding="utf-8")
    assert "safe" not in text
    assert "autoescape" not in text
    assert "style=" not in text
    assert " on" + "click" not in text
    build_environment().get_template(template.name)


def test_everything_printed_is_escaped_and_visible() -> None:
    template = build_environment().from_string('<b title="{{ x }}">{{ x }}</b>{{ empty }}{{ 1.5 }}')
    assert template.render(x="<\"'&\u202e", empty=None) == (
        '<b title="&lt;&#34;&#39;&amp;‹U+202E›">&lt;&#34;&#39;&amp;‹U+202E›</b>1.5'
    )


def test_what_is_not_defined_is_an_error() -> None:
    with pytest.raises(UndefinedError):
        build_environment().from_string("{{ nothing }}").render()


def test_the_base_page_takes_files_or_holds_them() -> None:
    base = build_environment().get_template("base.html")
    served = base.render(root="/key")
    assert '<link rel="stylesheet" href="/key/static/style.css">' in served
    assert '<script src="/key/static/script.js" defer></script>' in served
    assert "<style>" not in served
    held = base.render(inlined=inline_assets())
    assert f"<style>{read_assets()['style.css']}</style>" in held
    assert f"<script>{read_assets()['script.js']}</script>" in held


def test_a_long_text_is_cut_at_a_word() -> None:
    assert shorten("one two three four", 14) == "one two …"
    assert shorten("x" * 30, 10) == "x" * 9 + " …"
    assert shorten(" a\n b ", 10) == "a b"
