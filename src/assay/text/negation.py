"""Finds the words that deny something."""

import re
from typing import Final

# Scripts written without spaces, where a word's edge can't be seen: Thai to Khmer, kana, Han.
SPACELESS: Final = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
CHINESE_NEGATIONS: Final = tuple("不没沒無无未非别別勿莫否")

_NEGATION_LIST: Final = (
    "not no never none nobody nothing nowhere neither nor without cannot hardly barely scarcely lack lacks lacked"
    " lacking absent absence fail fails failed except excluding unless non"
    " nunca jamás ni sin nadie nada ningún ninguno ninguna tampoco excepto ne n' pas jamais sans aucun aucune rien"
    " personne sauf guère nicht nie niemals kein keine keinen keiner keinem keines ohne weder niemand nichts außer"
    " não nem sem nenhum nenhuma ninguém tampouco exceto mai né senza nessun nessuno nessuna niente nulla neanche"
    " nemmeno eccetto không chưa chẳng đừng chớ vô trừ لا ليس ليست لم لن غير بدون دون ما"
)
_NEGATIONS: Final = frozenset([*_NEGATION_LIST.split(), *CHINESE_NEGATIONS])
_LETTERS: Final = rf"(?:(?![{SPACELESS}])[^\W\d_])+"
_WORD: Final = re.compile(rf"[{SPACELESS}]|{_LETTERS}n't|(?:{_LETTERS}')*{_LETTERS}")


def find_negation(text: str) -> str | None:
    """The first word of a normalised text that denies something."""
    words = _WORD.findall(text)
    return next((word for word in words if word in _NEGATIONS or word.endswith("n't")), None)
