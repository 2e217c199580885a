"""A reply that declines to judge."""

import re

from assay.replies.wrapping import strip_thinking

_MAX_CHARACTERS = 1200
_JUDGED = re.compile(r"<\s*score\s*>\s*\d|\{\s*[\"'“]|\b(?:score|rating)\s*[:=-]+\s*\d", re.IGNORECASE)

# Each opens the reply in the first person and names the act that is declined: "I cannot find any error" is a finding.
_ENGLISH_ACT = (
    r"(?:help|assist|comply|fulfil+|provide|give|offer|evaluate|assess|judge|rate|score|grade|review|answer|respond|"
    r"complete|perform|process|continue|engage|discuss|participate|do\s+(?:that|this)|generate|create|support|carry\s+out)"
)
_ENGLISH = (
    rf"(?:i(?:['’]?m|\s+am)\s+(?:really\s+|very\s+|so\s+)?(?:sorry|afraid)|(?:i\s+)?apologi[sz]e|(?:my\s+)?apologies|sorry"
    rf"|unfortunately|as\s+an?\s+(?:ai|artificial|large|language)[^.!?\n]{{0,60}})?"
    rf"[\s,;:.–—-]*+(?:(?:but|however|for\s++[^.!?\n]{{0,60}})[\s,;:.–—-]*+)?(?:that\s+)?"
    rf"i(?:\s*['’]m|\s+am)?\s*+(?:can(?:no|['’])?t|can\s+not|won['’]?t|will\s+not|(?:am\s+|['’]m\s+)?(?:unable|not\s+able)\s+to"
    rf"|must\s+(?:decline|refuse)(?:\s+to)?|decline\s+to|refuse\s+to|do\s+not\s+feel\s+comfortable|don['’]t\s+feel\s+comfortable)"
    rf"\s+(?:(?:in\s+good\s+conscience|directly|really|safely)\s+)?{_ENGLISH_ACT}(?:ing)?\b"
)
_REFUSALS = (
    _ENGLISH,
    r"(?:lo\s+siento|perdona|disculpa)[^.!?\n]{0,40}no\s+puedo\b|no\s+puedo\s+(?:ayudar|evaluar|proporcionar|cumplir|responder)",
    r"(?:désolée?|je\s+suis\s+désolée?)[^.!?\n]{0,40}je\s+ne\s+(?:peux|suis)\b|je\s+ne\s+peux\s+pas\s+(?:vous\s+)?(?:aider|évaluer|fournir|répondre)",
    r"(?:es\s+tut\s+mir\s+leid|tut\s+mir\s+leid|entschuldigung)[^.!?\n]{0,40}kann\b|ich\s+kann\s+(?:dir|ihnen|das|diese)[^.!?\n]{0,60}nicht\s+(?:helfen|bewerten|beantworten|erfüllen)",
    r"(?:desculpe|sinto\s+muito|lamento)[^.!?\n]{0,40}não\s+posso\b|não\s+posso\s+(?:ajudar|avaliar|fornecer|responder)",
    r"(?:mi\s+dispiace|spiacente)[^.!?\n]{0,40}non\s+posso\b|non\s+posso\s+(?:aiutar|valutare|fornire|rispondere)",
    r"(?:tôi\s+)?(?:rất\s+)?xin\s+lỗi[^.!?\n]{0,40}không\s+thể\b|tôi\s+không\s+thể\s+(?:giúp|đánh\s+giá|cung\s+cấp|trả\s+lời)",
    r"(?:很?抱歉|对不起|對不起)[^。！\n]{0,20}(?:我)?(?:无法|不能|無法)|我(?:无法|不能|無法)(?:提供|帮助|協助|协助|评估|評估|回答|满足)",
    r"(?:申し訳(?:ありません|ございません)|すみません)[^。！\n]{0,40}(?:できません|できかねます|お答えできません)",
    r"죄송(?:합니다|하지만)[^.!\n]{0,60}(?:없습니다|어렵습니다)",
    r"(?:извините|простите|к\s+сожалению|мне\s+жаль)[^.!?\n]{0,40}я?\s*не\s+(?:могу|смогу)\b",
    r"(?:عذرا|عذراً|آسف|أعتذر)[^.!؟\n]{0,40}لا\s+(?:أستطيع|يمكنني)",
)
_APOLOGY = re.compile(
    r"i(?:['’]?m|\s+am)\s+(?:\w+\s+)?(?:sorry|afraid)|(?:i\s+)?apologi[sz]e|sorry|unfortunately", re.IGNORECASE
)
_DECLINED_LATER = re.compile(
    rf"\bi\s+(?:can(?:no|['’])?t|can\s+not|am\s+(?:unable|not\s+able)\s+to)\s+{_ENGLISH_ACT}\b"
    r"|\bcan(?:no|['’])?t\s+be\s+(?:evaluated|rated|scored|assessed|judged|graded)\b"
    r"|\b(?:not\s+possible|impossible|not\s+\w+\s+enough)\s+to\s+(?:evaluate|rate|score|assess|judge|grade)\b"
    r"|\bplease\s+provide\b",
    re.IGNORECASE,
)
_DECLINED_FOR = re.compile(
    r"\b(?:therefore|thus|hence|so),?\s+(?:it|this|they|the\s+\w+)\s+can(?:no|['’])?t\s+be\s+(?:evaluated|rated|scored|assessed|judged|graded)\b",
    re.IGNORECASE,
)
_OPENING = re.compile("|".join(f"(?:{refusal})" for refusal in _REFUSALS), re.IGNORECASE)


def is_refusal(text: str) -> bool:
    """A short reply that opens by declining and holds no judgement; a refusal that is only quoted does not count."""
    reply = strip_thinking(text).strip().lstrip("*_#> ")
    if len(reply) > _MAX_CHARACTERS or _JUDGED.search(reply):
        return False
    if _OPENING.match(reply) or _DECLINED_FOR.search(reply):
        return True
    return bool(_APOLOGY.match(reply) and _DECLINED_LATER.search(reply))
