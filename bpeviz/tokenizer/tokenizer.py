"""Tokenizer: text to token ids and back. How it encodes is in its base class, bpeviz.tokenizer.encoder.

    encode   text -> pre-tokens -> base symbols -> merges -> ids
    decode   ids -> bytes -> text

bpeviz.formats saves and loads.
"""

from collections.abc import Collection, Iterable, Sequence
from os import PathLike
from typing import Any, ClassVar, Protocol

from bpeviz.core.base_vocabulary import BaseVocabulary, CharacterVocabulary
from bpeviz.core.whole_numbers import number_of_merges
from bpeviz.errors import TokenizerError
from bpeviz.pipelines import running
from bpeviz.pipelines.renumbering import renumbered
from bpeviz.shown import PlayerPage, player_of
from bpeviz.text.split_patterns import SplitPattern
from bpeviz.tokenizer.encoder import Encoder, EncodingOrder
from bpeviz.tokenizer.special_search import AllowedSpecial
from bpeviz.tokenizer.symbol_merger import Merge
from bpeviz.tokenizer.trimming import Fall, IdsAfter, Trimming, renumbered_base

__all__ = ["Tokenizer"]

FilePath = str | PathLike[str]


class TokenizerFiles(Protocol):
    """Writes and reads tokenizer files: see bpeviz.formats.storage."""

    def save(self, tokenizer: "Tokenizer", path: str | PathLike[str], format: str) -> None: ...
    def load(self, path: FilePath | Sequence[FilePath], split: str | SplitPattern | None) -> "Tokenizer": ...


class Tokenizer(Encoder):
    """A vocabulary, how a text is cut for it, and what decodes its ids: see Encoder.

    ``Trainer.tokenizer`` and ``load_pretrained`` make one.
    """

    #: What its files left open, in sentences, if they were read in another process; there they were warnings.
    cautions: Sequence[str] = ()
    #: bpeviz.formats sets this: it makes tokenizers, so this module can't import it.
    files: ClassVar[TokenizerFiles]

    def __repr__(self) -> str:
        cut = f"pipeline of {self.pipeline.library}" if self.pipeline else f"split {self.split.name!r}"
        return (
            f"<Tokenizer: {len(self._tokens):,} tokens, {len(self.paired):,} merges, "
            f"{len(self.special_tokens):,} special tokens, {cut}>"
        )

    def after(self, num_merges: int) -> "Tokenizer":
        """Return the tokenizer that has only the first ``num_merges`` merges."""
        number = number_of_merges(num_merges, len(self._merges), "This tokenizer has")
        later = {token_id for pair, token_id in self._merges[number:] if pair is None}
        unmade = {i: token for i, token in self.unmade.items() if i not in later}
        return self.like(self.base, self._merges[:number], unmade=unmade)

    def like(self, base: BaseVocabulary, merges: Sequence[Merge], **other: Any) -> "Tokenizer":
        """Return the tokenizer with this base vocabulary and these merges. All else is as here, but for what
        is in ``other``, by its name in the constructor."""
        kept = {
            "split": self.split,
            "special_tokens": self._special_tokens,
            "special_tokens_at": self._special_tokens_at,
            "found_last": self.found_last,
            "found_always": self.found_always,
            "pipeline": self.pipeline,
            "decoder": self.decoder,
            "unmade": self.unmade,
            "ignores_merges": self.ignores_merges,
        }
        return Tokenizer(base, merges, **kept | other)

    def without(self, tokens: Collection[int | str | bytes], *, ids: IdsAfter = "closed") -> "Tokenizer":
        """Return the tokenizer without some tokens, by id, text or bytes, and without all that falls with
        them: each merge that needs one, and each token that only such merges make. If it ``ignores_merges``,
        a token that a pre-token can be stays.

        ``ids``: "closed" (the others move up, special tokens too) or "holes" (each keeps its id). Raises
        TokenizerError for unknown tokens, base symbols and special tokens, and if there are no merges.
        """
        if isinstance(tokens, str | bytes) or not isinstance(tokens, Collection):
            raise _single("without", "a list of tokens", "[token]")
        trimming = Trimming(self)
        return self.trimmed(trimming, trimming.fall(map(trimming.id_of, tokens)), ids)

    def trimmed(self, trimming: Trimming, fall: Fall, ids: IdsAfter = "closed") -> "Tokenizer":
        """Return the tokenizer without the tokens of a ``fall``: see without."""
        gone = fall.gone
        new = trimming.new_ids(gone, ids)
        merges = trimming.merges_left(gone)
        wholes = {token_id: self.token_bytes(token_id) for pair, token_id in merges if pair is None}
        made = {token_id for pair, token_id in merges if pair is not None}
        return self.like(
            renumbered_base(self.base, new),
            [(pair and (new[pair[0]], new[pair[1]]), new[token_id]) for pair, token_id in merges],
            special_tokens={token: new[i] for token, i in self.special_tokens.items()},
            pipeline=self.pipeline and renumbered(self.pipeline, new, wholes),
            decoder=self.decoder and renumbered(self.decoder, new, wholes),
            unmade={
                **{new[i]: token for i, token in self.unmade.items() if i in new and i not in made},
                **{new[i]: token for i, token in wholes.items()},
            },
        )

    def save(self, path: str | PathLike[str], format: str = "huggingface") -> None:
        """Write the tokenizer to a file, or a pair of files to a folder, which is created if missing.

        ``format``: "huggingface" (tokenizer.json), "gpt2" (vocab.json and merges.txt), "tiktoken", "minbpe"
        (.model), "llms-from-scratch" (vocab.json and bpe_merges.txt), "sentencepiece" (.model) or
        "subword-nmt" (codes). Ids are kept, but codes hold none. A .tiktoken file holds neither the split
        pattern nor special tokens, and codes no special tokens. Existing files are replaced. Raises
        TokenizerFileError if the format cannot hold the tokenizer or ``path`` cannot be written. Warns with
        TokenizerFileWarning if a reader needs more than the file says.
        """
        self.files.save(self, path, format)

    @classmethod
    def load(
        cls, path: FilePath | Sequence[FilePath], *, split: str | SplitPattern | None = None
    ) -> "Tokenizer":
        """Read a tokenizer from a file of any of these formats, from several, such as the two of a pair, or
        from a model's folder: its tokenizer.json, its pair and what is beside it, or its .model.

        ``split`` is the split pattern, or its name, for a file that has none: see
        bpeviz.formats.reading.read_tokenizer. Raises TokenizerFileError, SplitPatternError. Warns with
        TokenizerFileWarning if the files leave something open.
        """
        return cls.files.load(path, split)

    def player(self, text: str, **options: Any) -> PlayerPage:
        """Return the merges of this tokenizer on a text, by rank, as a player: see bpeviz.standalone.

        ``options``: name, step, height, theme, panels, autoplay, speed, caption. Raises PlayerError,
        and CorpusError for a tokenizer whose merges can't be replayed.
        """
        return player_of(self, text, **options)

    def encode_ordinary(self, text: str) -> list[int]:
        """Return the token ids of ``text``, with special tokens as plain text."""
        return self.encode(text)

    def encode_batch(
        self,
        texts: Iterable[str],
        *,
        allowed_special: AllowedSpecial = (),
        order: EncodingOrder = "merge-rank",
    ) -> list[list[int]]:
        """Return the token ids of each text: see encode. Raises TokenizerError for a single text."""
        if isinstance(texts, str) or not isinstance(texts, Iterable):
            raise _single("encode_batch", "a list of texts", "encode")
        return [self.encode(text, allowed_special=allowed_special, order=order) for text in texts]

    def decode_bytes(self, ids: Iterable[int]) -> bytes:
        """Return the bytes that ``ids`` spell. Raises TokenizerError."""
        if not isinstance(ids, Iterable):
            raise _single("decode", "a list of ids", "[id]")
        joined = b"".join(map(self.token_bytes, ids))
        if isinstance(self.base, CharacterVocabulary) and self.base.end_of_word:
            return joined.replace(self.base.end_of_word.encode("utf-8"), b" ").removesuffix(b" ")
        return joined

    def decode(self, ids: Iterable[int]) -> str:
        """Return the text that ``ids`` spell; bytes that are not UTF-8 become U+FFFD. Raises
        TokenizerError."""
        if self.decoder is not None:
            known = list(ids) if isinstance(ids, Iterable) else ids
            self.decode_bytes(known)  # raises for unknown ids
            return running.decode(self.decoder, known)
        return self.decode_bytes(ids).decode("utf-8", "replace")

    def decode_batch(self, batch: Iterable[Iterable[int]]) -> list[str]:
        """Return the text that each list of ids spells: see decode. Raises TokenizerError for a single
        list."""
        if not isinstance(batch, Iterable):
            raise _single("decode_batch", "a list of lists of ids", "decode")
        lists = list(batch)
        if any(isinstance(ids, int) for ids in lists):
            raise _single("decode_batch", "a list of lists of ids", "decode")
        return [self.decode(ids) for ids in lists]


def _single(method: str, wanted: str, other: str) -> TokenizerError:
    """Return the error of a method for lists that got a single value; ``other`` is the method for that."""
    return TokenizerError(f"{method} takes {wanted}, and got a single one. Put it in a list, or use {other}.")
