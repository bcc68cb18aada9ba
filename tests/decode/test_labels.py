"""Label lines in Japanese and English."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpfusion_client.decode import decode, labels
from mcpfusion_client.decode.facts import Facts
from mcpfusion_client.model import ErrorCategory, NextStep, SideEffects

INVALID_INPUT = """エラー種別: 入力不正
何が起きたか: read_file の path が許可範囲外です。
原因: path に絶対パス「/etc/hosts」が渡されました。
直し方: プロジェクト直下からの相対パス(例: reports/2026-09.csv)で指定してください。
再試行: 引数を直せば可
副作用: なし"""

RATE_LIMITED = """エラー種別: 混雑
何が起きたか: 1分あたりの呼び出し上限に達しました。
原因: 短時間に search_orders を連続で呼びました。
直し方: 引数の変更は不要です。
再試行: 同じ内容で可(30秒後)
副作用: なし"""

AUTHENTICATION = """エラー種別: 認証
何が起きたか: アクセストークンの有効期限が切れています。
原因: 認証サーバーが 401 を返しました。
直し方: AI側では直せません。
再試行: 人の操作が必要(再ログイン後に再開)
副作用: なし"""

AMBIGUOUS = """エラー種別: 候補が複数
何が起きたか: 顧客名「山田」に一致する顧客が3件あります。
原因: 名前だけでは1件に絞れません。
直し方: customer_id(例: C-1042)を指定してください。\
候補は list_customers で取得できます。
再試行: 引数を直せば可
副作用: なし"""

STATE_UNKNOWN = """エラー種別: 状態不明
何が起きたか: create_invoice の応答を30秒以内に受信できず、\
呼び出し側が待機を終了しました。
原因: 不明。サーバー側の処理が進行中か完了済みの可能性もあります。
直し方: この例では、作成時に渡した request_id=REQ-1042 で \
get_invoice_status を呼び、処理状態を確認してください。
再試行: 確認後のみ。未実行が確定するか、\
同じ request_id で重複作成を防げる場合に限ります。\
検索で見つからないだけなら再試行せず、人に確認を求めてください。
副作用: 不明(get_invoice_status で処理状態を確認。確認できなければ人に回す)"""


def read(text: str) -> Facts:
    """Return the facts of a text that has some."""
    facts = labels.read_text(text)
    assert facts is not None
    return facts


def test_invalid_input_asks_for_other_arguments() -> None:
    """Example 1 of the document."""
    assert read(INVALID_INPUT) == Facts(
        dialect="labels",
        values={
            "category": ErrorCategory.VALIDATION,
            "message": "read_file の path が許可範囲外です。",
            "recovery": "プロジェクト直下からの相対パス(例: reports/2026-09.csv)で"
            "指定してください。",
            "is_retryable": False,
            "stated_next_step": NextStep.FIX_ARGUMENTS,
            "side_effects": SideEffects.NONE,
            "details": {"cause": "path に絶対パス「/etc/hosts」が渡されました。"},
        },
        veto=True,
    )


def test_a_rate_limit_asks_to_wait() -> None:
    """Example 2 of the document."""
    assert read(RATE_LIMITED) == Facts(
        dialect="labels",
        values={
            "category": ErrorCategory.RATE_LIMITED,
            "message": "1分あたりの呼び出し上限に達しました。",
            "recovery": "引数の変更は不要です。",
            "is_retryable": True,
            "retry_after": 30.0,
            "side_effects": SideEffects.NONE,
            "details": {
                "cause": "短時間に search_orders を連続で呼びました。",
                "retry_note": "30秒後",
            },
        },
    )


def test_an_expired_login_asks_for_a_person() -> None:
    """Example 3 of the document."""
    assert read(AUTHENTICATION) == Facts(
        dialect="labels",
        values={
            "category": ErrorCategory.AUTHENTICATION,
            "message": "アクセストークンの有効期限が切れています。",
            "recovery": "AI側では直せません。",
            "is_retryable": False,
            "stated_next_step": NextStep.ESCALATE,
            "side_effects": SideEffects.NONE,
            "details": {
                "cause": "認証サーバーが 401 を返しました。",
                "retry_note": "再ログイン後に再開",
            },
        },
        veto=True,
    )


def test_several_candidates_ask_for_other_arguments() -> None:
    """Example 4 of the document."""
    assert read(AMBIGUOUS) == Facts(
        dialect="labels",
        values={
            "category": ErrorCategory.AMBIGUOUS,
            "message": "顧客名「山田」に一致する顧客が3件あります。",
            "recovery": "customer_id(例: C-1042)を指定してください。"
            "候補は list_customers で取得できます。",
            "is_retryable": False,
            "stated_next_step": NextStep.FIX_ARGUMENTS,
            "side_effects": SideEffects.NONE,
            "details": {"cause": "名前だけでは1件に絞れません。"},
        },
        veto=True,
    )


def test_an_unknown_outcome_asks_to_look_first() -> None:
    """Example 5 of the document: the way to check is kept."""
    assert read(STATE_UNKNOWN) == Facts(
        dialect="labels",
        values={
            "category": ErrorCategory.STATE_UNKNOWN,
            "message": "create_invoice の応答を30秒以内に受信できず、"
            "呼び出し側が待機を終了しました。",
            "recovery": "この例では、作成時に渡した request_id=REQ-1042 で "
            "get_invoice_status を呼び、処理状態を確認してください。",
            "is_retryable": False,
            "stated_next_step": NextStep.VERIFY_STATE,
            "side_effects": SideEffects.UNKNOWN,
            "details": {
                "cause": "不明。サーバー側の処理が進行中か完了済みの可能性もあります。",
                "retry_note": "未実行が確定するか、同じ request_id で重複作成を防げる"
                "場合に限ります。検索で見つからないだけなら再試行せず、人に確認を求めて"
                "ください。",
                "side_effects_note": "get_invoice_status で処理状態を確認。"
                "確認できなければ人に回す",
            },
        },
        veto=True,
    )


@pytest.mark.parametrize(
    ("word", "category"),
    [
        ("入力不正", ErrorCategory.VALIDATION),
        ("見つからない", ErrorCategory.NOT_FOUND),
        ("候補が複数", ErrorCategory.AMBIGUOUS),
        ("認証", ErrorCategory.AUTHENTICATION),
        ("混雑(レート制限)", ErrorCategory.RATE_LIMITED),
        ("一時障害", ErrorCategory.TRANSIENT),
        ("権限", ErrorCategory.PERMISSION),
        ("状態不明", ErrorCategory.STATE_UNKNOWN),
        ("Invalid input", ErrorCategory.VALIDATION),
        ("validation", ErrorCategory.VALIDATION),
        ("not found", ErrorCategory.NOT_FOUND),
        ("multiple candidates", ErrorCategory.AMBIGUOUS),
        ("ambiguous", ErrorCategory.AMBIGUOUS),
        ("authentication", ErrorCategory.AUTHENTICATION),
        ("rate limited", ErrorCategory.RATE_LIMITED),
        ("temporary failure", ErrorCategory.TRANSIENT),
        ("transient", ErrorCategory.TRANSIENT),
        ("permission", ErrorCategory.PERMISSION),
        ("state unknown", ErrorCategory.STATE_UNKNOWN),
    ],
)
def test_every_category_word_is_known(word: str, category: ErrorCategory) -> None:
    """In both languages."""
    japanese = read(f"エラー種別: {word}\n何が起きたか: x")
    english = read(f"Error type: {word}\nWhat happened: x")

    assert japanese.values["category"] is category
    assert english.values == {"category": category, "message": "x"}


@pytest.mark.parametrize(
    ("value", "is_retryable", "next_step", "seconds"),
    [
        ("不可", False, None, None),
        ("同じ条件では不可", False, None, None),
        ("同じ内容では不可", False, None, None),
        ("同じ内容で可", True, None, None),
        ("同じ内容で可(30秒後)", True, None, 30.0),
        ("同じ内容で可（３０秒後）", True, None, 30.0),
        ("同じ内容で可(約2分後)", True, None, 120.0),
        ("同じ内容で可(1分30秒後)", True, None, 90.0),
        ("同じ内容で可(500ミリ秒後)", True, None, 0.5),
        ("同じ内容で可です", True, None, None),
        ("待てば可(5秒)", True, None, 5.0),
        ("引数を直せば可", False, NextStep.FIX_ARGUMENTS, None),
        ("確認後のみ", False, NextStep.VERIFY_STATE, None),
        ("人の操作が必要", False, NextStep.ESCALATE, None),
        ("不明(追加確認が必要)", None, None, None),
        ("no", False, None, None),
        ("not possible, ask for access", False, None, None),
        ("Never", False, None, None),
        ("yes", True, None, None),
        ("yes (after 30 seconds)", True, None, 30.0),
        ("OK with the same input, in 2 min", True, None, 120.0),
        ("same request allowed after 5s", True, None, 5.0),
        ("only after fixing the arguments", False, NextStep.FIX_ARGUMENTS, None),
        (
            "possible if the arguments are corrected",
            False,
            NextStep.FIX_ARGUMENTS,
            None,
        ),
        ("only after checking the state", False, NextStep.VERIFY_STATE, None),
        ("human action required", False, NextStep.ESCALATE, None),
        ("needs a person", False, NextStep.ESCALATE, None),
        ("unknown (more checks needed)", None, None, None),
    ],
)
def test_every_retry_word_is_known(
    value: str,
    *,
    is_retryable: bool | None,
    next_step: NextStep | None,
    seconds: float | None,
) -> None:
    """A wait counts only where the same call may be sent again."""
    facts = read(f"エラー種別: 混雑\n再試行: {value}")

    assert facts.values["is_retryable"] is is_retryable
    assert facts.values.get("stated_next_step") is next_step
    assert facts.values.get("retry_after") == seconds
    assert facts.veto is (is_retryable is False)


@pytest.mark.parametrize(
    "value",
    [
        "同じ内容で可否不明",
        "same request is not allowed",
        "possible but dangerous",
        "yesterday",
        "okay only with care",
        "検討中",
        "",
    ],
)
def test_a_retry_value_that_is_none_of_the_words_states_nothing(value: str) -> None:
    """In doubt nobody has said that the call may be sent again."""
    facts = read(f"エラー種別: 混雑\n再試行: {value}")

    assert "is_retryable" not in facts.values
    assert facts.values.get("details", {}).get("retry_note", "") == value


@pytest.mark.parametrize(
    ("value", "effects", "note"),
    [
        ("なし", SideEffects.NONE, None),
        ("ありません", SideEffects.NONE, None),
        ("あり(注文 1 件)", SideEffects.SOME, "注文 1 件"),
        ("不明(一覧で確認)", SideEffects.UNKNOWN, "一覧で確認"),
        ("none", SideEffects.NONE, None),
        ("Some: one order", SideEffects.SOME, "one order"),
        ("unknown (check the list)", SideEffects.UNKNOWN, "check the list"),
        ("たぶん", None, "たぶん"),
    ],
)
def test_every_word_for_side_effects_is_known(
    value: str, effects: SideEffects | None, note: str | None
) -> None:
    """What follows the word is kept."""
    facts = read(f"再試行: 不可\n副作用: {value}")

    assert facts.values.get("side_effects") is effects
    assert facts.values.get("details", {}).get("side_effects_note") == note


@pytest.mark.parametrize(
    "text",
    [
        "エラー種別：混雑\n再試行：同じ内容で可(30秒後)",
        "  エラー種別 : 混雑\r\n\u3000再試行\u3000： 同じ内容で可(30秒後)\r\n",
        "- **エラー種別**: 混雑\n- **再試行:** 同じ内容で可(30秒後)",
        "* エラー種別: 混雑\n* 再試行: 同じ内容で可(30秒後)",
        "Error executing tool x:\nエラー種別: 混雑\n再試行: 同じ内容で可(30秒後)",
        "ERROR TYPE: Rate Limited\nRETRY: Same request OK (after 30 seconds)",
    ],
)
def test_spacing_bullets_and_letter_case_do_not_matter(text: str) -> None:
    """People write labels in many ways."""
    facts = read(text)

    assert facts.values["category"] is ErrorCategory.RATE_LIMITED
    assert facts.values["retry_after"] == 30.0


def test_a_value_goes_on_to_the_next_label_and_the_last_to_a_blank_line() -> None:
    """A long value may take several lines; a trailer is no value."""
    facts = read(
        "エラー種別: 入力不正\n直し方: 一行目\n\n二行目\n再試行: 不可\n"
        "副作用:\nなし\n\n詳細は文書へ"
    )

    assert facts.values["recovery"] == "一行目\n\n二行目"
    assert facts.values["side_effects"] is SideEffects.NONE


def test_the_first_of_two_equal_labels_counts_but_a_no_vetoes() -> None:
    """Two answers that disagree never end in a retry."""
    facts = read("再試行: 同じ内容で可\n副作用: なし\n再試行: 不可\n副作用: あり")

    assert facts.values["is_retryable"] is True
    assert facts.values["side_effects"] is SideEffects.NONE
    assert facts.veto


@pytest.mark.parametrize(
    ("value", "values"),
    [
        (
            "契約切れ",
            {"category": ErrorCategory.OTHER, "category_detail": "契約切れ"},
        ),
        ("入力不正です | 見つからない", {"category": ErrorCategory.VALIDATION}),
        ("なんとか | 見つからない", {}),
        ("", {}),
    ],
)
def test_another_category_word_is_kept(value: str, values: dict[str, object]) -> None:
    """The list of words is open; a list of choices is no word."""
    facts = read(f"エラー種別: {value}\n何が起きたか: x")

    assert facts.values == {"message": "x", **values}


def test_one_japanese_label_with_a_known_word_is_enough() -> None:
    """The document says to begin with two of the lines, and one may be all."""
    assert read("再試行: 不可").values == {"is_retryable": False}
    assert read("原因: x\n直し方: y").values == {
        "recovery": "y",
        "details": {"cause": "x"},
    }


@pytest.mark.parametrize(
    "text",
    [
        "",
        "原因: 不明",
        "Cause: disk full",
        "Cause: disk full\nHow to fix: free some space",
        "Retry: no",
        "retry later: yes",
        "The cause: x\nMy retry: no",
        "<tool_error><message>\nエラー種別: 混雑\n</message></tool_error>",
    ],
)
def test_ordinary_lines_with_colons_are_no_labels(text: str) -> None:
    """English words stand in many texts; there it takes two labels, one known."""
    assert labels.read_text(text) is None


@given(
    message=st.text(st.characters(exclude_characters=":："), min_size=1, max_size=60),
    label=st.sampled_from(["何が起きたか", "直し方", "原因"]),
)
def test_a_value_is_kept_as_it_is(message: str, label: str) -> None:
    """Nothing inside a value is read for another fact."""
    facts = read(f"再試行: 不可\n{label}: <{message}>")

    names = {"何が起きたか": "message", "直し方": "recovery"}
    kept = (
        facts.values["details"]["cause"]
        if label == "原因"
        else facts.values[names[label]]
    )
    assert f"<{message}>".startswith(kept)
    assert facts.values["is_retryable"] is False


def test_a_server_that_does_not_know_is_taken_at_its_word() -> None:
    """Then no table says that the call may be sent again, or may not."""
    info = decode(
        {
            "isError": True,
            "content": [
                {
                    "type": "text",
                    "text": "エラー種別: 混雑\n再試行: 不明(追加確認が必要)",
                }
            ],
        }
    )

    assert info is not None
    assert info.category is ErrorCategory.RATE_LIMITED
    assert info.is_retryable is None
