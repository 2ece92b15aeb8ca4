"""The state of the corpus form."""

from dataclasses import dataclass, field, replace
from typing import Annotated, Literal

from bpeviz.corpus.corpus_files import CorpusFiles
from bpeviz.runs.run import NamedText
from bpeviz.runs.samples import SAMPLES
from bpeviz.storage.work_document import MOST_PATTERN_CHARACTERS, Number, SavedSettings, allowed
from bpeviz.training.settings import TrainingSettings
from bpeviz.ui.server.started_with import started_with
from bpeviz.ui.session.saved_fields import NAMED_TEXT, PASTED, SAMPLE, SAVED, SavedAs, Saving, one_of
from bpeviz.ui.session.uploaded_files import UploadedFiles

__all__ = ["MEGABYTES", "SOURCES", "CorpusFormState", "Source"]

Source = Literal["Paste", "Upload", "Sample", "Files"]
SOURCES: tuple[Source, ...] = ("Paste", "Upload", "Sample", "Files")
#: How much of the standard library a corpus can be.
MEGABYTES = (1, 2, 4, 8)


def _first_source() -> Source:
    return "Files" if started_with() else "Paste"


def _save_settings(settings: TrainingSettings, _: Saving) -> SavedSettings:
    """Return the settings to save; a pattern too long to train with is left out."""
    too_long = len(settings.custom_pattern) > MOST_PATTERN_CHARACTERS
    return SavedSettings.of(replace(settings, custom_pattern="") if too_long else settings)


SETTINGS = SavedAs(SavedSettings, _save_settings, lambda saved, _: allowed(saved))


@dataclass
class CorpusFormState:
    """The state of the corpus form.

    - ``open``: whether the form is open although there is a run;
    - ``source``, ``pasted``, ``sample``, ``library_megabytes``: where the corpus comes from;
    - ``uploaded``: the last upload, decoded; if it is large, ``large`` has its files, and ``uploads`` counts
      the uploads;
    - ``corpora``: the large corpora that were offered, by their digest, so that each is one object;
    - ``settings``: the training settings in the widgets;
    - ``declined``: settings whose training the person cancelled, so that it does not start again by itself;
    - ``renewals``: how often the widgets of the settings were replaced, to show other settings.
    """

    open: Annotated[bool, SAVED.named("choosing")] = False
    source: Annotated[Source, SAVED] = field(default_factory=_first_source)
    pasted: Annotated[str, PASTED] = ""
    sample: Annotated[str, SAMPLE] = next(iter(SAMPLES))
    library_megabytes: Annotated[int, one_of(MEGABYTES, Number)] = MEGABYTES[0]
    uploaded: Annotated[NamedText | None, NAMED_TEXT] = None
    large: UploadedFiles | None = None
    uploads: int = 0
    corpora: dict[str, NamedText] = field(default_factory=dict)
    settings: Annotated[TrainingSettings, SETTINGS] = field(default_factory=TrainingSettings)
    declined: TrainingSettings | None = None
    renewals: int = 0

    def corpus_of(self, files: CorpusFiles, owner: object = None) -> NamedText:
        """Return files as a corpus, the same object for the same files; it keeps their ``owner`` alive."""
        return self.corpora.setdefault(files.digest, NamedText.of_files(files, owner))

    def show(self, settings: TrainingSettings) -> None:
        """Show these settings in the widgets."""
        if self.settings != settings:
            self.renewals += 1
        self.settings, self.declined = settings, None
