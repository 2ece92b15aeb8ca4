"""The state of the corpus form."""

from dataclasses import dataclass, field, replace
from typing import Annotated, Literal

import msgspec

from bpeviz.corpus.corpus_files import CorpusFiles
from bpeviz.runs.run import NamedText
from bpeviz.runs.samples import SAMPLES
from bpeviz.runs.typed_text import fits
from bpeviz.storage.errors import WorkDocumentError
from bpeviz.storage.work_document import MOST_PATTERN_CHARACTERS, Digest, Number, SavedSettings, allowed
from bpeviz.training.settings import TrainingSettings
from bpeviz.ui.server.started_with import started_with
from bpeviz.ui.session.saved_fields import (
    NAMED_TEXT,
    PASTED,
    SAMPLE,
    SAVED,
    Restoring,
    SavedAs,
    Saving,
    one_of,
)
from bpeviz.ui.session.uploaded_files import UploadedFiles

__all__ = ["MEGABYTES", "SOURCES", "YOUR_TEXT", "CorpusFormState", "Source"]

Source = Literal["Paste", "Upload", "Sample", "Files"]
SOURCES: tuple[Source, ...] = ("Paste", "Upload", "Sample", "Files")
#: The name of the text in the field beside the player.
YOUR_TEXT = "your text"
#: How much of the standard library a corpus can be.
MEGABYTES = (1, 2, 4, 8)


def _first_source() -> Source:
    return "Files" if started_with() else "Paste"


def _save_settings(settings: TrainingSettings, _: Saving) -> SavedSettings:
    """Return the settings to save; a pattern too long to train with is left out."""
    too_long = len(settings.custom_pattern) > MOST_PATTERN_CHARACTERS
    return SavedSettings.of(replace(settings, custom_pattern="") if too_long else settings)


SETTINGS = SavedAs(SavedSettings, _save_settings, lambda saved, _: allowed(saved))


def _save_typed(text: str, saving: Saving) -> str | msgspec.UnsetType:
    return saving.digests.of(text) if text else msgspec.UNSET


def _restore_typed(digest: str, restoring: Restoring) -> str:
    """Return the text in the field. Raises WorkDocumentError for one that the field doesn't take."""
    text = restoring.text(digest)
    if not fits(text):
        raise WorkDocumentError("the text in the field is too long")
    return text


TYPED = SavedAs(Digest, _save_typed, _restore_typed)


@dataclass
class CorpusFormState:
    """The state of the corpus form.

    - ``open``: whether the form is open although there is a run; ``seen``: whether it was ever open;
    - ``source``, ``pasted``, ``sample``, ``library_megabytes``: where the corpus comes from;
    - ``typed``: the text in the field beside the player; ``problem``: why it has no run;
    - ``wanted``: the text to train on next;
    - ``uploaded``: the last upload, decoded; if it is large, ``large`` has its files, and ``uploads`` counts
      the uploads, and ``drops`` those dropped on the page;
    - ``corpora``: the large corpora that were offered, by their digest, so that each is one object;
    - ``settings``: the training settings in the widgets;
    - ``declined``: settings whose training the person cancelled, so that it does not start again by itself;
    - ``renewals``: how often the widgets of the settings were replaced, to show other settings.
    """

    open: Annotated[bool, SAVED.named("choosing")] = False
    seen: bool = False
    source: Annotated[Source, SAVED] = field(default_factory=_first_source)
    pasted: Annotated[str, PASTED] = ""
    sample: Annotated[str, SAMPLE] = next(iter(SAMPLES))
    library_megabytes: Annotated[int, one_of(MEGABYTES, Number)] = MEGABYTES[0]
    typed: Annotated[str, TYPED] = ""
    problem: str = ""
    wanted: NamedText | None = None
    uploaded: Annotated[NamedText | None, NAMED_TEXT] = None
    large: UploadedFiles | None = None
    uploads: int = 0
    drops: int = 0
    corpora: dict[str, NamedText] = field(default_factory=dict)
    settings: Annotated[TrainingSettings, SETTINGS] = field(default_factory=TrainingSettings)
    declined: TrainingSettings | None = None
    renewals: int = 0

    def corpus_of(self, files: CorpusFiles, owner: object = None) -> NamedText:
        """Return files as a corpus, the same object for the same files; it keeps their ``owner`` alive."""
        return self.corpora.setdefault(files.digest, NamedText.of_files(files, owner))

    def forget_wanted(self) -> None:
        """Don't train on the text that was to be trained on next."""
        self.wanted = None

    def forget_upload(self) -> None:
        """Drop the uploaded text or files."""
        self.uploaded = self.large = None
        self.corpora.clear()

    def show(self, settings: TrainingSettings) -> None:
        """Show these settings in the widgets."""
        if self.settings != settings:
            self.renewals += 1
        self.settings, self.declined = settings, None
