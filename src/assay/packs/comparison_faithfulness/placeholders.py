"""Cells that are filled in only to say that nothing is known."""

import re
from typing import Final

_DECORATION: Final = re.compile(r"[*_`~()\[\]\s]+")
_SIGNS: Final = re.compile(r"[-‐‑‒–—―−.…/\\?•·]*")
_WORDS: Final = re.compile(
    r"""
      n\.?\s?/?\s?a\.? | n\.?\s?/?\s?m\.? | nil | null | nan | unknown | unspecified | undisclosed | unavailable
    | tbd | tba | to\ be\ (?:announced|confirmed|determined)
    | (?:information|info|data|details?|price|rating|value|average\ rating|base\ price|final\ price)?\ ?
      (?:is\ |are\ |was\ |were\ )?
      (?:not|none|isn't|aren't)\ (?:\w{1,12}ly\ )?
      (?:available|applicable|mentioned|specified|stated|provided|given|disclosed|listed|known|found|reported|discussed
        |included|indicated|noted)
      (?:\ (?:in|by|from|for|on)\ (?:the\ )?[\w ]{1,40})?
    | no\ (?:information|info|data|details?|mention|rating|ratings|price)
      (?:\ (?:is\ |was\ )?(?:available|given|provided|mentioned|found|specified|listed|stated|yet))?
    | no\ disponible | no\ (?:se\ )?menciona(?:do|da)? | no\ especificado | sin\ (?:datos|información)
    | non\ (?:disponible|précisé|mentionné|spécifié|disponibile|specificato) | não\ (?:disponível|mencionado|informado)
    | nicht\ (?:verfügbar|angegeben|erwähnt|bekannt) | keine\ angaben?
    """,
    re.VERBOSE,
)


def states_nothing(cell: str) -> bool:
    """Whether a cell is empty, a dash, "N/A", "not mentioned" or the like; "none" and "no" do state something."""
    if len(cell) > 200:
        return False
    bare = _DECORATION.sub(" ", cell).strip().casefold().replace("’", "'").rstrip(".!")
    return not bare.strip(".") or bool(_SIGNS.fullmatch(bare) or _WORDS.fullmatch(bare))
