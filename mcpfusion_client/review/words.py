"""The phrases by which the checks tell useful text from empty text.

English and Japanese, like the structured-error documents; one pattern per question.
Every pattern is bounded, so the time is linear in the text.
"""

import re

_MAX_TEXT = 8192
_MIN_WORDS = 3
_MIN_CJK = 6

_WORD = re.compile(r"[A-Za-z][A-Za-z'-]*")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_EMPTY_WORD = re.compile(
    r"a|ambiguous|an|and|arguments|argument|bad|by|call|called|calling|code"
    r"|could|error|errors|exception|executing|execution|fail|failed|failure"
    r"|for|generic|http|in|input|internal|invalid|is|it|mcp|not|occurred|of"
    r"|on|operation|parameter|parameters|please|processing|query|request"
    r"|response|returned|server|something|status|str|the|there|this|timed"
    r"|timeout|to|tool|unable|unexpected|unknown|was|went|while|with|wrong"
)
_EMPTY_CJK = re.compile(
    r"(?:予期しない|内部|サーバー?|不明な|システム|処理|実行|操作|リクエスト|入力"
    r"|エラー|失敗|不正|発生|しました|です|した|[がはにのでを。、\s])*+"
)

_CAUSE = re.compile(
    r"\b(?:because|due to|since|caused by|cause|reason|as the|expired|exceeds?|exceeded"
    r"|requires?|required|must|only|already|missing|refused|reset|denied|revoked"
    r"|does not|did not|is not|was not|isn't|too (?:long|large|many|short|small)"
    r"|timed? ?out|unreachable|after \d|unsupported"
    r"|not (?:allowed|supported|configured|permitted|valid))\b"
    r"|原因|理由|のため|ため、|タイムアウト|により|ので|超え|過ぎ|期限|のみ|必要|推測",
    re.IGNORECASE,
)
_ADVICE = re.compile(
    r"\b(?:please|try|retry|use|set|provide|specify|check|verify|pass|choose|pick|run"
    r"|call|add|remove|rename|reduce|narrow|split|must|should|instead|expected|allowed"
    r"|one of|valid \w{1,20} are|re-?auth\w{0,10}|sign in|log ?in|contact|ask|wait"
    r"|available|supported|did you mean|see|requires|needs)\b"
    r"|ください|下さい|指定|使用|確認|必要",
    re.IGNORECASE,
)
_VALUE = re.compile(
    r"\b(?:expected|must|should|one of|allowed|valid|e\.g\.|for example|such as|format"
    r"|between|at least|at most|minimum|maximum|required|instead of|greater|less than"
    r"|longer|shorter|matching|positive)\b|[<>]=?\s?\d"
    r"|例|形式|範囲|以上|以下|以内|以降|いずれか|必須",
    re.IGNORECASE,
)
_LOOKUP = re.compile(
    r"`[^`\n]{2,80}`|\b[a-z]{2,40}[_./][a-z_./]{2,60}\b"
    r"|\b(?:list|search|look|find|browse|available|did you mean|candidates?)\b"
    r"|一覧|検索|候補|取得",
    re.IGNORECASE,
)
_ARGUMENT = re.compile(
    r"\b(?:arguments?|param(?:eter)?s?|fields?|property|option|key|column|flag)\b"
    r"[ \t:]{0,4}[`'\"\[(]{0,2}[A-Za-z_][\w.-]{0,80}"
    r"|[`'\"][A-Za-z_][\w.]{0,80}[`'\"]"
    r"|(?<![\w.])[a-z][a-z0-9_.]{0,80}[ \t]{0,2}[がはにをの]"
    r"|(?<![\w./])[a-z]{1,40}(?:_[a-z]{1,40}|[A-Z][a-z]{0,40}){1,6}(?![\w./])",
)
_EMPTY_ANSWER = re.compile(
    r"\b(?:no|0|zero)\s(?:\w{1,30}\s){0,2}(?:results?|matches|records|rows|entries"
    r"|items|hits|documents|messages|events|data)\b(?!\sstore|base)"
    r"|(?:結果|一致|該当)[^\n]{0,12}(?:ありません|見つかりません|なし)",
    re.IGNORECASE,
)


def tells_nothing(message: str, tool: str) -> bool:
    """Is *message* empty, or only a way to say that something failed?"""
    text = message[:_MAX_TEXT].replace(tool, " ")
    if _CJK.search(text):
        return _EMPTY_CJK.fullmatch("".join(_CJK.findall(text))) is not None
    words = _WORD.findall(text.lower())
    return all(_EMPTY_WORD.fullmatch(word) for word in words)


def is_prose(message: str) -> bool:
    """Is *message* made of words, and not an identifier or a code?"""
    text = message[:_MAX_TEXT]
    plain = [word for word in text.split() if "_" not in word and "=" not in word]
    words = [word for word in plain if _WORD.search(word)]
    return len(words) >= _MIN_WORDS or len(_CJK.findall(text)) >= _MIN_CJK


def gives_a_cause(text: str) -> bool:
    """Does *text* say why?"""
    return _CAUSE.search(text[:_MAX_TEXT]) is not None


def advises(text: str) -> bool:
    """Does *text* tell its reader to do something?"""
    return _ADVICE.search(text[:_MAX_TEXT]) is not None


def shows_a_value(text: str) -> bool:
    """Does *text* show a right value, its form or its limits?"""
    return _VALUE.search(text[:_MAX_TEXT]) is not None


def names_an_argument(text: str) -> bool:
    """Does *text* name something that may well be an argument?"""
    return _ARGUMENT.search(text[:_MAX_TEXT]) is not None


def names_a_lookup(text: str) -> bool:
    """Does *text* name a tool, or a way to look something up?"""
    return _LOOKUP.search(text[:_MAX_TEXT]) is not None


def empty_answer(text: str) -> bool:
    """Does *text* say that a search found nothing?"""
    return _EMPTY_ANSWER.search(text[:_MAX_TEXT]) is not None
