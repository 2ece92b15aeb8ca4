"""How much one person may ask of the machine that runs the page: one place for every limit the page states.

``BPEVIZ_HOSTED=1`` in the environment is for a server that strangers use, where one person's work must leave
room for the others'; without it the page serves whoever started it. How large an upload and a message may be,
the server itself is told too, in .streamlit/config.toml.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache

from bpeviz.errors import ServerSettingError

__all__ = ["DAYS", "HOSTED", "MEGABYTES", "Limits", "limits", "read_limits"]

#: The environment variables.
HOSTED, MEGABYTES, DAYS = "BPEVIZ_HOSTED", "BPEVIZ_SAVED_MEGABYTES", "BPEVIZ_SAVED_DAYS"

_YES, _NO = ("1", "true", "yes"), ("0", "false", "no", "")
_MOST = 1_000_000


@dataclass(frozen=True)
class Limits:
    """What the page takes and keeps; sizes in bytes.

    - ``hosted``: whether strangers use the server;
    - ``max_text_bytes``: of a text to train on, or to compare tokenizers on;
    - ``max_merges``: of one training;
    - ``kept_runs``, ``kept_bytes``: the runs of one session, and their texts taken together;
    - ``split_timeout_seconds``: for a person's own split pattern, each time that it splits a text;
    - ``max_upload_bytes``: of one uploaded file;
    - ``recent_listed``: whether saved work is listed to whoever opens the page, and not only found by its
      address;
    - ``work_bytes``: of one person's saved work; ``total_saved_bytes``: of everybody's;
    - ``saved_age_days``: how long saved work is kept after its last change.
    """

    hosted: bool
    max_text_bytes: int
    max_merges: int
    kept_runs: int
    kept_bytes: int
    split_timeout_seconds: float
    max_upload_bytes: int
    recent_listed: bool
    work_bytes: int
    total_saved_bytes: int
    saved_age_days: int

    @property
    def max_text_megabytes(self) -> int:
        """``max_text_bytes`` as the page says it."""
        return self.max_text_bytes // 1_000_000


_LOCAL = Limits(
    hosted=False,
    max_text_bytes=8_000_000,
    max_merges=20_000,
    kept_runs=8,
    kept_bytes=32_000_000,
    split_timeout_seconds=10.0,
    max_upload_bytes=16 * 1024 * 1024,
    recent_listed=True,
    work_bytes=100_000_000,
    total_saved_bytes=2_000_000_000,
    saved_age_days=365,
)
_HOSTED = replace(
    _LOCAL,
    hosted=True,
    max_text_bytes=2_000_000,
    max_merges=5_000,
    kept_runs=4,
    kept_bytes=8_000_000,
    split_timeout_seconds=2.0,
    recent_listed=False,
    work_bytes=25_000_000,
    total_saved_bytes=1_000_000_000,
    saved_age_days=30,
)


def read_limits(environment: Mapping[str, str]) -> Limits:
    """The limits that an environment asks for. Raises ServerSettingError for a value that says nothing."""
    found = _HOSTED if _is_yes(environment, HOSTED) else _LOCAL
    if MEGABYTES in environment:
        found = replace(found, total_saved_bytes=_number(environment, MEGABYTES) * 1_000_000)
    if DAYS in environment:
        found = replace(found, saved_age_days=_number(environment, DAYS))
    return found


@cache
def limits() -> Limits:
    """The limits of this server, read from its environment once. Raises ServerSettingError."""
    return read_limits(os.environ)


def _is_yes(environment: Mapping[str, str], variable: str) -> bool:
    value = environment.get(variable, "").strip().lower()
    if value not in (*_YES, *_NO):
        raise ServerSettingError(
            variable,
            environment[variable],
            "Write 1, true or yes for a public server; 0, false or no for none.",
        )
    return value in _YES


def _number(environment: Mapping[str, str], variable: str) -> int:
    value = environment[variable].strip()
    if not (value.isascii() and value.isdigit() and 1 <= int(value[:10]) <= _MOST):
        raise ServerSettingError(
            variable, environment[variable], f"Write a whole number from 1 to {_MOST:,}, without commas."
        )
    return int(value)
