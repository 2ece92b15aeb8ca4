"""The fields of the corpus form, as they are now: they outlive the widgets."""

from dataclasses import dataclass, field
from typing import Literal

from bpeviz.runs.run import NamedText
from bpeviz.runs.samples import SAMPLES
from bpeviz.training.settings import TrainingSettings

__all__ = ["SOURCES", "CorpusFormState", "Source"]

Source = Literal["Paste", "Upload", "Sample"]
SOURCES: tuple[Source, ...] = ("Paste", "Upload", "Sample")


@dataclass
class CorpusFormState:
    """The state of the corpus form.

    - ``open``: whether the form is open although there is a run;
    - ``source``, ``pasted``, ``sample``, ``library_megabytes``: where the corpus comes from, as last chosen;
    - ``uploaded``: what was uploaded last, decoded;
    - ``settings``: the training settings in the widgets;
    - ``declined``: changed settings whose training was begun and not finished, so that it does not begin
      again by itself;
    - ``renewals``: how often the widgets of the settings were replaced, because others were to be shown.
    """

    open: bool = False
    source: Source = "Paste"
    pasted: str = ""
    sample: str = next(iter(SAMPLES))
    library_megabytes: int = 1
    uploaded: NamedText | None = None
    settings: TrainingSettings = field(default_factory=TrainingSettings)
    declined: TrainingSettings | None = None
    renewals: int = 0

    def show(self, settings: TrainingSettings) -> None:
        """Have the widgets show these settings."""
        if self.settings != settings:
            self.renewals += 1
        self.settings, self.declined = settings, None
