"""The state of the fields for the text and the rules."""

from dataclasses import dataclass, field, replace
from typing import Annotated

import msgspec

from bpeviz.corpus.corpus_files import CorpusFiles
from bpeviz.runs.run import NamedText
from bpeviz.runs.typed_text import fits
from bpeviz.sessions.document import MOST_PATTERN_CHARACTERS, Digest, SavedSettings, allowed
from bpeviz.sessions.errors import SavedSessionError
from bpeviz.training.settings import TrainingSettings
from bpeviz.ui.session.saved_fields import Restoring, SavedAs, Saving

__all__ = ["YOUR_TEXT", "FormState"]

#: The name of the text in the field.
YOUR_TEXT = "your text"


def _save_settings(settings: TrainingSettings, _: Saving) -> SavedSettings:
    """Return the settings to save; a pattern too long to train with is left out."""
    too_long = len(settings.custom_pattern) > MOST_PATTERN_CHARACTERS
    return SavedSettings.of(replace(settings, custom_pattern="") if too_long else settings)


SETTINGS = SavedAs(SavedSettings, _save_settings, lambda saved, _: allowed(saved))


def _save_typed(text: str, saving: Saving) -> str | msgspec.UnsetType:
    return saving.digests.of(text) if text else msgspec.UNSET


def _restore_typed(digest: str, restoring: Restoring) -> str:
    """Return the text in the field. Raises SavedSessionError for one that the field doesn't take."""
    text = restoring.text(digest)
    if not fits(text):
        raise SavedSessionError("the text in the field is too long")
    return text


TYPED = SavedAs(Digest, _save_typed, _restore_typed)


@dataclass
class FormState:
    """The state of the fields for the text and the rules.

    - ``typed``: the text in the field; ``problem``: why it has no run;
    - ``wanted``: the text to train on next; ``wanted_sample``: the sample to read for it, and its megabytes;
    - ``chosen``: how often a text was chosen or dropped: each time the menu closes and the field for files is
      empty again; ``replaces``: whether U+FFFD stands for the invalid bytes of files;
    - ``corpora``: the large corpora that were offered, by their digest, so that each is one object;
    - ``settings``: the training settings in the widgets;
    - ``declined``: settings whose training the person cancelled, so that it does not start again by itself;
    - ``renewals``: how often the widgets of the settings were replaced, to show other settings.
    """

    typed: Annotated[str, TYPED] = ""
    problem: str = ""
    wanted: NamedText | None = None
    wanted_sample: tuple[str, int] | None = None
    chosen: int = 0
    replaces: bool = False
    corpora: dict[str, NamedText] = field(default_factory=dict)
    settings: Annotated[TrainingSettings, SETTINGS] = field(default_factory=TrainingSettings)
    declined: TrainingSettings | None = None
    renewals: int = 0

    def corpus_of(self, files: CorpusFiles, owner: object = None) -> NamedText:
        """Return files as a corpus, the same object for the same files; it keeps their ``owner`` alive."""
        return self.corpora.setdefault(files.digest, NamedText.of_files(files, owner))

    def choose_text(self, text: NamedText) -> None:
        """Train on a text that the person chose or dropped."""
        self.wanted = text
        self.chosen += 1

    def choose_sample(self, title: str, megabytes: int) -> None:
        """Train on a sample, of which only large ones have a size to choose."""
        self.wanted_sample = title, megabytes
        self.chosen += 1

    def show(self, settings: TrainingSettings) -> None:
        """Show these settings in the widgets."""
        if self.settings != settings:
            self.renewals += 1
        self.settings, self.declined = settings, None
