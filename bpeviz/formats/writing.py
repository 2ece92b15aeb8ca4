"""Writing tokenizers: the formats, which of them can hold a tokenizer, and why the others cannot."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from bpeviz.core.base_vocabulary import CharacterVocabulary
from bpeviz.errors import TokenizerFileError
from bpeviz.formats.huggingface_writing import (
    huggingface_refusal,
    metaspace_caution,
    metaspace_refusal,
    write_huggingface,
    write_metaspace,
)
from bpeviz.formats.llms_from_scratch import (
    llms_from_scratch_caution,
    llms_from_scratch_refusal,
    write_llms_from_scratch,
)
from bpeviz.formats.minbpe import minbpe_caution, minbpe_refusal, write_minbpe
from bpeviz.formats.sentencepiece import sentencepiece_refusal, write_sentencepiece
from bpeviz.formats.subword_nmt import subword_nmt_caution, subword_nmt_refusal, write_subword_nmt
from bpeviz.formats.tiktoken import tiktoken_caution, tiktoken_refusal, write_tiktoken
from bpeviz.formats.vocab_and_merges import gpt2_refusal, write_gpt2_pair
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = ["FILE_FORMATS", "FileFormat", "caution", "refusal", "write_tokenizer"]


@dataclass(frozen=True)
class FileFormat:
    """A format of tokenizer files.

    - ``title``: its name for people;
    - ``leaves_out``: what is not in the file and the library that reads it needs to know;
    - ``caution``: what you need to know when you save this tokenizer in a file of this name; empty if
      nothing;
    - ``refusal``: why a tokenizer cannot be written in this format; empty if it can;
    - ``write``: the files of a tokenizer that can be written, names to contents.
    """

    name: str
    title: str
    refusal: Callable[[Tokenizer], str]
    write: Callable[[Tokenizer], dict[str, bytes]]
    leaves_out: str = ""
    caution: Callable[[Tokenizer, str], str] = lambda *_: ""


def _tokenizer_json_refusal(tokenizer: Tokenizer) -> str:
    of_characters = isinstance(tokenizer.base, CharacterVocabulary)
    return metaspace_refusal(tokenizer) if of_characters else huggingface_refusal(tokenizer)


def _write_tokenizer_json(tokenizer: Tokenizer) -> dict[str, bytes]:
    of_characters = isinstance(tokenizer.base, CharacterVocabulary)
    return write_metaspace(tokenizer) if of_characters else write_huggingface(tokenizer)


#: Every format by its name.
FILE_FORMATS: Mapping[str, FileFormat] = MappingProxyType(
    {
        f.name: f
        for f in (
            FileFormat(
                "huggingface",
                "Hugging Face tokenizer.json",
                _tokenizer_json_refusal,
                _write_tokenizer_json,
                caution=metaspace_caution,
            ),
            FileFormat("gpt2", "GPT-2’s vocab.json and merges.txt", gpt2_refusal, write_gpt2_pair),
            FileFormat(
                "tiktoken",
                "tiktoken’s ranks",
                tiktoken_refusal,
                write_tiktoken,
                "The file holds neither the split pattern nor special tokens: give tiktoken both.",
                tiktoken_caution,
            ),
            FileFormat("minbpe", "minbpe .model", minbpe_refusal, write_minbpe, caution=minbpe_caution),
            FileFormat(
                "llms-from-scratch",
                "“LLMs from scratch” vocab.json and bpe_merges.txt",
                llms_from_scratch_refusal,
                write_llms_from_scratch,
                caution=llms_from_scratch_caution,
            ),
            FileFormat(
                "sentencepiece",
                "SentencePiece .model",
                sentencepiece_refusal,
                write_sentencepiece,
                "Give SentencePiece one line at a time: for line ends inside a text it gives <unk>.",
            ),
            FileFormat(
                "subword-nmt",
                "subword-nmt codes",
                subword_nmt_refusal,
                write_subword_nmt,
                "The file holds no ids, no special tokens, and only the characters that merges use.",
                subword_nmt_caution,
            ),
        )
    }
)


def refusal(tokenizer: Tokenizer, format: str) -> str:
    """Why a format cannot hold ``tokenizer``, in a sentence; empty if it can."""
    return _refusal(_get(format), tokenizer)


def _refusal(format: FileFormat, tokenizer: Tokenizer) -> str:
    if tokenizer.pipeline is not None and tokenizer.pipeline.library != "llms-from-scratch":
        return "it was read from a file that normalizes or splits text by rules that only that file holds."
    if tokenizer.whole_token_ids:
        return "it has tokens that no merge makes, and the file has a merge for each token."
    return format.refusal(tokenizer)


def caution(tokenizer: Tokenizer, format: str, name: str) -> str:
    """Return what you need to know when you save ``tokenizer`` in a file called ``name``; empty if
    nothing."""
    return _get(format).caution(tokenizer, name)


def write_tokenizer(tokenizer: Tokenizer, format: str = "huggingface") -> dict[str, bytes]:
    """Return the files of ``tokenizer``, names to contents: one, or the two of a pair. See FILE_FORMATS.

    Ids are kept. Raises TokenizerFileError, with the formats that can, if the format cannot hold the
    tokenizer or doesn't exist.
    """
    chosen = _get(format)
    if why := _refusal(chosen, tokenizer):
        others = [f.name for f in FILE_FORMATS.values() if f is not chosen and not _refusal(f, tokenizer)]
        remedy = f"Save it as: {', '.join(others)}." if others else "Train with another recipe to save one."
        raise TokenizerFileError(f"The format {format} cannot hold this tokenizer", f"{why} {remedy}")
    return chosen.write(tokenizer)


def _get(format: str) -> FileFormat:
    if not isinstance(format, str) or format not in FILE_FORMATS:
        raise TokenizerFileError(
            f"There is no format {format!r} of tokenizer files", f"choose one of {', '.join(FILE_FORMATS)}."
        )
    return FILE_FORMATS[format]
