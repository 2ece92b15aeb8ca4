"""Every limit of the page in one place: how much one person may ask of the server.

``BPEVIZ_HOSTED=1`` in the environment is for a server that strangers use. One person's work must leave room
for the others' there. Without it the page serves the person who started it. A new limit is one row of
``Limits``.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache
from typing import Any, Literal

from bpeviz.errors import ServerSettingError
from bpeviz.words import in_short

__all__ = [
    "DAYS",
    "HOSTED",
    "HUB",
    "MEGABYTES",
    "Limits",
    "Unit",
    "limits",
    "read_limits",
]

#: The environment variables.
HOSTED, HUB, MEGABYTES, DAYS = "BPEVIZ_HOSTED", "BPEVIZ_HUB", "BPEVIZ_SAVED_MEGABYTES", "BPEVIZ_SAVED_DAYS"

_YES, _NO = ("1", "true", "yes"), ("0", "false", "no", "")
_MOST = 1_000_000

#: What a limit counts; ``python -m tools.limits_table`` writes the values accordingly.
Unit = Literal["bytes", "characters", "count", "seconds", "days", "share", "yes or no"]


def _limit(label: str, unit: Unit, local: object, hosted: object = None) -> Any:
    """Return a field of ``Limits``: what it limits, and its values. Without ``hosted`` both are the same."""
    both = local if hosted is None else hosted
    return field(default=local, metadata={"label": label, "unit": unit, "hosted": both})


@dataclass(frozen=True)
class Limits:
    """What the page takes and keeps. ``Limits()`` holds the values for your own machine."""

    hosted: bool = _limit("strangers use the server (`BPEVIZ_HOSTED`)", "yes or no", False, True)
    max_start_merges: int = _limit(
        "merges of the tokenizer that a run begins with", "count", 1_000_000, 400_000
    )
    max_text_bytes: int = _limit("text to train on or to compare on", "bytes", 8_000_000, 2_000_000)
    max_merges: int = _limit("merges of one training", "count", 20_000, 5_000)
    max_corpus_upload_bytes: int = _limit(
        "uploaded files to train on, together (`server.maxUploadSize`)",
        "bytes",
        200 * 2**20,
        2_000_000,
    )
    max_counts_bytes: int = _limit(
        "pre-token counts of a large corpus in a saved session, unpacked", "bytes", 200_000_000, 4_000_000
    )
    kept_large_runs: int = _limit("runs on large corpora kept in a session", "count", 3, 1)
    kept_runs: int = _limit("runs kept in a session", "count", 8, 4)
    kept_bytes: int = _limit("texts of all kept runs together", "bytes", 32_000_000, 8_000_000)
    split_timeout_seconds: float = _limit(
        "time for a person's own split pattern to split a text once", "seconds", 10.0, 2.0
    )
    max_upload_bytes: int = _limit(
        "one uploaded file of a tokenizer or a saved session", "bytes", 64 * 2**20, 32 * 2**20
    )
    session_upload_bytes: int = _limit(
        "uploaded files of one session together", "bytes", 256 * 2**20, 96 * 2**20
    )
    all_upload_bytes: int = _limit(
        "uploaded files of all sessions together", "bytes", 1024 * 2**20, 512 * 2**20
    )
    max_state_bytes: int = _limit(
        "all fields of a page together (`server.maxWidgetStateSize`)", "bytes", 25_000_000, 8_000_000
    )
    max_typed_bytes: int = _limit("typed text to compare on", "bytes", 1_000_000)
    kept_typed_characters: int = _limit(
        "text in a field that is kept when its page is left", "characters", 1_000_000
    )
    max_name_characters: int = _limit("name of a run or a session", "characters", 80)
    max_search_characters: int = _limit("search in a vocabulary", "characters", 1_000)
    max_audited_bytes: int = _limit("text whose tokens an audit counts", "bytes", 10_000_000, 1_000_000)
    max_ticked_tokens: int = _limit("tokens that are dropped or kept one by one", "count", 10_000, 1_000)
    max_encoded_characters: int = _limit("text to encode merge by merge", "characters", 5_000)
    max_counted_bytes: int = _limit("text to encode, whose tokens are counted", "bytes", 1_000_000)
    max_checked_bytes: int = _limit(
        "merges of a person's trainer to check, and the text that it read, each", "bytes", 1_000_000
    )
    check_seconds: float = _limit("processor time for a check of a person's trainer", "seconds", 600.0, 60.0)
    max_ids_characters: int = _limit("list of ids to decode", "characters", 250_000)
    max_ids: int = _limit("ids to decode", "count", 20_000)
    max_decoded_bytes: int = _limit("text that ids decode to", "bytes", 1_000_000)
    max_tokens: int = _limit(
        "tokens of all uploaded tokenizers that a session uses", "count", 5_000_000, 1_000_000
    )
    max_table_rows: int = _limit("rows of a vocabulary in its table", "count", 100_000)
    max_download_bytes: int = _limit("tokens in one downloaded table", "bytes", 50_000_000, 10_000_000)
    cache_bytes: int = _limit(
        "tables and counts that a session keeps to show them again", "bytes", 200_000_000, 50_000_000
    )
    shared_tokenizer_bytes: int = _limit(
        "tokenizers read from files that all sessions share, kept after their last use", "bytes", 30_000_000
    )
    cache_listed: bool = _limit(
        "the page lists the tokenizers in this machine's Hugging Face cache", "yes or no", True, False
    )
    hub: bool = _limit("the page gets tokenizers from the Hub (`BPEVIZ_HUB`)", "yes or no", True, False)
    recent_listed: bool = _limit("every visitor sees a list of saved sessions", "yes or no", True, False)
    session_bytes: int = _limit("one saved session", "bytes", 100_000_000, 25_000_000)
    total_saved_bytes: int = _limit(
        "all saved sessions (`BPEVIZ_SAVED_MEGABYTES`)", "bytes", 2_000_000_000, 1_000_000_000
    )
    saved_age_days: int = _limit(
        "how long a session is saved after its last use (`BPEVIZ_SAVED_DAYS`)",
        "days",
        365,
        30,
    )
    visitor_share: float = _limit(
        "part of the space for sessions that one network address may use", "share", 1.0, 0.25
    )

    @property
    def largest_upload_bytes(self) -> int:
        """The most bytes that one uploaded file of any kind may have."""
        return max(self.max_upload_bytes, self.max_corpus_upload_bytes)

    @property
    def max_text_megabytes(self) -> int:
        """``max_text_bytes`` as the page says it."""
        return self.max_text_bytes // 1_000_000


_LOCAL = Limits()
_HOSTED = Limits(**{f.name: f.metadata["hosted"] for f in fields(Limits)})


def read_limits(environment: Mapping[str, str]) -> Limits:
    """Return the limits that an environment asks for. Raises ServerSettingError for a value that says
    nothing."""
    found = _HOSTED if _is_yes(environment, HOSTED) else _LOCAL
    if HUB in environment:
        found = replace(found, hub=_is_yes(environment, HUB))
    if MEGABYTES in environment:
        found = replace(found, total_saved_bytes=_number(environment, MEGABYTES) * 1_000_000)
    if DAYS in environment:
        found = replace(found, saved_age_days=_number(environment, DAYS))
    return found


@cache
def limits() -> Limits:
    """Return the limits of this server, read from its environment once. Raises ServerSettingError."""
    return read_limits(os.environ)


def _is_yes(environment: Mapping[str, str], variable: str) -> bool:
    value = environment.get(variable, "").strip().lower()
    if value not in (*_YES, *_NO):
        raise _not_understood(
            variable, environment[variable], "Write 1, true or yes for on; 0, false or no for off."
        )
    return value in _YES


def _number(environment: Mapping[str, str], variable: str) -> int:
    value = environment[variable].strip()
    if not (value.isascii() and value.isdigit() and 1 <= int(value[:10]) <= _MOST):
        raise _not_understood(
            variable, environment[variable], f"Write a whole number from 1 to {_MOST:,}, without commas."
        )
    return int(value)


def _not_understood(variable: str, value: str, remedy: str) -> ServerSettingError:
    return ServerSettingError(f"The environment variable {variable} is {in_short(repr(value), 40)}. {remedy}")
