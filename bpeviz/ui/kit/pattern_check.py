"""What the person's own split pattern does with their text, shown while they type it.

The rest of the page learns of a pattern when the person leaves the field: a key must not train again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import streamlit as st

from bpeviz.corpus.corpus import Corpus
from bpeviz.errors import BpevizError, SplitPatternBusyError
from bpeviz.formats.writing import FILE_FORMATS, refusal
from bpeviz.limits import limits
from bpeviz.text.pattern_check import CATCH_ALL, CHECKED_CHARACTERS, PatternCheck, Piece, check_split_pattern
from bpeviz.text.split_patterns import SplitPattern, get_split_pattern
from bpeviz.text.token_text import token_hue, visible
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.training.recipes import get_recipe
from bpeviz.training.settings import CUSTOM_SPLIT, TrainingSettings
from bpeviz.ui.kit.parts import mount_part
from bpeviz.ui.kit.split_fields import pattern_key
from bpeviz.ui.kit.words import escape
from bpeviz.ui.session.session import Session, session
from bpeviz.ui.session.session_cache import session_cache
from bpeviz.words import counted

__all__ = ["pattern_check", "typed_pattern"]

PIECE_CHARACTERS = 40

#: Has letters, digits, spaces and more, to find out which files can hold a tokenizer with a pattern.
SAMPLE = "The cat's 3 hats cost $9.50:\nnaïve cafés, 灯台, 🚢."


def pattern_check(state: Session, text: str) -> None:
    """Show the check of the pattern in the fields of the settings, if it is the person's own, on ``text``."""
    if state.form.settings.split == CUSTOM_SPLIT:
        _check(state.form.settings, state.form.renewals, text[: CHECKED_CHARACTERS + 1])


@st.fragment
def _check(settings: TrainingSettings, renewals: int, text: str) -> None:
    key, field = f"pattern_check-{renewals}", pattern_key(renewals)
    # A longer one than a pattern may be gets its own verdict: that on the pattern before is not about it.
    typed = typed_pattern(st.session_state.get(key), limits().kept_typed_characters)
    pattern = settings.custom_pattern if typed is None else typed
    if not pattern:
        _mount_check(key=key, field=field, said="Type a pattern: you see here how it cuts your text.")
        return
    checked = _kept_check(pattern, text)
    if isinstance(checked, str):
        _mount_check(key=key, field=field, said=checked, bad=True)
        return
    _mount_check(
        key=key,
        field=field,
        said=_said(checked, text),
        bad=bool(checked.missed),
        pieces=checked.pieces,
        formats=_formats(settings.recipe_name, pattern),
    )
    adds = escape(f"Add a catch-all: {CATCH_ALL}")
    if checked.repaired and st.button(adds, icon=":material/add:", key=f"{key}-repair"):
        form = session().form
        form.show(replace(form.settings, custom_pattern=checked.repaired))
        st.rerun(scope="app")


def _kept_check(pattern: str, text: str) -> PatternCheck | str:
    """Return what the pattern does, or why it can't be used; checked once, unless it can't be checked now."""
    try:
        return session_cache().get(("pattern", pattern, text), lambda: _checked(pattern, text))
    except SplitPatternBusyError as error:
        return str(error)


def _checked(pattern: str, text: str) -> PatternCheck | str:
    """Return what the pattern does, or why it can't be used. Raises SplitPatternBusyError."""
    try:
        return check_split_pattern(pattern, text)
    except SplitPatternBusyError:
        raise
    except BpevizError as error:
        return str(error)


def _said(checked: PatternCheck, text: str) -> str:
    """Return a verdict in a sentence or two."""
    where = f" of the first {CHECKED_CHARACTERS:,}" if len(text) > CHECKED_CHARACTERS else ""
    if not checked.missed:
        return f"{counted(checked.pre_tokens, 'pre-token')}. The pattern covers every character{where}."
    such = ", ".join(visible(example.encode("utf-8", "surrogatepass")) for example in checked.examples)
    missed = counted(checked.missed, "character")
    return f"Misses {missed}{where}, such as {such}. A pattern must cover every character."


def _formats(recipe_name: str, pattern: str) -> str:
    """Which files can hold a tokenizer of this recipe with this pattern, and which the pattern rules out."""
    recipe = get_recipe(recipe_name)
    base = recipe.base_vocabulary(Corpus.from_text(SAMPLE, split="none"), ())
    own = Tokenizer(base, [], split=get_split_pattern(recipe.split))
    custom = Tokenizer(base, [], split=SplitPattern(CUSTOM_SPLIT, pattern))
    reasons = {name: refusal(custom, name) for name in FILE_FORMATS}
    titles = [FILE_FORMATS[name].title for name, why in reasons.items() if not why]
    sentences = [f"Can be saved as {_listed(titles)}." if titles else "No file format can hold this pattern."]
    sentences += [
        f"Not as {FILE_FORMATS[name].title}: {why}"
        for name, why in reasons.items()
        if why and not refusal(own, name)
    ]
    return " ".join(sentences)


def _listed(names: list[str]) -> str:
    return " or ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]


def typed_pattern(state: object, most: int) -> str | None:
    """Return what the browser reports as typed; None if it reports nothing of at most so many characters."""
    typed = state.get("typed") if isinstance(state, Mapping) else None
    return typed if isinstance(typed, str) and len(typed) <= most else None


def _mount_check(
    *, key: str, field: str, said: str, bad: bool = False, pieces: Sequence[Piece] = (), formats: str = ""
) -> None:
    """Show what was found about the pattern in the text field with the key ``field``: a sentence, which is a
    warning if ``bad``, the first pieces of the text, and a sentence on ``formats``."""
    data = {
        "field": f"st-key-{field}",
        "said": said,
        "bad": bad,
        "pieces": [_packed(piece) for piece in pieces],
        "formats": formats,
    }
    mount_part("pattern_check", key=key, data=data, on_typed_change=lambda: None)


def _packed(piece: Piece) -> tuple[str, int, bool]:
    encoded = piece.text.encode("utf-8", "surrogatepass")
    return visible(encoded, PIECE_CHARACTERS), token_hue(encoded), piece.covered
