"""Which texts are more than one pre-token when they stand alone.

"12", each digit alone     cut into "1" and "2"
" the", GPT-2's pattern    one pre-token
"""

import time
from collections.abc import Sequence

from bpeviz.errors import SplitPatternError
from bpeviz.pipelines import running
from bpeviz.text.characters import without_newer_characters
from bpeviz.text.split_patterns import SplitPattern
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = ["cut_alone"]

#: How many times as long as on one text a split pattern may take on all tokens, and on the last of them.
TIMEOUTS_FOR_ALL = 5
LEAST_SECONDS = 0.001


def cut_alone(tokenizer: Tokenizer, texts: Sequence[str | None]) -> list[bool]:
    """Return whether a tokenizer cuts each text, standing alone, into several pre-tokens; False for None.

    Raises SplitPatternError, or PipelineError, if that takes too long.
    """
    if tokenizer.pipeline is None:
        return _cut_by_pattern(tokenizer.split, texts)
    totals = running.pre_token_totals(tokenizer.pipeline, [text or "" for text in texts])
    return [total > 1 for total in totals]


def _cut_by_pattern(split: SplitPattern, texts: Sequence[str | None]) -> list[bool]:
    """Return the same for a split pattern.

    A pattern that is slow on one token is likely to be so on many: the time is limited for all together.
    Named patterns are known to be fast, and need no limit for each of 200,000 tokens.
    """
    if split.covers_any_text and split.regex is not None and not (split.by_line or split.special_tokens):
        find = split.compiled.findall
        change = without_newer_characters if split.older_unicode else str
        return [bool(text) and len(find(change(text or ""), concurrent=False)) != 1 for text in texts]
    seconds = TIMEOUTS_FOR_ALL * split.timeout_seconds
    until = time.monotonic() + seconds
    cut: list[bool] = []
    for text in texts:
        left = until - time.monotonic()
        try:
            cut.append(bool(text) and len(split.split(text or "", timeout=max(left, LEAST_SECONDS))) != 1)
        except SplitPatternError:
            if time.monotonic() > until:
                raise SplitPatternError(
                    f"The split pattern took more than {seconds:g} seconds on the tokens of this vocabulary. "
                    "Write it without nested repetitions such as (a+)+.",
                    pattern=split.regex or "",
                ) from None
            cut.append(True)
    return cut
