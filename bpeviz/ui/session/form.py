"""The state of the fields for the text and the rules."""

from dataclasses import dataclass, field
from itertools import count

from bpeviz.corpus.corpus_files import CorpusFiles
from bpeviz.runs.run import NamedText
from bpeviz.training.settings import TrainingSettings

__all__ = ["YOUR_TEXT", "FormState"]

#: The name of the text in the field.
YOUR_TEXT = "your text"

_requests = count(1)


@dataclass
class FormState:
    """The state of the fields for the text and the rules.

    - ``typed``: the text in the field; ``problem``: why it has no run;
    - ``wanted``: the text to train on next; ``wanted_sample``: the sample to read for it, and its megabytes;
    - ``chosen``: how often a text was chosen or dropped: each time the menu closes and the field for files is
      empty again; ``replaces``: whether U+FFFD stands for the invalid bytes of files;
    - ``asked``: the number of the last request to open the menu with the cursor in its field, which no other
      request has in any session, 0 before the first;
    - ``corpora``: the large corpora that were offered, by their digest, so that each is one object;
    - ``settings``: the training settings in the widgets;
    - ``declined``: settings whose training the person cancelled, so that it does not start again by itself;
    - ``renewals``: how often the widgets of the settings were replaced, to show other settings.
    """

    typed: str = ""
    problem: str = ""
    wanted: NamedText | None = None
    wanted_sample: tuple[str, int] | None = None
    chosen: int = 0
    replaces: bool = False
    asked: int = 0
    corpora: dict[str, NamedText] = field(default_factory=dict)
    settings: TrainingSettings = field(default_factory=TrainingSettings)
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

    def ask_for_text(self) -> None:
        """Open the menu, with the cursor in its field, when the main page is drawn next."""
        self.asked = next(_requests)

    def show(self, settings: TrainingSettings) -> None:
        """Show these settings in the widgets."""
        if self.settings != settings:
            self.renewals += 1
        self.settings, self.declined = settings, None
