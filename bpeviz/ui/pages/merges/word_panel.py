"""The panel "Word": how a picked word grows into its tokens, here and in GPT-2."""

from bpeviz.errors import BpevizError
from bpeviz.formats.pretrained import load_pretrained
from bpeviz.runs.run import Run
from bpeviz.ui.components.biography.biography import grown, mount_biography, pack_biography
from bpeviz.ui.widgets.markdown import show_error

__all__ = ["word_panel"]


def word_panel(run: Run, word: str) -> None:
    """Show how ``word`` grows in the run and in GPT-2; without a word, how to pick one.

    The component is there without a word too: the player looks for it to know that clicked words are wanted.
    """
    growths = []
    if word:
        try:
            growths.append(grown(run.name, run.tokenizer, word))
            growths.append(grown("GPT-2", load_pretrained("gpt2"), word))
        except BpevizError as error:
            show_error(error)
    mount_biography(pack_biography(word, growths, follows=run.number), key="word")
