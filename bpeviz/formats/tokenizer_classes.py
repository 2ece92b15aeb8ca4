"""What the class of a tokenizer does around its merges, for pairs of files that don't say it.

    GPT2Tokenizer    splits by GPT-2's pattern
    Qwen2Tokenizer   composes characters (NFC), then splits by its own pattern
    CLIPTokenizer    lower case, its own pattern, and </w> at the end of each word

Each class is described as in a tokenizer.json, from which ``tokenizers`` runs it. The steps are those that
the ``transformers`` library gives the class when it makes its tokenizer from a pair of files
(``convert_slow_tokenizer.py``).
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from bpeviz.formats.oniguruma import NAMED_PATTERNS

__all__ = ["BYTE_LEVEL", "CHARACTERS", "CLIP", "DIGITS_APART", "METASPACE", "TokenizerClass", "class_of_name"]

Step = Mapping[str, object]


@dataclass(frozen=True)
class TokenizerClass:
    """What a class does to a text, as steps of a tokenizer.json; None for nothing.

    ``suffix`` marks the last token of a word; ``special_tokens`` are those that the class has if its files
    name none, of which ``unknown`` stands for what the vocabulary lacks; ``lstrip`` takes the spaces before
    it along.
    """

    pre_tokenizer: Step
    decoder: Step
    normalizer: Step | None = None
    suffix: str = ""
    special_tokens: tuple[str, ...] = ()
    unknown: str = ""
    lstrip: str = ""

    def with_prefix_space(self, asked: object) -> "TokenizerClass":
        """Return the class with a space before each text, or without one, if its splitting can have one."""
        if isinstance(asked, bool) and self.pre_tokenizer.get("type") == "ByteLevel":
            return replace(self, pre_tokenizer={**self.pre_tokenizer, "add_prefix_space": asked})
        return self


def _byte_level(*, use_regex: bool = True, add_prefix_space: bool = False) -> Step:
    flags = {"add_prefix_space": add_prefix_space, "trim_offsets": True, "use_regex": use_regex}
    return {"type": "ByteLevel", **flags}


def _split(regex: str, behavior: str, *, invert: bool) -> Step:
    return {"type": "Split", "pattern": {"Regex": regex}, "behavior": behavior, "invert": invert}


def _pre_tokenizers(*steps: Step) -> Step:
    return {"type": "Sequence", "pretokenizers": list(steps)}


def _bert_normalizer(*, lowercase: bool, strip_accents: bool | None = None) -> Step:
    flags = {"clean_text": True, "handle_chinese_chars": True}
    return {"type": "BertNormalizer", **flags, "strip_accents": strip_accents, "lowercase": lowercase}


_END_OF_WORD = "</w>"
_CLIP_WORDS = r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"

#: GPT-2's way: what a pair of bytes has if nothing says its class.
BYTE_LEVEL = TokenizerClass(_byte_level(), _byte_level())
#: ``CharBPETokenizer`` of ``tokenizers``: what a pair of characters has that marks the ends of words.
CHARACTERS = TokenizerClass(
    {"type": "BertPreTokenizer"},
    {"type": "BPEDecoder", "suffix": _END_OF_WORD},
    normalizer=_bert_normalizer(lowercase=False),
    suffix=_END_OF_WORD,
    unknown="<unk>",
)
#: ``SentencePieceBPETokenizer`` of ``tokenizers``: what a pair of characters has that writes spaces as ▁.
METASPACE = TokenizerClass(
    {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True},
    {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True},
    normalizer={"type": "NFKC"},
    unknown="<unk>",
)
#: What a pair of bytes has that marks the ends of words.
CLIP = TokenizerClass(
    _pre_tokenizers(_split(_CLIP_WORDS, "Removed", invert=True), _byte_level()),
    {
        "type": "Sequence",
        "decoders": [
            _byte_level(),
            {"type": "Replace", "pattern": {"String": _END_OF_WORD}, "content": " "},
            {"type": "Strip", "content": " ", "start": 0, "stop": 1},
        ],
    },
    normalizer={
        "type": "Sequence",
        "normalizers": [
            {"type": "NFC"},
            {"type": "Replace", "pattern": {"Regex": r"\s+"}, "content": " "},
            {"type": "Lowercase"},
        ],
    },
    suffix=_END_OF_WORD,
    special_tokens=("<|startoftext|>", "<|endoftext|>"),
    unknown="<|endoftext|>",
)
_GPT2 = replace(BYTE_LEVEL, special_tokens=("<|endoftext|>",))
_ROBERTA = replace(BYTE_LEVEL, special_tokens=("<s>", "</s>", "<unk>", "<pad>", "<mask>"), lstrip="<mask>")
_QWEN2 = TokenizerClass(
    _pre_tokenizers(_split(NAMED_PATTERNS["qwen2"], "Isolated", invert=False), _byte_level(use_regex=False)),
    _byte_level(),
    normalizer={"type": "NFC"},
    special_tokens=("<|endoftext|>",),
)
_DEBERTA = replace(_ROBERTA, special_tokens=("[CLS]", "[SEP]", "[UNK]", "[PAD]", "[MASK]"), lstrip="[MASK]")
_WITH_SPACE = _byte_level(add_prefix_space=True)
DIGITS_APART = _pre_tokenizers({"type": "Digits", "individual_digits": True}, _byte_level())

_CLASSES: Mapping[str, TokenizerClass] = MappingProxyType(
    {
        **dict.fromkeys(("GPT2", "Whisper", "CodeGen"), _GPT2),
        "GPTNeoX": replace(_GPT2, normalizer={"type": "NFC"}),
        "Cohere": replace(BYTE_LEVEL, normalizer={"type": "NFC"}, pre_tokenizer=DIGITS_APART),
        **dict.fromkeys(("Roberta", "Bart", "Longformer", "LED", "Mvp", "Luke", "MarkupLM"), _ROBERTA),
        **dict.fromkeys(("Blenderbot", "LayoutLMv3"), replace(_ROBERTA, pre_tokenizer=_WITH_SPACE)),
        "Deberta": _DEBERTA,
        **dict.fromkeys(("Qwen2", "Qwen3"), _QWEN2),
        "CLIP": CLIP,
        "OpenAIGPT": replace(CHARACTERS, normalizer=_bert_normalizer(lowercase=True)),
        "Herbert": replace(
            CHARACTERS,
            normalizer=_bert_normalizer(lowercase=False, strip_accents=False),
            special_tokens=("<s>", "</s>", "<unk>", "<pad>", "<mask>"),
        ),
    }
)


def class_of_name(name: str) -> TokenizerClass | None:
    """Return the class of a name such as "Qwen2TokenizerFast"; None for one that is not known."""
    return _CLASSES.get(name.removesuffix("Fast").removesuffix("Tokenizer"))
