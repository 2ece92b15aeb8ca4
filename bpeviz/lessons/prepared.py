"""A lesson with its runs: each is trained, or replayed, when it is first used, once for all sessions."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from threading import Lock

import numpy as np

from bpeviz.core.gap_ranks import NEVER, SKIPPED, GapRanks
from bpeviz.core.token_chain import Pair
from bpeviz.corpus.corpus import Corpus
from bpeviz.errors import BpevizError, LessonError
from bpeviz.formats.pretrained import is_pretrained, load_pretrained
from bpeviz.lessons.claim import Claim, OfText, Text
from bpeviz.lessons.lesson import Lesson, PairGuess, RunSpec
from bpeviz.lessons.reading import lesson_files, lesson_named
from bpeviz.runs.parallel_sample import LANGUAGES, parallel_sentences
from bpeviz.runs.replay import replay
from bpeviz.runs.run import NamedText, Run, new_number
from bpeviz.runs.samples import SAMPLES, STANDARD_LIBRARY, read_sample
from bpeviz.text.pre_token_ends import pre_tokens
from bpeviz.text.split_patterns import SplitPattern, custom_split_pattern
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.training.choice import Choice
from bpeviz.training.recipes import Recipe, get_recipe
from bpeviz.training.settings import CUSTOM_SPLIT, RECIPE_SPLIT, TrainingSettings
from bpeviz.training.trainer import Trainer

__all__ = ["Material", "Prepared", "prepared", "text_of", "texts_of"]

#: Runs kept: more than all lessons have.
MOST_RUNS = 64

_one_at_a_time = Lock()  # with a cache alone, visitors who come at once would each train a run


@dataclass(frozen=True, eq=False)
class Material:
    """A run of a lesson: what the player shows. Several texts are lines of ``text``; the line ends between
    them belong to no token, as the trainer never saw them."""

    run: Run
    text: str
    gap_ranks: GapRanks
    replayed: bool

    def until(self, step: int) -> "Material":
        """Return the same without the merges after ``step``."""
        result = self.run.result
        until = replace(result.after(step), pre_tokens=result.pre_tokens)
        open_now = (self.gap_ranks >= step) & (self.gap_ranks < NEVER)
        ranks = np.where(open_now, np.int32(NEVER), self.gap_ranks)
        return replace(self, run=replace(self.run, result=until), gap_ranks=ranks)


@dataclass(frozen=True, eq=False)
class Prepared:
    """A lesson, and the ``file`` that it is from."""

    file: str
    lesson: Lesson

    @property
    def claims(self) -> Mapping[str, Claim]:
        return self.lesson.claims

    def run(self, name: str) -> Run:
        """Return the training result of a run; of the first without a name. Raises LessonError."""
        return self.material(name).run

    def material(self, name: str = "") -> Material:
        """Return a run of the lesson; the first without a name. Raises LessonError."""
        name = name or next(iter(self.lesson.runs))
        spec = self.lesson.runs[name]
        try:
            learned = self.material(spec.merges_of).run.tokenizer if spec.merges_of else None
            return _material(name, spec, learned)
        except BpevizError as error:
            raise LessonError(self.file, f"runs.{name}", str(error)) from None

    def material_at(self, place: int) -> tuple[Material, int]:
        """Return the run of a stop, and its step. Raises LessonError for a step beyond the run."""
        stop = self.lesson.stops[place]
        material = self.material(stop.run)
        last = len(material.run.steps)
        step = last if stop.step is None else stop.step
        why = f"The run has {last} merges. Give a smaller step."
        if step + isinstance(stop.guess, PairGuess) > last:
            raise LessonError(self.file, f"stops[{place}].step", why)
        if stop.action and stop.action.step is not None and stop.action.step > last:
            raise LessonError(self.file, f"stops[{place}].action.step", why)
        return material, step

    def text(self, source: OfText) -> str:
        """Return the text of a claim. Raises LessonError."""
        return text_of(source) or self.material(source.run).text

    def texts(self, source: OfText) -> tuple[str, ...]:
        """Return the text of a claim; of a language each sentence apart. Raises LessonError."""
        spec = source if text_of(source) else self.lesson.runs[source.run or next(iter(self.lesson.runs))]
        return texts_of(spec, self.text(source))

    def tokenizer(self, by: str) -> Tokenizer:
        """Return the tokenizer of a run, complete if its merges are replayed, or a built-in one.

        Raises LessonError.
        """
        spec = self.lesson.runs.get(by or next(iter(self.lesson.runs)))
        name = spec.tokenizer if spec else by
        if not name or (spec and spec.new_merges):
            return self.material((spec and spec.merges_of) or by).run.tokenizer
        try:
            return load_pretrained(name)
        except BpevizError as error:
            raise LessonError(self.file, "by", str(error)) from None


def prepared(slug: str) -> Prepared:
    """Return the lesson of a slug that lesson_files knows. Raises LessonError."""
    return Prepared(lesson_files()[slug].name, lesson_named(slug))


def text_of(source: Text) -> str:
    """Return the text that a source gives; empty if it gives none. Raises BpevizError for an unknown name."""
    if source.sample:
        known = [title for title in SAMPLES if title != STANDARD_LIBRARY.title]
        if source.sample not in known:
            raise BpevizError(f"There is no sample {source.sample!r}. Choose one of: {', '.join(known)}.")
        return read_sample(source.sample)
    if source.language:
        if source.language not in LANGUAGES:
            raise BpevizError(
                f"There is no language {source.language!r}. Choose one of: {', '.join(LANGUAGES)}."
            )
        return "\n".join(parallel_sentences(source.language)) + "\n"
    return "\n".join(source.texts) if source.texts else source.text


def texts_of(source: Text, text: str) -> tuple[str, ...]:
    """Return what is counted of ``text``, which a source gives: of a language each sentence, without line
    ends, as language_cost counts."""
    return source.texts or (tuple(parallel_sentences(source.language)) if source.language else (text,))


def _material(name: str, spec: RunSpec, learned: Tokenizer | None) -> Material:
    with _one_at_a_time:
        return _made(name, spec, learned)


@lru_cache(maxsize=MOST_RUNS)
def _made(name: str, spec: RunSpec, learned: Tokenizer | None) -> Material:
    """``learned`` has the merges of ``spec.merges_of``."""
    text = text_of(spec)
    if not text:
        raise BpevizError("It has no text. Give it text, texts, sample or language.")
    if spec.replayed:
        run = replay(NamedText(name, text), _listed(spec, text), "This replay")
        return Material(run, text, run.gap_ranks, replayed=True)
    if learned is None and not spec.tokenizer:
        return _train_material(name, spec, text)
    tokenizer, called = (
        (learned, "This tokenizer") if learned else (_pretrained(spec.tokenizer), spec.tokenizer)
    )
    texts = texts_of(spec, text)
    run = replay(
        NamedText(name, text), tokenizer, called, texts, recipe=spec.recipe, new_merges=spec.new_merges
    )
    return Material(run, text, _with_line_ends(run.gap_ranks, texts, text), replayed=True)


def _listed(spec: RunSpec, text: str) -> Tokenizer:
    """Return the tokenizer of the merges that a run lists."""
    recipe = get_recipe(spec.recipe)
    result = Trainer(Corpus.from_text(text, _split(spec, recipe)), recipe, num_merges=0).result()
    # inside a text: at its beginning or end, a recipe may drop a space or have another symbol
    letters = sorted({letter for merge in spec.replayed for half in merge[:2] for letter in str(half)})
    spelled = (result.base.spell([letter * 3]).ids.tolist() for letter in letters)
    ids = {letter: own[1] for letter, own in zip(letters, spelled, strict=True) if 1 < len(own) < 4}
    merges: list[tuple[Pair, int]] = []
    for left, right, token_id in spec.replayed:
        if left not in ids or right not in ids:
            raise BpevizError(f"There are no tokens {left!r} and {right!r} yet. Correct replayed.")
        merges.append(((ids[left], ids[right]), token_id))
        ids[left + right] = token_id
    return Tokenizer(result.tokenizer.base, merges, split=result.tokenizer.split)


def _train_material(name: str, spec: RunSpec, text: str) -> Material:
    recipe = get_recipe(spec.recipe)
    settings = TrainingSettings(
        spec.recipe,
        CUSTOM_SPLIT if spec.pattern else spec.split,
        spec.pattern,
        num_merges=spec.merges,
        min_frequency=spec.min_frequency,
    )
    split = _split(spec, recipe)
    texts = texts_of(spec, text)
    trainer = Trainer(
        Corpus.from_texts(texts, split), recipe, num_merges=spec.merges, min_frequency=spec.min_frequency
    )
    choices: list[Choice] = []
    for pair in spec.forced:
        left, right = (trainer.result().tokenizer.token_to_id(half.encode("utf-8")) for half in pair)
        if left is None or right is None:
            raise BpevizError(f"There are no tokens {pair[0]!r} and {pair[1]!r} to force. Correct forced.")
        choices.append(Choice(len(choices), (left, right)))
        trainer.step((left, right))
    for _ in trainer.steps():
        pass
    if not trainer.merges:
        raise BpevizError("No merge was made in its text. Give a longer text.")
    index = {p: i for i, p in enumerate(trainer.corpus.pre_tokens)}
    cut = [[index[p] for p in pre_tokens(each, split)] for each in texts]
    result = replace(trainer.result(), pre_tokens=np.array([i for one in cut for i in one], np.int64))
    run = Run(new_number(), name, NamedText(name, text), replace(settings, choices=tuple(choices)), result)
    return Material(run, text, _with_line_ends(run.gap_ranks, texts, text), replayed=False)


def _pretrained(name: str) -> Tokenizer:
    if not is_pretrained(name):
        raise BpevizError(f"There is no built-in tokenizer {name!r}. Use gpt2, cl100k_base or o200k_base.")
    return load_pretrained(name)


def _split(spec: RunSpec, recipe: Recipe) -> SplitPattern:
    if spec.pattern:
        return recipe.split_pattern(custom_split_pattern(spec.pattern))
    return recipe.split_pattern(None if spec.split == RECIPE_SPLIT else spec.split)


def _with_line_ends(gap_ranks: GapRanks, texts: tuple[str, ...], text: str) -> GapRanks:
    """Return the gap ranks with a skipped byte after each of ``texts`` that has a line end after it in
    ``text``."""
    sizes = [len(each.encode("utf-8")) for each in texts]
    places = np.cumsum(sizes)[: len(text.encode("utf-8")) - sum(sizes)]
    return np.insert(gap_ranks, places, SKIPPED).astype(np.int32)
