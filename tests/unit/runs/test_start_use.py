"""What a text uses of the tokenizer that its training begins with: merges, not tokens of whole pre-tokens."""

import pytest

from bpeviz import Tokenizer
from bpeviz.core.base_vocabulary import ByteVocabulary
from bpeviz.runs.replay import replay
from bpeviz.runs.run import NamedText
from bpeviz.runs.run_names import usual_name
from bpeviz.runs.start_use import StartUse
from bpeviz.text.split_patterns import get_split_pattern
from bpeviz.tokenizer.symbol_merger import Merge

A, B, C, D, E, F = b"abcdef"
WHOLE: list[Merge] = [(None, 300), (None, 301), (None, 302)]
WHOLE_TOKENS = {300: b"abcd", 301: b"cdab", 302: b"efef"}
MERGES: list[Merge] = [((A, B), 256), ((C, D), 257), ((E, F), 258)]


@pytest.mark.parametrize(
    ("merges", "text", "says"),
    [
        ([*MERGES, *WHOLE], "abcd xab xcd xef", "uses 3 of the 3 merges of mine. 0 of its first 3 are"),
        ([*WHOLE, *MERGES], "abcd xab xcd xef", "uses 3 of the 3 merges of mine. 0 of its first 3 are"),
        (
            [WHOLE[0], MERGES[0], *WHOLE[1:], *MERGES[1:]],
            "xab xab",
            "uses 1 of the 3 merges of mine. 2 of its first 3",
        ),
        (MERGES, "xab xef", "uses 2 of the 3 merges of mine. 1 of its first 3"),
    ],
)
def test_tokens_of_whole_pre_tokens_are_no_merges(merges: list[Merge], text: str, says: str) -> None:
    unmade = WHOLE_TOKENS if len(merges) > len(MERGES) else {}
    split = get_split_pattern("gpt2")
    tokenizer = Tokenizer(ByteVocabulary(bytes(range(256))), merges, split=split, unmade=unmade)
    assert says in StartUse(replay(NamedText("Text", text), tokenizer, "mine")).sentence
    assert "3 merges" in repr(tokenizer)


def test_runs_that_differ_in_new_merges_are_named_by_those_that_they_have() -> None:
    tokenizer = Tokenizer(ByteVocabulary(bytes(range(256))), MERGES, split=get_split_pattern("gpt2"))
    runs = [replay(NamedText("t", "xab xab cdab"), tokenizer, "GPT-2", new_merges=n) for n in (1, 50)]
    made = len(runs[1].result.new_steps)
    assert 1 < made < 50
    assert (usual_name(runs[0]), usual_name(runs[1])) == ("GPT-2 + 1", f"GPT-2 + {made}")
