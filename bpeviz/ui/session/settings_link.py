"""Links with settings and a sample or a short text: they need no saved session, and work on any server.

?sample=DNA+repeats&recipe=minbpe&merges=40&step=12
?sample=DNA+repeats&merges=20000&size=300&longest=4&special=["<s>"]
?sample=English+prose&begin=gpt2&merges=100
?text=low+lower+lowest&merges=5&embed=true
"""

from collections.abc import Mapping
from urllib.parse import urlencode

import msgspec

from bpeviz.decoders import json_decoder
from bpeviz.errors import SavedSessionError
from bpeviz.formats.pretrained import PRETRAINED, load_pretrained, pretrained_name
from bpeviz.runs.run import NamedText, Run
from bpeviz.runs.samples import MEGABYTES, SAMPLES, STANDARD_LIBRARY, read_sample
from bpeviz.sessions.allowed import allowed
from bpeviz.sessions.document import SavedRun, SavedSettings, SavedText, SpecialTokens
from bpeviz.training.settings import CUSTOM_SPLIT, RECIPE_SPLIT, TrainingSettings
from bpeviz.training.start import Start
from bpeviz.ui.session.describe import describe
from bpeviz.ui.session.form import YOUR_TEXT, FormState
from bpeviz.ui.session.saving_state import Digests, SessionToOpen
from bpeviz.ui.session.session import Session

__all__ = ["MOST_TEXT_BYTES", "asks_for_settings", "read_settings_link", "write_settings_link"]

SAMPLE, TEXT = "sample", "text"
#: Longer addresses are cut by some mail programs and servers.
MOST_TEXT_BYTES = 2_000


def asks_for_settings(parameters: Mapping[str, str]) -> bool:
    """Tell whether an address has settings."""
    return SAMPLE in parameters or TEXT in parameters


def write_settings_link(state: Session, run: Run) -> str | None:
    """Return the parameters for a run at the step on show; None for a fork, for a run that begins with a
    tokenizer that isn't built in, and for a text that is no sample and longer than MOST_TEXT_BYTES."""
    text = None if run.choices else _sample_fields(run) or _text_fields(run)
    if text is None or (run.start and run.start.key not in PRETRAINED):
        return None
    settings = run.settings
    own_split = settings.split != RECIPE_SPLIT
    fields = {
        **text,
        "begin": run.start.key if run.start else "",
        "recipe": settings.recipe_name,
        "split": settings.split if own_split else "",
        "pattern": settings.custom_pattern if settings.split == CUSTOM_SPLIT else "",
        "lines": "1" if settings.by_line else "",
        "merges": str(settings.num_merges),
        "fewest": str(settings.min_frequency),
        "size": _written(settings.vocab_size),
        "longest": _written(settings.max_token_length),
        "special": _written(settings.special_tokens),
        "step": str(state.step),
    }
    return urlencode({name: value for name, value in fields.items() if value})


def _sample_fields(run: Run) -> dict[str, str] | None:
    """Return the parameters for the text of a run; None if it is no sample."""
    title, text = run.corpus.name, run.corpus.text
    if title not in SAMPLES:
        return None
    megabytes = next((m for m in MEGABYTES if read_sample(title, m * 1_000_000) == text), None)
    if megabytes is None:
        return None
    return {SAMPLE: title, "megabytes": str(megabytes) if title == STANDARD_LIBRARY.title else ""}


def _text_fields(run: Run) -> dict[str, str] | None:
    """Return the parameter for the text of a run; None if it is too long for an address."""
    return {TEXT: run.corpus.text} if run.corpus.trained_bytes <= MOST_TEXT_BYTES else None


def read_settings_link(parameters: Mapping[str, str]) -> SessionToOpen:
    """Return the session that an address asks for. Raises SavedSessionError if this page doesn't have it."""
    text = _asked_text(parameters)
    usual = SavedSettings()
    split = parameters.get("split", usual.split)
    start = _start(parameters["begin"]) if "begin" in parameters else None
    settings = allowed(
        SavedSettings(
            recipe=parameters.get("recipe", usual.recipe),
            split=split,
            custom_pattern=parameters.get("pattern", "") if split == CUSTOM_SPLIT else "",
            by_line=parameters.get("lines") == "1",
            num_merges=_number(parameters, "merges", 0 if start else usual.num_merges),
            min_frequency=_number(parameters, "fewest", usual.min_frequency),
            vocab_size=_number(parameters, "size", 0) if "size" in parameters else None,
            special_tokens=_special_tokens(parameters["special"]) if "special" in parameters else None,
            max_token_length=_number(parameters, "longest", 0) if "longest" in parameters else None,
            start=start.key if start else "",
        ),
        start,
    )
    return _session_of(text, settings, _number(parameters, "step", 0))


def _start(name: str) -> Start:
    """Return the built-in tokenizer that a run begins with."""
    if name not in PRETRAINED:
        raise SavedSessionError(f"a run begins with {', '.join(PRETRAINED)}, not {name[:40]!r}")
    return Start(name, pretrained_name(name), load_pretrained(name))


def _asked_text(parameters: Mapping[str, str]) -> NamedText:
    """Return the text of an address: its sample, or else the text in it."""
    if (title := parameters.get(SAMPLE)) is None:
        text = parameters[TEXT]
        if not text or len(text.encode("utf-8", "surrogatepass")) > MOST_TEXT_BYTES:
            raise SavedSessionError(f"a text in an address has 1 to {MOST_TEXT_BYTES:,} bytes")
        return NamedText(YOUR_TEXT, text)
    if title not in SAMPLES:
        raise SavedSessionError(f"there is no sample called {title[:40]!r}")
    megabytes = _number(parameters, "megabytes", 1)
    if megabytes not in MEGABYTES:
        raise SavedSessionError("megabytes are 1, 2, 4 or 8")
    return NamedText(title, read_sample(title, megabytes * 1_000_000))


def _session_of(corpus: NamedText, settings: TrainingSettings, step: int) -> SessionToOpen:
    digest = Digests().of(corpus.text)
    form = FormState(typed=corpus.text if corpus.name == YOUR_TEXT else "", settings=settings)
    run = SavedRun(1, settings.recipe_name, SavedText(corpus.name, digest), SavedSettings.of(settings))
    document, _ = describe(Session(form=form, step=step), Digests())
    document = msgspec.structs.replace(document, runs=(run,))
    return SessionToOpen(document, {digest: corpus.text})


def _written(value: object) -> str:
    return "" if value is None else msgspec.json.encode(value).decode()


def _special_tokens(written: str) -> tuple[str, ...]:
    try:
        tokens: tuple[str, ...] = json_decoder(SpecialTokens).decode(written)
        return tokens
    except msgspec.MsgspecError:
        raise SavedSessionError('special is a list of up to 64 texts, such as ["<s>"]') from None


def _number(parameters: Mapping[str, str], name: str, usual: int) -> int:
    value = parameters.get(name, str(usual))
    if not (value.isascii() and value.isdigit() and len(value) <= 9):
        raise SavedSessionError(f"{name} is a whole number, not {value[:40]!r}")
    return int(value)
