"""Words that say whether a call ran, and whether it may be repeated."""

NOT_DONE: tuple[str, ...] = (
    "no changes were made",
    "no change was made",
    "nothing was changed",
    "nothing was sent",
    "nothing was written",
    "was not performed",
    "was not executed",
    "were not executed",
    "was not applied",
    "was not sent",
    "no action was taken",
    "not been executed",
    "rolled back",
    "変更はありません",
    "実行されていません",
)
"""Words that say that the call left nothing behind."""

PROHIBITIONS: tuple[str, ...] = (
    "do not retry",
    "don't retry",
    "do not repeat",
    "do not try again",
    "don't try again",
    "do not call again",
    "not retryable",
    "non-retryable",
    "nonretryable",
    "not be retried",
    "retrying will not",
    "retry will not",
    "retrying won't",
    "will not succeed",
    "no retry",
    " for good",
    "permanently",
    "cannot be retried",
    "never retry",
    "再試行しないでください",
    "再試行しても",
    "请勿重试",
    "不要重试",
)
"""Words that forbid a repeat, whatever else is said."""
