"""GPT-2's encoding by tiktoken, to compare with."""

from functools import cache

import tiktoken
from tiktoken_ext.openai_public import r50k_pat_str

from bpeviz import load_pretrained

__all__ = ["END", "reference"]

END = "<|endoftext|>"


@cache
def reference() -> tiktoken.Encoding:
    """tiktoken's encoding of GPT-2's ranks; tiktoken would download them."""
    ranks = {token: i for i, token in load_pretrained("gpt2").vocabulary.items() if i != 50256}
    return tiktoken.Encoding("gpt2", pat_str=r50k_pat_str, mergeable_ranks=ranks, special_tokens={END: 50256})
