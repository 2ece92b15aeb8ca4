"""The state of the corpus form."""

from dataclasses import dataclass, field, replace
from typing import Annotated, Literal

from bpeviz.runs.run import NamedText
from bpeviz.runs.samples import SAMPLES
from bpeviz.storage.work_document import MOST_PATTERN_CHARACTERS, Number, SavedSettings, allowed
from bpeviz.training.settings import TrainingSettings
from bpeviz.ui.session.saved_fields import NAMED_TEXT, PASTED, SAMPLE, SAVED, SavedAs, Saving, one_of

__all__ = ["MEGABYTES", "SOURCES", "CorpusFormState", "Source"]

Source = Literal["Paste", "Upload", "Sample"]
SOURCES: tuple[Source, ...] = ("Paste", "Upload", "Sample")
#: How much of the standard library a corpus can be.
MEGABYTES = (1, 2, 4, 8)


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
    - ``uploaded``: the last upload, decoded;
    - ``settings``: the training settings in the widgets;
    - ``declined``: settings whose training the person cancelled, so that it does not start again by itself;
    - ``renewals``: how often the widgets of the settings were replaced, to show other settings.
    """

    open: Annotated[bool, SAVED.named("choosing")] = False
    source: Annotated[Source, SAVED] = "Paste"
    pasted: Annotated[str, PASTED] = ""
    sample: Annotated[str, SAMPLE] = next(iter(SAMPLES))
    library_megabytes: Annotated[int, one_of(MEGABYTES, Number)] = MEGABYTES[0]
    uploaded: Annotated[NamedText | None, NAMED_TEXT] = None
    settings: Annotated[TrainingSettings, SETTINGS] = field(default_factory=TrainingSettings)
    declined: TrainingSettings | None = None
    renewals: int = 0

    def show(self, settings: TrainingSettings) -> None:
        """Show these settings in the widgets."""
        if self.settings != settings:
            self.renewals += 1
        self.settings, self.declined = settings, None
