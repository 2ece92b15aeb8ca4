"""How long encoding 1 MB with GPT-2's tokenizer takes, compared with tiktoken: a Markdown table.

They take turns on new texts. A ratio is of two timings right after each other, so it hardly depends on the
speed of the machine at that moment. tiktoken gets GPT-2's pattern as its own package writes it.
"""

import platform
import re
import time
from collections.abc import Callable
from random import Random
from statistics import median

import tiktoken
from tiktoken_ext.openai_public import r50k_pat_str

from bpeviz import Corpus, Tokenizer, Trainer, load_pretrained
from bpeviz.runs.samples import STANDARD_LIBRARY, read_sample

SIZE = 1_000_000
ROUNDS = 15


def own_text(title: str, random: Random) -> str:
    """A sample's words in another order, with new letters in every third, so that many words are new."""
    words = re.findall(r"\S{1,12}\s*", read_sample(title))
    letters = [c for word in words for c in word if not c.isspace()]
    mean_size = sum(len(word.encode("utf-8")) for word in words) / len(words)
    chosen = random.choices(words, k=int(1.2 * SIZE / mean_size))
    for i in range(0, len(chosen), 3):
        chosen[i] = "".join(random.choices(letters, k=len(chosen[i]) - 1)) + chosen[i][-1]
    return first_bytes("".join(chosen))


def source_text(random: Random) -> str:
    """Consecutive lines of the standard library's sources, from a random place."""
    lines = read_sample(STANDARD_LIBRARY.title, 20 * SIZE).splitlines(keepends=True)
    start = random.randrange(len(lines) * 9 // 10)
    return first_bytes("".join(lines[start:]))


def any_characters(random: Random) -> str:
    """Characters of all planes, assigned or not, but no surrogates."""
    codes = random.choices([*range(0xD800), *range(0xE000, 0xFFFE), *range(0x10000, 0x110000)], k=SIZE // 3)
    return first_bytes("".join(map(chr, codes)))


def printable_ascii(random: Random) -> str:
    return "".join(random.choices([chr(code) for code in range(32, 127)], k=SIZE))


def first_bytes(text: str) -> str:
    return text.encode("utf-8")[:SIZE].decode("utf-8", "ignore")


TEXTS: dict[str, Callable[[Random], str]] = {
    "Python sources": source_text,
    "English prose": lambda random: own_text("English prose", random),
    "Japanese": lambda random: own_text("Japanese", random),
    "emoji chat": lambda random: own_text("Emoji chat", random),
    "random ASCII": printable_ascii,
    "random characters": any_characters,
}


def of_tiktoken(tokenizer: Tokenizer) -> tiktoken.Encoding:
    """tiktoken's encoding of the same vocabulary, which splits by tiktoken's own pattern."""
    ranks = {tokenizer.token_bytes(i): i for i in range(256)}
    ranks |= {tokenizer.token_bytes(i): i for i in tokenizer.merge_token_ids}
    return tiktoken.Encoding(
        "peer", pat_str=r50k_pat_str, mergeable_ranks=ranks, special_tokens={"<|end|>": len(ranks)}
    )


def seconds(action: Callable[[str], object], text: str) -> float:
    began = time.perf_counter()
    action(text)
    return time.perf_counter() - began


def row(name: str, make: Callable[[Random], str], tokenizer: Tokenizer, peer: tiktoken.Encoding) -> str:
    rounds = []
    for seed in range(ROUNDS):
        text = make(Random(seed))
        theirs = seconds(peer.encode_ordinary, text)
        encode, gap_ranks = seconds(tokenizer.encode, text), seconds(tokenizer.gap_ranks, text)
        rounds.append((theirs, encode, gap_ranks, encode / theirs, gap_ranks / theirs))
    theirs, encode, gap_ranks, encode_ratio, gap_ratio = map(median, zip(*rounds, strict=True))
    return (
        f"| {name} | {theirs:.3f} | {encode:.3f} | {gap_ranks:.3f} | {encode_ratio:.2f} | {gap_ratio:.2f} |"
    )


def trained() -> Tokenizer:
    trainer = Trainer(Corpus.from_text(read_sample(STANDARD_LIBRARY.title, SIZE)), "minbpe", num_merges=2_000)
    for _ in trainer.steps():
        pass
    return trainer.tokenizer()


def main() -> None:
    gpt2 = load_pretrained("gpt2")
    text = source_text(Random(-1))
    print(f"Python {platform.python_version()}, tiktoken {tiktoken.__version__}, medians of {ROUNDS} texts\n")
    print(f"The first gap ranks, everything set up on the way: {seconds(gpt2.gap_ranks, text):.3f} s\n")
    print("| 1 MB of | tiktoken, s | encode, s | gap ranks, s | encode / tiktoken | gap ranks / tiktoken |")
    print("|---|---|---|---|---|---|")
    for name, make in TEXTS.items():
        print(row(name, make, gpt2, of_tiktoken(gpt2)))
    own = trained()
    print(row("Python sources, 2,000 own merges", source_text, own, of_tiktoken(own)))


if __name__ == "__main__":
    main()
