"""Builds the documentation site from the Markdown of this repository: `make docs`.

The source folder is the repository itself, so a link between two files works on the site as it does in a clone.
A page of a rubric is made from its installed pack while the site is built: decision 35.
"""

import io
import json
from pathlib import Path

from sphinx.application import Sphinx

from assay import __version__
from assay.cli.demo import judge_example
from assay.cli.options import print_explanations
from assay.domain.rubric import Rubric
from assay.files.rubrics import open_rubric
from assay.packs import Pack, list_packs

ROOT = Path(__file__).parent.parent

project = "Assay"
release = __version__
extensions = ["myst_parser"]
root_doc = "docs/index"
include_patterns = [
    "docs/**.md",
    "bench/results/*.md",
    "src/assay/packs/**.md",
    "src/assay/weights/MODEL_CARD.md",
    "training/README.md",
    "CHANGELOG.md",
    "SECURITY.md",
]
exclude_patterns = [".*", "**/.*"]
myst_heading_anchors = 4
html_theme = "furo"
html_title = f"Assay {release}"
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_static_path = ["site.css"]
html_css_files = ["site.css"]
html_search_scorer = str(ROOT / "docs" / "search.js")


def build_rubric_page(pack: Pack) -> str:
    """What a rubric asks, the file as its author wrote it, and an example, judged where replies to it are scripted."""
    rubric = open_rubric(pack.id)
    records = [json.loads(line) for line in (pack.folder / "examples.jsonl").read_text(encoding="utf-8").splitlines()]
    is_judged = (pack.folder / "replies.jsonl").is_file()
    title = "A judged example" if is_judged else "An example"
    written = pack.read_rubric().partition("\n## ")[2]
    notice = f"\n> {rubric.notice}\n" if rubric.notice else ""
    return f"""# {rubric.title}

{rubric.purpose}
{notice}
```console
assay judge records.jsonl --rubric {rubric.id}
```

{_list_metrics(rubric)}

{_describe_validity(rubric)}

Below stands the rubric as it is written, and at the end [{title.lower()}](#{title.lower().replace(" ", "-")}).

## {written}

## {title}

What is seeded in it: {records[1]["facets"]["seeded"]}.

```json
{json.dumps(records[1], indent=2, ensure_ascii=False)}
```
{_explain_example(pack) if is_judged else ""}"""


def _explain_example(pack: Pack) -> str:
    explained = io.StringIO()
    print_explanations(explained, [judge_example(pack, scripted=True)[1]])
    return f"""
Judged by scripted replies, as a language model might give them:

```text
{explained.getvalue().strip()}
```
"""


def _describe_validity(rubric: Rubric) -> str:
    if rubric.validation:
        return f"Validation: {rubric.validation}"
    return (
        "Not validated: how well its scores agree with people [has not been measured](../../../../docs/agreement.md)."
    )


def _list_metrics(rubric: Rubric) -> str:
    rows = [
        f"| `{each.id}` | {each.question} | {float(each.scale.low):g} to {float(each.scale.high):g}, {each.scale.best}"
        f" is best | [{each.rule}](../../../../docs/rubrics.md#rules) |"
        for each in rubric.metrics
    ]
    return "\n".join(["| metric | question | scale | rule |", "|---|---|---|---|", *rows])


def setup(app: Sphinx) -> None:
    packs = {f"{pack.package.replace('.', '/')}/rubric": pack for pack in list_packs().values()}

    def replace_rubric(_app: Sphinx, document: str, source: list[str]) -> None:
        if document.endswith("/rubric"):
            source[0] = build_rubric_page(packs[document.removeprefix("src/")])

    def write_entrance(app: Sphinx, error: Exception | None) -> None:
        if error is None:
            page = '<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=docs/index.html">'
            (app.outdir / "index.html").write_text(f'{page}<a href="docs/index.html">Assay</a>', encoding="utf-8")

    app.connect("source-read", replace_rubric)
    app.connect("build-finished", write_entrance)
