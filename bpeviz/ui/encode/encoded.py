"""An encoded text, as the parts of the page show it."""

from dataclasses import dataclass

from bpeviz.cached import cached_property
from bpeviz.errors import CorpusError
from bpeviz.limits import limits
from bpeviz.tokenizer.encoding import PreTokenEncoding
from bpeviz.tokenizer.special_search import AllowedSpecial
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.ui.server.long_text import byte_length
from bpeviz.words import counted

__all__ = ["Encoded", "check_counted"]


@dataclass(frozen=True)
class Encoded:
    """An encoded text: the tokenizer with its key and name, the text, which special tokens are allowed, and
    each pre-token."""

    key: str
    name: str
    tokenizer: Tokenizer
    text: str
    allowed_special: AllowedSpecial
    pre_tokens: list[PreTokenEncoding]

    @property
    def ids(self) -> list[int]:
        return [token_id for pre_token in self.pre_tokens for token_id in pre_token.ids]

    @cached_property
    def _bytes(self) -> bytes:
        return self.text.encode("utf-8")

    def word_at(self, place: int) -> str:
        """Return the text of a pre-token; empty if there is none at this place."""
        if not 0 <= place < len(self.pre_tokens):
            return ""
        pre_token = self.pre_tokens[place]
        return self._bytes[pre_token.start : pre_token.end].decode("utf-8", "replace")

    @property
    def longest(self) -> int:
        """The place of the pre-token of several tokens with the most symbols; the first if there is none."""
        several = [place for place, word in enumerate(self.pre_tokens) if len(word.ids) > 1]
        return max(several, key=lambda place: len(self.pre_tokens[place].symbols), default=0)


def check_counted(text: str, name: str = "The text to encode") -> int:
    """Return how many bytes a text has. Raises CorpusError if the page can't count its tokens."""
    size, most = byte_length(text), limits().max_counted_bytes
    if size > most:
        raise CorpusError(
            f"{name} has {len(text):,} characters, {counted(size - most, 'byte')} more than the "
            f"{most:,} whose tokens this page counts. Upload it as a file on “Compare”, or shorten it."
        )
    return size
