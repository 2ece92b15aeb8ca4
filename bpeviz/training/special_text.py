"""What to say if a training learned pieces of a special token, because its text holds the token as text.

    text "<|im_start|>user …", begun with a chat model's tokenizer      new tokens "<|", "|>"

Special tokens are text for an encoding unless its caller allows them, and so they are for a training. Most
people who train on chats don't want that.
"""

from bpeviz.corpus.special_tokens import uncut_special_token
from bpeviz.training.result import TrainingResult
from bpeviz.words import in_short

__all__ = ["special_text"]


def special_text(result: TrainingResult) -> str:
    """Return a sentence that names a special token whose pieces the new merges of a training learned; empty
    if there is none.

    A piece is a token of two characters or more that isn't only letters and digits: "start" may be learned
    from any text. A corpus keeps no text, so the sentence doesn't claim that the token is there.
    """
    if result.start is None:
        return ""
    new = {step.token.decode("utf-8", "ignore").strip() for step in result.new_steps}
    learned = sorted(token for token in new if len(token) > 1 and not token.isalnum())
    for token in result.start.special_tokens:
        pieces = [piece for piece in learned if piece in token]
        if (
            token not in result.start.found_always
            and pieces
            and uncut_special_token(result.corpus, [token]) is not None
        ):
            shown = " and ".join(in_short(repr(piece)) for piece in pieces[:2])
            return (
                f"The text seems to hold the special token {in_short(repr(token))} as text: new merges made "
                f"{shown} of it. Take it out of the text if it isn't meant as text."
            )
    return ""
