"""SentencePiece's .model file: a protobuf message with a text, a score and a type for each token.

    0  <unk>   0  UNKNOWN
    1  <s>     0  CONTROL      special tokens; the library does not look for them in a text
    3  ▁       0  NORMAL       characters
    5  ab      0  NORMAL       merges: the score is the negative rank
    6  ▁ab    -1  NORMAL

The library merges any two neighbours that spell a token, the one of the highest score first, the leftmost
among equals. A merge list says which two. Both give the same tokens if each token is what merging its own
text makes, as the reason in ``bpeviz.core.reach`` explains; training always makes such tokens.

The library takes one line at a time. For line feeds, U+0000 and U+001F inside a text it gives <unk>; here
they are no tokens. It also gives <unk> for characters that the vocabulary lacks; here encoding such a text
raises TokenizerError. All other ids are the same.
"""

from bpeviz.formats.characters import character_texts, same_text_refusal
from bpeviz.formats.metaspace import not_of_sentencepiece
from bpeviz.formats.source import shown
from bpeviz.text.special_tokens import UNKNOWN
from bpeviz.tokenizer.tokenizer import Tokenizer

__all__ = ["sentencepiece_refusal", "write_sentencepiece"]


def sentencepiece_refusal(tokenizer: Tokenizer) -> str:
    """Why a tokenizer cannot be written as a .model file; empty if it can."""
    return (
        not_of_sentencepiece(tokenizer)
        or _special_refusal(tokenizer)
        or same_text_refusal(tokenizer, tokenizer.special_tokens)
        or _numbering_refusal(tokenizer)
        or _merging_refusal(tokenizer)
    )


def _special_refusal(tokenizer: Tokenizer) -> str:
    if UNKNOWN not in tokenizer.special_tokens:
        return f"it has no special token {UNKNOWN}, which SentencePiece needs."
    for token in tokenizer.special_tokens:
        if "\0" in token:
            return f"its special token {shown(token)} holds U+0000, which SentencePiece does not take."
    return ""


def _numbering_refusal(tokenizer: Tokenizer) -> str:
    if [*tokenizer.vocabulary] != [*range(tokenizer.n_vocab)]:
        return "its ids have gaps. The file holds no ids: SentencePiece numbers the tokens from 0."
    return ""


def _merging_refusal(tokenizer: Tokenizer) -> str:
    """Why the library would merge something else; empty if it merges the same."""
    if len(set(tokenizer.merge_token_ids)) < len(tokenizer.merges):
        return "two of its merges make the same token, and the file has one score for each token."
    texts = character_texts(tokenizer)
    characters = {text for text in texts.values() if len(text) == 1}
    # no merge crosses a line feed
    joined = "\n".join(texts.values())
    if not characters.issuperset(joined.replace("\n", "")) or tokenizer.encode(joined) != [*texts]:
        return "its merges never make one of its tokens, and SentencePiece would."
    return ""


def write_sentencepiece(tokenizer: Tokenizer) -> dict[str, bytes]:
    """Return the .model file of a tokenizer that sentencepiece_refusal accepts."""
    from sentencepiece import sentencepiece_model_pb2  # 50 milliseconds, which importing bpeviz need not take

    model = sentencepiece_model_pb2.ModelProto()  # type: ignore[attr-defined]
    texts = character_texts(tokenizer)
    rank_of = {token_id: rank for rank, token_id in enumerate(tokenizer.merge_token_ids)}
    special_tokens = {token_id: token for token, token_id in tokenizer.special_tokens.items()}
    for token_id in range(tokenizer.n_vocab):
        piece = model.pieces.add(piece=texts.get(token_id) or special_tokens[token_id])
        piece.score = -rank_of.get(token_id, 0)
        if token_id in special_tokens:
            piece.type = piece.UNKNOWN if piece.piece == UNKNOWN else piece.CONTROL
    settings = model.trainer_spec
    settings.model_type = settings.BPE
    settings.vocab_size = tokenizer.n_vocab
    settings.unk_id = tokenizer.special_tokens[UNKNOWN]
    settings.bos_id = tokenizer.special_tokens.get(settings.bos_piece, -1)
    settings.eos_id = tokenizer.special_tokens.get(settings.eos_piece, -1)
    settings.pad_id = tokenizer.special_tokens.get(settings.pad_piece, -1)
    # the text unchanged, but with ▁ for spaces
    model.normalizer_spec.name = "identity"
    model.normalizer_spec.add_dummy_prefix = False
    model.normalizer_spec.remove_extra_whitespaces = False
    return {"tokenizer.model": model.SerializeToString(deterministic=True)}
