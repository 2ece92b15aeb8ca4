"""Which saved settings and choices this page allows: anybody may have written them."""

from dataclasses import replace

from bpeviz.errors import SavedSessionError, TrainingSettingsError
from bpeviz.limits import limits
from bpeviz.sessions.document import MOST_PATTERN_CHARACTERS, SavedRun, SavedSettings
from bpeviz.text.split_patterns import SPLIT_PATTERNS
from bpeviz.training.choice import check_choices
from bpeviz.training.recipes import RECIPES
from bpeviz.training.settings import CUSTOM_SPLIT, RECIPE_SPLIT, TrainingSettings
from bpeviz.training.start import Start

__all__ = ["MOST_SETTING", "allowed", "allowed_run"]

#: The greatest value of the settings that make no more to do.
MOST_SETTING = 1_000_000


def allowed(settings: SavedSettings, start: Start | None = None) -> TrainingSettings:
    """Return the settings if a person can choose them on this page; they begin with ``start``. Raises
    SavedSessionError."""
    if settings.recipe not in RECIPES:
        raise SavedSessionError(f"there is no recipe called {settings.recipe[:40]!r}")
    if settings.split not in (RECIPE_SPLIT, CUSTOM_SPLIT, *SPLIT_PATTERNS):
        raise SavedSessionError(f"there is no split pattern called {settings.split[:40]!r}")
    if not (least := 0 if start else 1) <= settings.num_merges <= limits().max_merges:
        raise SavedSessionError(f"merges go from {least} to {limits().max_merges:,} here")
    for name, value in (
        ("minimum frequency", settings.min_frequency),
        ("vocabulary size", settings.vocab_size),
        ("longest token", settings.max_token_length),
    ):
        if value is not None and not 1 <= value <= MOST_SETTING:
            raise SavedSessionError(f"the {name} goes from 1 to {MOST_SETTING:,}")
    if len(settings.custom_pattern) > MOST_PATTERN_CHARACTERS:
        raise SavedSessionError("its split pattern is too long")
    return settings.chosen(start)


def allowed_run(run: SavedRun, start: Start | None = None) -> TrainingSettings:
    """Return the settings of a run with its choices if a person can make them. Raises SavedSessionError."""
    settings = allowed(run.settings, start)
    try:
        check_choices(run.choices, None if start else settings.num_merges)
    except TrainingSettingsError as error:
        raise SavedSessionError(str(error).rstrip(".")) from None
    if any(not 0 <= token < 2**31 for choice in run.choices for token in choice.pair):
        raise SavedSessionError("its choices name tokens that can't exist")
    return replace(settings, choices=run.choices)
