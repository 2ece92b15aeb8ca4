"""The claims of lessons by a second route: brute-force training, tiktoken's encoder, a search by breadth."""

import itertools
from collections import Counter
from functools import cache, singledispatch
from typing import Any

import regex
import tiktoken

from bpeviz import Corpus, Tokenizer, load_pretrained
from bpeviz.lessons import claims as of
from bpeviz.lessons import measured_claims as measured
from bpeviz.lessons.lesson import Lesson, RunSpec
from bpeviz.lessons.prepared import text_of
from bpeviz.text.split_patterns import custom_split_pattern, get_split_pattern
from bpeviz.training.recipes import get_recipe
from bpeviz.training.result import MergeStep
from bpeviz.training.settings import RECIPE_SPLIT
from tests.support.brute_force import BruteForceTrainer, encode_symbols

__all__ = ["second_route", "trained_by_brute_force"]


@cache
def encoding(name: str) -> tiktoken.Encoding:
    """tiktoken's own encoder with the ranks of a built-in tokenizer."""
    tokenizer = load_pretrained(name)
    special = tokenizer.special_tokens
    ranks = {token: i for i, token in tokenizer.vocabulary.items() if i not in special.values()}
    pattern = tokenizer.split.regex or ""
    return tiktoken.Encoding(name, pat_str=pattern, mergeable_ranks=ranks, special_tokens=special)


@cache
def trained_by_brute_force(spec: RunSpec, most: int) -> tuple[BruteForceTrainer, list[MergeStep], int]:
    """The trainer of a run after at most so many merges, its merges, and how many tokens it began with."""
    recipe = get_recipe(spec.recipe)
    if spec.pattern:
        split = custom_split_pattern(spec.pattern)
    else:
        split = get_split_pattern(recipe.split if spec.split == RECIPE_SPLIT else spec.split)
    corpus = Corpus.from_texts(spec.texts or (text_of(spec),), split)
    trainer = BruteForceTrainer(corpus, recipe, min_frequency=spec.min_frequency)
    start = trainer.token_total
    steps: list[MergeStep] = []
    for left, right in spec.forced[:most]:
        step = trainer.step((trainer.tokens.index(left.encode()), trainer.tokens.index(right.encode())))
        assert step
        steps.append(step)
    steps += trainer.steps(min(most, spec.merges) - len(steps))
    return trainer, steps, start


def _spec(lesson: Lesson, run: str) -> RunSpec:
    return lesson.runs[run or next(iter(lesson.runs))]


def _occurring(spec: RunSpec) -> list[tuple[str, str, int]]:
    """The merges of a replayed list that its text has. All recipes but minbpe-basic take words apart."""
    found: set[tuple[str, str, int]] = set()
    words = regex.findall(r" ?[^ ]+", text_of(spec)) if spec.recipe != "minbpe-basic" else [text_of(spec)]
    for word in words:
        pieces = list(word)
        for left, right, token_id in spec.replayed:
            place = 0
            while place + 1 < len(pieces):
                if pieces[place : place + 2] == [left, right]:
                    pieces[place : place + 2] = [left + right]
                    found.add((left, right, token_id))
                place += 1
    return [merge for merge in spec.replayed if merge in found]


def _steps(lesson: Lesson, run: str) -> list[MergeStep]:
    """The merges of a trained run."""
    spec = _spec(lesson, run)
    return trained_by_brute_force(spec, spec.merges)[1]


def _replayed(spec: RunSpec) -> list[tuple[bytes, bytes]]:
    """The merges of a replay by rank: every token of tiktoken's encoding taken apart into the two it is made
    of."""
    ranks = encoding(spec.tokenizer)._mergeable_ranks
    found: set[tuple[int, bytes, bytes]] = set()

    def apart(token: bytes) -> None:
        if len(token) == 1:
            return
        below = {other: rank for other, rank in ranks.items() if rank < ranks[token] and other in token}
        pieces = [bytes([byte]) for byte in token]
        while len(pieces) > 2:
            pairs = [(below.get(a + b, 10**9), i) for i, (a, b) in enumerate(itertools.pairwise(pieces))]
            _, place = min(pairs)
            pieces[place : place + 2] = [pieces[place] + pieces[place + 1]]
        found.add((ranks[token], *pieces))
        for piece in pieces:
            apart(piece)

    for token in encoding(spec.tokenizer).decode_tokens_bytes(
        encoding(spec.tokenizer).encode_ordinary(text_of(spec))
    ):
        apart(token)
    return [(left, right) for _, left, right in sorted(found)]


def _pieces(lesson: Lesson, claim: Any) -> tuple[bytes, ...]:
    text = text_of(claim) or text_of(_spec(lesson, claim.run))
    lines = (
        text.split("\n") if claim.language or (claim.run and _spec(lesson, claim.run).language) else [text]
    )
    return tuple(piece for line in lines for piece in _pieces_of(lesson, claim, line))


def _pieces_of(lesson: Lesson, claim: Any, text: str) -> tuple[bytes, ...]:
    spec = None if claim.by and claim.by not in lesson.runs else _spec(lesson, claim.by)
    if spec and spec.new_merges:
        return _in_continued(spec, text)
    name = claim.by if spec is None else spec.tokenizer
    if name:
        known = encoding(name)
        ids = known.encode(text, allowed_special="all") if claim.special else known.encode_ordinary(text)
        return tuple(known.decode_tokens_bytes(ids))
    assert spec
    trainer, steps, _ = trained_by_brute_force(spec, spec.merges)
    tokenizer = _tokenizer(spec)
    merges = [(step.pair, step.token_id) for step in steps]
    tokens: list[bytes] = []
    for pre_token in tokenizer.split.split(text):
        ids, _ = encode_symbols(tokenizer.base.spell([pre_token]).ids.tolist(), merges)
        tokens += map(trainer.tokens.__getitem__, ids)
    return tuple(tokens)


@cache
def _continued(spec: RunSpec) -> list[tuple[tuple[bytes, bytes], bytes]]:
    """The new merges after a built-in tokenizer's, by counting again after each; of equal pairs that of the
    smallest ids."""
    assert spec.recipe == "huggingface"
    words, ids = _cut(spec.tokenizer, text_of(spec)), dict(encoding(spec.tokenizer)._mergeable_ranks)
    merges: list[tuple[tuple[bytes, bytes], bytes]] = []
    while len(merges) < spec.new_merges:
        counts = Counter(pair for word in words for pair in itertools.pairwise(word))
        if not counts:
            break
        pair = min(counts, key=lambda pair: (-counts[pair], ids[pair[0]], ids[pair[1]]))
        merges.append((pair, b"".join(pair)))
        ids[b"".join(pair)] = 10**6 + len(merges)
        words = [_joined(word, pair) for word in words]
    return merges


def _cut(name: str, text: str) -> list[list[bytes]]:
    """The tokens of each pre-token."""
    known = encoding(name)
    return [
        known.decode_tokens_bytes(known.encode_ordinary(word)) for word in regex.findall(known._pat_str, text)
    ]


def _joined(word: list[bytes], pair: tuple[bytes, bytes]) -> list[bytes]:
    joined: list[bytes] = []
    for token in word:
        if joined and (joined[-1], token) == pair:
            joined[-1] += token
        else:
            joined.append(token)
    return joined


def _in_continued(spec: RunSpec, text: str) -> tuple[bytes, ...]:
    words = _cut(spec.tokenizer, text)
    for pair, _ in _continued(spec):
        words = [_joined(word, pair) for word in words]
    return tuple(token for word in words for token in word)


def _tokenizer(spec: RunSpec) -> Tokenizer:
    """Only for its base vocabulary and split pattern."""
    split = custom_split_pattern(spec.pattern) if spec.pattern else None
    recipe = get_recipe(spec.recipe)
    split = split or get_split_pattern(recipe.split if spec.split == RECIPE_SPLIT else spec.split)
    base = recipe.base_vocabulary(
        Corpus.from_texts(spec.texts or (text_of(spec),), split), recipe.special_tokens
    )
    return Tokenizer(base, [], split=split)


def _fewest(name: str, text: str) -> int:
    """How many tokens the shortest cut has, found by breadth: all places reached with 1, 2, … tokens."""
    known = encoding(name)
    tokens = set(known._mergeable_ranks)
    total = 0
    for pre_token in regex.findall(known._pat_str, text):
        data, reached = pre_token.encode(), {0}
        while len(data) not in reached:
            total += 1
            reached = {
                end
                for start in reached
                for end in range(start + 1, len(data) + 1)
                if data[start:end] in tokens
            }
    return total


@singledispatch
def second_route(claim: Any, lesson: Lesson) -> Any:
    raise NotImplementedError(type(claim))


@second_route.register
def _(claim: measured.Tokens, lesson: Lesson) -> int:
    spec = _spec(lesson, claim.run)
    if spec.tokenizer or spec.merges_of:
        assert claim.step is None
        return len(_pieces_of(lesson, measured.Pieces(by=spec.merges_of or claim.run), text_of(spec)))
    return trained_by_brute_force(spec, spec.merges if claim.step is None else claim.step)[0].token_total


@second_route.register
def _(claim: measured.Vocabulary, lesson: Lesson) -> int:
    if claim.by:
        known = encoding(claim.by)
        return len(known._mergeable_ranks) + len(known.special_tokens_set)
    spec = _spec(lesson, claim.run)
    return len(trained_by_brute_force(spec, spec.merges if claim.step is None else claim.step)[0].tokens)


@second_route.register
def _(claim: measured.Merges, lesson: Lesson) -> int:
    if _spec(lesson, claim.run).replayed:
        return len(_occurring(_spec(lesson, claim.run)))
    if (spec := _spec(lesson, claim.run)).tokenizer:
        return len(_replayed(spec)) + (len(_continued(spec)) if spec.new_merges else 0)
    return len(_steps(lesson, claim.run))


@second_route.register
def _(claim: measured.Count, lesson: Lesson) -> int:
    spec = _spec(lesson, claim.run)
    trainer = trained_by_brute_force(spec, spec.merges if claim.step is None else claim.step)[0]
    pair = tuple(trainer.tokens.index(half.encode()) for half in claim.pair)
    return dict(trainer.pairs()).get(pair, 0)  # type: ignore[call-overload]


@second_route.register
def _(claim: measured.Merge, lesson: Lesson) -> tuple[bytes, bytes]:
    spec = _spec(lesson, claim.run)
    if spec.tokenizer:
        return _replayed(spec)[claim.merge - 1]
    left, right = _steps(lesson, claim.run)[claim.merge - 1].pair
    tokens = trained_by_brute_force(spec, spec.merges)[0].tokens
    return tokens[left], tokens[right]


@second_route.register
def _(claim: measured.Made, lesson: Lesson) -> tuple[bytes]:
    if _spec(lesson, claim.run).replayed:
        left, right, _id = _occurring(_spec(lesson, claim.run))[claim.merge - 1]
        return ((left + right).encode(),)
    return (_steps(lesson, claim.run)[claim.merge - 1].token,)


@second_route.register
def _(claim: measured.MergeCount, lesson: Lesson) -> int:
    return _steps(lesson, claim.run)[claim.merge - 1].count


@second_route.register
def _(claim: measured.Tied, lesson: Lesson) -> int:
    return _steps(lesson, claim.run)[claim.merge - 1].tied


@second_route.register
def _(claim: measured.MergeOf, lesson: Lesson) -> int:
    return next(s.rank for s in _steps(lesson, claim.run) if s.token == claim.token.encode()) + 1


@second_route.register
def _(claim: measured.PreToken, lesson: Lesson) -> int:
    spec = _spec(lesson, claim.run)
    pattern = _tokenizer(spec).split.regex or ""
    return sum(regex.findall(pattern, text).count(claim.token) for text in spec.texts or (text_of(spec),))


@second_route.register
def _(claim: measured.Bytes, lesson: Lesson) -> int:
    text = text_of(claim) or text_of(_spec(lesson, claim.run))
    text = text.replace("\n", "") if claim.language else text
    return sum(1 + (c > "\x7f") + (c > "\u07ff") + (c > "\uffff") for c in text)


@second_route.register
def _(claim: measured.Characters, lesson: Lesson) -> int:
    text = text_of(claim) or text_of(_spec(lesson, claim.run))
    text = text.replace("\n", "") if claim.language else text
    return sum(byte & 0xC0 != 0x80 for byte in text.encode())


@second_route.register
def _(claim: measured.Occurs, lesson: Lesson) -> int:
    text = text_of(claim) or text_of(_spec(lesson, claim.run))
    return len(text.split(claim.part)) - 1


@second_route.register
def _(claim: measured.Encoded, lesson: Lesson) -> int:
    return len(_pieces(lesson, claim))


@second_route.register
def _(claim: measured.Continuations, lesson: Lesson) -> int:
    return len(encoding(claim.by).encode_with_unstable(text_of(claim))[1])


@second_route.register
def _(claim: measured.Pieces, lesson: Lesson) -> tuple[bytes, ...]:
    return _pieces(lesson, claim)


@second_route.register
def _(claim: measured.Ids, lesson: Lesson) -> str:
    text = text_of(claim) or text_of(_spec(lesson, claim.run))
    return ", ".join(map(str, encoding(claim.by).encode_ordinary(text)))


@second_route.register
def _(claim: measured.Id, lesson: Lesson) -> int:
    if claim.by in lesson.runs and lesson.runs[claim.by].replayed:
        made = {left + right: token_id for left, right, token_id in lesson.runs[claim.by].replayed}
        return made[claim.token]
    name = claim.by if claim.by and claim.by not in lesson.runs else _spec(lesson, claim.by).tokenizer
    return encoding(name).encode_single_token(claim.token)


@second_route.register
def _(claim: measured.Shortest, lesson: Lesson) -> int:
    return _fewest(claim.by, text_of(claim))


@second_route.register
def _(claim: of.Ratio, lesson: Lesson) -> float:
    over, under = (second_route(lesson.claims[name], lesson) for name in (claim.over, claim.under))
    return round(over / under, claim.decimals)


@second_route.register
def _(claim: of.Difference, lesson: Lesson) -> int:
    return second_route(lesson.claims[claim.more], lesson) - second_route(lesson.claims[claim.less], lesson)


@second_route.register
def _(claim: of.Same, lesson: Lesson) -> str:
    values = {second_route(lesson.claims[name], lesson) for name in (claim.one, claim.other)}
    return ["the same", "different"][len(values) - 1]


@second_route.register
def _(claim: of.Largest, lesson: Lesson) -> str:
    return sorted(claim.among, key=lambda name: second_route(lesson.claims[claim.among[name]], lesson))[-1]


@second_route.register
def _(claim: of.Smallest, lesson: Lesson) -> str:
    return sorted(claim.among, key=lambda name: second_route(lesson.claims[claim.among[name]], lesson))[0]
