"""Metrics of one tokenizer: an example by hand, GPT-2's, then any texts against plain loops.

tests/parity/test_tokenizer_metrics.py compares them with the packages that define them.
"""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpeviz import RECIPES, Tokenizer, TokenizerMetrics, load_pretrained, tokenizer_metrics, train_tokenizer
from bpeviz.analysis.tokenizer_metrics import Measured, total_metrics
from bpeviz.errors import CorpusError, TokenizerError
from bpeviz.runs.samples import STANDARD_LIBRARY, read_sample
from bpeviz.tokenizer.encoder import BULK_CHARACTERS
from tests.support.texts import ANY_TEXT, TIGHT_TEXTS, training_and_other_text
from tests.support.tokenizers import with_any_merges

TEXTS = TIGHT_TEXTS | st.lists(ANY_TEXT, max_size=4)


def aaab() -> Tokenizer:
    """The tokenizer of docs/architecture.md, whose merges make aa, aaa and aaab."""
    return train_tokenizer("aaabdaaabac", "minbpe-basic", num_merges=3)


def fields(metrics: TokenizerMetrics) -> list[object]:
    return [value.tolist() if isinstance(value, np.ndarray) else value for value in vars(metrics).values()]


def test_two_texts_by_hand():
    # aaab d aaab a c, and aaab ␣ d; the words are aaabdaaabac (5 tokens), aaab (1) and d (1)
    metrics = tokenizer_metrics(["aaabdaaabac", "aaab d"], aaab())
    assert (metrics.byte_total, metrics.token_total) == (17, 8)
    assert (metrics.word_total, metrics.word_tokens, metrics.whole_words) == (3, 7, 2)
    assert dict(zip(metrics.used_ids.tolist(), metrics.used_counts.tolist(), strict=True)) == {
        ord(" "): 1,
        ord("a"): 1,
        ord("c"): 1,
        ord("d"): 2,
        258: 3,
    }
    assert metrics.bytes_per_token == 17 / 8
    assert metrics.tokens_per_word == 7 / 3
    assert metrics.share_of_whole_words == 2 / 3
    assert metrics.share_of_vocabulary == 5 / 259
    # the shares of the five tokens are 3/8, 2/8 and three times 1/8
    power_sum = (3**2.5 + 2**2.5 + 3) / 8**2.5
    assert metrics.renyi_efficiency == pytest.approx(math.log2(power_sum) / -1.5 / math.log2(5))
    assert metrics.renyi_efficiency == pytest.approx(0.8327, abs=1e-4)


def test_several_tokenizers_on_two_texts_by_hand():
    # 5 and 3 tokens against 11 and 6 bytes
    texts = ["aaabdaaabac", "aaab d"]
    mine, every_byte = (
        Measured(name, tuple(tokenizer_metrics([text], tokenizer) for text in texts))
        for name, tokenizer in {"mine": aaab(), "every byte": aaab().after(0)}.items()
    )
    assert (mine.tokens, every_byte.tokens) == ((5, 3), (11, 6))
    assert (mine.ratios(every_byte), every_byte.ratios(every_byte)) == ((5 / 11, 3 / 6), (1, 1))
    assert mine.total is not None
    assert (mine.total.token_total, mine.note) == (8, "")
    assert mine.figures(every_byte)["normalized_length"] == 8 / 17
    assert mine.figures(every_byte) == mine.total.figures(tokenizer_metrics(texts, aaab().after(0)))


def test_a_text_without_tokens_has_no_ratio_and_one_that_cannot_be_encoded_leaves_out_the_sums():
    empty, text = (tokenizer_metrics([each], aaab()) for each in ("", "aaab d"))
    mine, unable = Measured("mine", (empty, text)), Measured("unable", (empty, "It can't."))
    assert mine.ratios(unable) == unable.ratios(mine) == (None, None)
    assert (unable.tokens, unable.note, unable.total, unable.figures(mine)) == (
        (0, None),
        "It can't.",
        None,
        {},
    )
    assert "normalized_length" not in mine.figures(unable)
    assert mine.figures(unable)["tokens"] == 3


def test_the_normalized_length_is_the_quotient_of_the_token_totals():
    texts = ["aaabdaaabac", "aaab d"]
    mine, bytes_alone = (tokenizer_metrics(texts, tokenizer) for tokenizer in (aaab(), aaab().after(0)))
    assert mine.normalized_length(bytes_alone) == 8 / 17
    assert bytes_alone.normalized_length(mine) == 17 / 8
    assert mine.normalized_length(mine) == 1


def test_a_word_is_encoded_without_the_space_before_it():
    gpt2 = load_pretrained("gpt2")
    assert [gpt2.token_bytes(i) for i in gpt2.encode("the lighthouse")] == [b"the", b" lighthouse"]
    assert [gpt2.token_bytes(i) for i in gpt2.encode("lighthouse")] == [b"l", b"ighthouse"]
    metrics = tokenizer_metrics(["the lighthouse"], gpt2)
    assert (metrics.token_total, metrics.word_tokens, metrics.whole_words) == (2, 3, 1)


def test_any_white_space_is_between_words():
    metrics = tokenizer_metrics(["a\u3000b\u2028c\x1cd \r\n\te"], aaab())
    assert (metrics.word_total, metrics.whole_words) == (5, 5)


@pytest.mark.parametrize("texts", [[], [""], ["", ""]])
def test_no_text(texts):
    metrics = tokenizer_metrics(texts, aaab())
    assert metrics.bytes_per_token == metrics.tokens_per_word == metrics.share_of_whole_words == 0
    assert metrics.normalized_length(metrics) == metrics.share_of_vocabulary == 0
    assert math.isnan(metrics.renyi_efficiency)


def test_one_distinct_token_has_no_renyi_efficiency():
    assert math.isnan(tokenizer_metrics(["aaabaaab"], aaab()).renyi_efficiency)


def test_tokens_that_occur_equally_often_have_an_efficiency_of_1():
    assert tokenizer_metrics(["dcba"], aaab()).renyi_efficiency == pytest.approx(1)


def test_special_tokens_are_plain_text_but_count_for_the_vocabulary():
    tokenizer = train_tokenizer("aaabdaaabac", "minbpe-basic", num_merges=3, special_tokens=["<s>"])
    metrics = tokenizer_metrics(["<s>"], tokenizer)
    assert (metrics.token_total, metrics.vocab_size) == (3, 260)


def test_what_is_refused():
    characters = train_tokenizer("ab ab", "course", num_merges=1)
    with pytest.raises(TokenizerError, match="tokenizer_metrics takes a list of texts"):
        tokenizer_metrics("aaab", aaab())
    with pytest.raises(TokenizerError, match="tokenizer_metrics takes a Tokenizer, not str"):
        tokenizer_metrics(["aaab"], "gpt2")
    with pytest.raises(CorpusError, match="half of a surrogate pair"):
        tokenizer_metrics(["\ud800"], aaab())
    with pytest.raises(TokenizerError, match="has no symbol for"):
        tokenizer_metrics(["灯"], characters)


@given(with_any_merges(), TEXTS)
def test_any_texts_equal_the_definitions(tokenizer, texts):
    ids = [i for text in texts for i in tokenizer.encode(text)]
    lengths = [len(tokenizer.encode(word)) for text in texts for word in text.split()]
    metrics = tokenizer_metrics(texts, tokenizer)
    assert metrics.byte_total == sum(len(text.encode()) for text in texts)
    assert metrics.token_total == len(ids)
    assert metrics.word_tokens == sum(lengths)
    assert metrics.tokens_per_word == (sum(lengths) / len(lengths) if lengths else 0)
    assert metrics.share_of_whole_words == (lengths.count(1) / len(lengths) if lengths else 0)
    assert dict(zip(metrics.used_ids.tolist(), metrics.used_counts.tolist(), strict=True)) == Counter(ids)
    assert metrics.share_of_vocabulary == len(set(ids)) / len(tokenizer)
    if len(set(ids)) > 1:
        assert 0 < metrics.renyi_efficiency <= 1 + 1e-12


@pytest.mark.parametrize("recipe", list(RECIPES))
@given(training_and_other_text())
def test_words_of_every_recipe_have_as_many_tokens_as_each_encoded_alone(recipe, texts):
    training, other = texts
    tokenizer = train_tokenizer(training, recipe, num_merges=8)
    lengths = [len(tokenizer.encode(word)) for word in other.split()]
    metrics = tokenizer_metrics([other], tokenizer)
    assert (metrics.word_tokens, metrics.whole_words) == (sum(lengths), lengths.count(1))


@pytest.mark.full  # takes long
@pytest.mark.parametrize("name", ["gpt2", "cl100k_base"])
def test_words_of_a_long_text_have_as_many_tokens_as_each_encoded_alone(name):
    """So many distinct ones that tiktoken merges them."""
    tokenizer, text = load_pretrained(name), read_sample(STANDARD_LIBRARY.title, 400_000)
    words = Counter(text.split())
    assert len("".join(words)) > BULK_CHARACTERS
    lengths = {word: len(tokenizer.encode(word)) for word in words}
    metrics = tokenizer_metrics([text], tokenizer)
    assert metrics.word_tokens == sum(lengths[word] * often for word, often in words.items())
    assert metrics.whole_words == sum(often for word, often in words.items() if lengths[word] == 1)


@given(with_any_merges(), TEXTS.filter(len))
def test_metrics_of_single_texts_add_up(tokenizer, texts):
    apart = total_metrics([tokenizer_metrics([text], tokenizer) for text in texts])
    assert fields(apart) == fields(tokenizer_metrics(texts, tokenizer))


@given(with_any_merges(), TEXTS)
def test_the_order_of_the_texts_does_not_matter(tokenizer, texts):
    assert fields(tokenizer_metrics(texts[::-1], tokenizer)) == fields(tokenizer_metrics(texts, tokenizer))
