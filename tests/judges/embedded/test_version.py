"""What decides the built-in judge's answers is in its name, so that two versions never meet in one run."""

import re
from importlib.resources import files

from assay.judges.embedded.weights import RULES, list_rules

# Types and words; no answer hangs on them alone.
_NEUTRAL = ("assay.domain", "assay.errors", "assay.judges.judge", "assay.scoring")


def test_whatever_the_judge_reads_texts_with_is_in_its_version():
    modules = [each for each in files("assay.judges.embedded").iterdir() if each.name.endswith(".py")]
    imported = {
        name for each in modules for name in re.findall(r"^from (assay\.[\w.]+) import", each.read_text(), re.MULTILINE)
    }
    packages = {name.rpartition(".")[0] for name in imported if not name.startswith(_NEUTRAL)}
    assert packages
    assert packages <= set(RULES)


def test_code_and_word_lists_are_in_its_version():
    assert {"figures.py", "stop_words.toml", "claims.py", "signals.py"} <= {each.name for each in list_rules()}
