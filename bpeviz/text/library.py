"""Ask the library ``tokenizers``, with a tokenizer.json of ours.

    normalizer_of({"type": "Lowercase"})("ÀB")      "àb"

We use what all versions of the library have: it loads a file, encodes and decodes. Only older ones have
classes for its steps. So what a step does is asked of a tokenizer that has no other step, and a token for
each byte.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from bpeviz.errors import PipelineError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

__all__ = ["changer_of", "encode", "ids_of_added", "load", "normalizer_of", "splitter_of"]

#: No character has a token, so each becomes the tokens of its bytes.
_BYTES = {
    "type": "BPE",
    "vocab": {f"<0x{byte:02X}>": byte for byte in range(256)},
    "merges": [],
    "byte_fallback": True,
}


def load(file: Mapping[str, Any]) -> tuple["Tokenizer", dict[str, int]]:
    """Return the library's tokenizer of a tokenizer.json with these values, and the ids of its added tokens.

    The model numbers its tokens from 0 on. Raises what the library raises.
    """
    from tokenizers import Tokenizer  # here: reading most files needs only ids_of_added

    vocab = file["model"]["vocab"]
    if not isinstance(vocab, Mapping):  # Unigram has a list of pieces with their scores
        vocab = {piece: number for number, (piece, _) in enumerate(vocab)}
    tokens = [token for token in file["added_tokens"] if token["content"]]
    ids = ids_of_added((token["content"] for token in tokens), vocab, len(vocab))
    numbered = {"added_tokens": [token | {"id": ids[token["content"]]} for token in tokens]}
    with TemporaryDirectory() as folder:  # all versions read a file, not all a string
        path = Path(folder, "tokenizer.json")
        written = json.dumps({"version": "1.0", **file, **numbered}, ensure_ascii=False)
        path.write_text(written, encoding="utf-8")
        return Tokenizer.from_file(str(path)), ids


def ids_of_added(contents: Iterable[str], vocab: Mapping[str, int], size: int) -> dict[str, int]:
    """Return the ids that the library gives to added tokens when it loads a file.

    A token of the vocabulary keeps the id that it has there. Any other gets the next id from ``size`` on, the
    number of tokens in the vocabulary. Of several with one id the last in the file is the last here.
    """
    ids: dict[str, int] = {}
    following = size
    for content in contents:
        if content in ids:
            ids[content] = ids.pop(content)
        elif content:  # the library leaves an empty one out
            ids[content] = vocab.get(content, following)
            following += content not in vocab
    return ids


def normalizer_of(step: Mapping[str, Any] | None) -> Callable[[str], str]:
    """Return a function that changes a text as the library does by a normalizer of a tokenizer.json."""
    if step is None:
        return str
    library, _ = load({"normalizer": step, "pre_tokenizer": None, "added_tokens": [], "model": _BYTES})
    return lambda text: bytes(library.encode(text, add_special_tokens=False).ids).decode("utf-8")


def changer_of(step: Mapping[str, Any]) -> Callable[[str], tuple[str, npt.NDArray[np.int64]]]:
    """Return a function that does the same, and says for each byte of the new text from which characters of
    the old one it comes: the first of them, and the one after the last."""
    library, _ = load({"normalizer": step, "pre_tokenizer": None, "added_tokens": [], "model": _BYTES})

    def change(text: str) -> tuple[str, npt.NDArray[np.int64]]:
        found, spans, _ = encode(library, text)
        return bytes(found.tolist()).decode("utf-8"), spans

    return change


def splitter_of(
    normalizer: Mapping[str, Any] | None, pre_tokenizer: Mapping[str, Any] | None
) -> Callable[[str], int]:
    """Return a function that says how many pre-tokens the library makes of a text. Its model has one token
    for each pre-token, whatever it is, so that the ids need only be counted."""
    model = {"type": "WordLevel", "vocab": {"": 0}, "unk_token": ""}
    steps = {"normalizer": normalizer, "pre_tokenizer": pre_tokenizer}
    library, _ = load({**steps, "added_tokens": [], "model": model})
    return lambda text: len(library.encode(text, add_special_tokens=False).ids)


def encode(
    library: "Tokenizer", text: str
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int32]]:
    """Return the id of each token of a text, the characters that it comes from, and the number of its
    pre-token.

    Raises PipelineError if the installed version doesn't say where a token comes from.
    """
    encoding = library.encode(text, add_special_tokens=False)
    try:
        spans, words = encoding.offsets, encoding.word_ids
    except AttributeError:  # in 1.0.0rc3
        raise PipelineError(_NO_PLACES, _INSTALL) from None
    ids, places = np.array(encoding.ids, np.int64), np.array(spans, np.int64).reshape(-1, 2)
    return ids, places, np.array(words, np.int32)


_NO_PLACES = "the installed tokenizers doesn't say which characters a token comes from"
_INSTALL = 'Install an older one: pip install "tokenizers<1"'
