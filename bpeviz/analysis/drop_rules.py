"""Which tokens a rule drops: those that a text never needs, long ones, those of a script.

    DropRule(never_used_in="the cat")      not "the", and not "th", of which "the" is made

What falls with them: bpeviz.tokenizer.trimming.
"""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from bpeviz.analysis.text_statistics import token_scripts
from bpeviz.errors import TokenizerError
from bpeviz.text.unicode_scripts import SCRIPTS
from bpeviz.text.utf8 import text_of
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.tokenizer.trimming import Trimming
from bpeviz.words import in_short

__all__ = ["DropRule", "tokens_of_rule"]


@dataclass(frozen=True)
class DropRule:
    """What tokens have in common that are dropped; of several conditions they meet all.

    - ``never_used_in``: a text whose encoding neither has the token nor makes it on the way to another one;
    - ``longer_than``: this many bytes;
    - ``script``: that of the first letter, such as "Han", of a token of whole characters.
    """

    never_used_in: str | None = None
    longer_than: int | None = None
    script: str | None = None

    @property
    def says_something(self) -> bool:
        """Whether it has a condition. Without one it drops nothing."""
        return self != DropRule()


def tokens_of_rule(tokenizer: Tokenizer, trimming: Trimming, rule: DropRule) -> frozenset[int]:
    """Return the ids of the tokens that a rule drops: no base symbols and no special tokens. Raises
    TokenizerError for an unknown script, and what encoding the text raises."""
    if not rule.says_something:
        return frozenset()
    chosen = trimming.droppable
    if rule.longer_than is not None:
        chosen = frozenset(i for i in chosen if len(tokenizer.token_bytes(i)) > rule.longer_than)
    if rule.script is not None:
        chosen = _of_script(tokenizer, chosen, rule.script)
    if rule.never_used_in is not None:
        chosen -= trimming.needed_for(set(tokenizer.encode(rule.never_used_in)))
    return chosen


def _of_script(tokenizer: Tokenizer, ids: Collection[int], script: str) -> frozenset[int]:
    """Return the tokens of a script. Raises TokenizerError."""
    named = {name.casefold(): number for number, name in enumerate(SCRIPTS)}
    number = named.get(script.replace("_", " ").casefold())
    if number is None:
        raise TokenizerError(
            f"There is no script {in_short(repr(script), 40)}. Write its name in Unicode, such as Latin, "
            "Han, Cyrillic or Common."
        )
    texts = {i: text for i in ids if (text := text_of(tokenizer.token_bytes(i)))}
    found = token_scripts(list(texts.values())) == number
    return frozenset(np.array(list(texts), np.int64)[found].tolist())
