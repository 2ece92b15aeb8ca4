"""Mistakes: rules of trainers as people write them, each a change of the right ones."""

from collections.abc import Iterator
from dataclasses import replace

from bpeviz.merge_check.changes import Change
from bpeviz.merge_check.count_mistakes import count_mistakes
from bpeviz.merge_check.rules import Rules, Texts
from bpeviz.merge_check.wall_mistakes import wall_mistakes
from bpeviz.training.recipes import RECIPES, Recipe

__all__ = ["other_recipes", "rule_mistakes"]

#: How rarely a pre-token may occur before a trainer leaves it out.
RARE_WORDS = (2, 3, 4, 5, 10)


def rule_mistakes(rules: Rules, texts: Texts) -> Iterator[Change]:
    """Yield the mistakes in rules that this text can show."""
    yield from count_mistakes()
    if not texts.cut:
        yield from wall_mistakes(rules, texts)
    yield from _symbols(rules)
    if rules.minimum > 1:
        yield Change(
            "minimum-frequency",
            "1",
            f"Yours merges pairs that occur fewer than {rules.minimum:,} times, and the rule doesn't",
            rules=lambda of: replace(of, minimum=1),
        )
    for rare in RARE_WORDS:
        yield Change(
            "minimum-frequency",
            f"pre-tokens-{rare}",
            "Yours leaves out pre-tokens that occur fewer than ",
            f"{rare:,} times",
            lambda of, rare=rare: replace(of, rare=rare),  # type: ignore[misc]
        )
    yield Change(
        "words-once",
        "once",
        "Yours counts each distinct pre-token once, and not as often as it occurs",
        rules=lambda of: replace(of, once=True),
    )


def _symbols(rules: Rules) -> Iterator[Change]:
    recipe = rules.recipe
    if "bytes" in recipe.base:
        yield Change(
            "characters",
            "characters",
            "Yours begins with characters, the rule with bytes",
            rules=lambda of: replace(of, symbols="characters"),
        )
        yield Change(
            "gpt2-text",
            "trained",
            "Yours writes the text in GPT-2's characters and merges the bytes of those: Ġ is two bytes",
            rules=lambda of: replace(of, symbols="gpt2-text"),
        )
        yield Change(
            "gpt2-text",
            "trained-spaces",
            "Yours writes Ġ for each space of the pre-tokens, and merges its two bytes",
            rules=lambda of: replace(of, symbols="gpt2-spaces"),
        )
    else:
        yield Change(
            "characters",
            "bytes",
            "Yours begins with bytes, the rule with characters",
            rules=lambda of: replace(of, symbols="bytes"),
        )
    other: dict[str, Recipe] = {}
    if recipe.base == "bytes-by-value":
        other["gpt2"] = replace(recipe, base="bytes-by-gpt2-character", cuts_at_special_tokens=False)
    elif "bytes" in recipe.base:
        other["value"] = replace(recipe, base="bytes-by-value", special_tokens_at="after-base")
    for name, numbered in other.items():
        by = "their values" if name == "value" else "GPT-2's characters"
        yield Change(
            "numbering",
            name,
            f"Yours numbers the bytes by {by}, which decides ties",
            rules=lambda of, numbered=numbered: replace(of, recipe=numbered),  # type: ignore[misc]
        )
    yield Change(
        "same-bytes",
        "several" if recipe.merges_alike else "one",
        "Yours takes tokens with the same bytes for different tokens"
        if recipe.merges_alike
        else "Yours takes all tokens with the same bytes for one token",
        rules=lambda of: replace(of, recipe=replace(of.recipe, merges_alike=not recipe.merges_alike)),
    )
    if recipe.max_token_length is not None:
        yield Change(
            "longest-token",
            "none",
            f"Yours makes tokens longer than {recipe.length_limit}, and the rule doesn't",
            rules=lambda of: replace(of, recipe=replace(of.recipe, max_token_length=None)),
        )


def other_recipes(rules: Rules, texts: Texts) -> Iterator[Change]:
    """Yield each other recipe as a whole. A text that is cut already can't show it."""
    for name, recipe in RECIPES.items():
        if name == rules.recipe.name or texts.cut:
            continue
        whole = Rules(recipe, recipe.split_pattern(), recipe.special_tokens, recipe.min_frequency)
        yield Change(
            "recipe",
            name,
            "Yours makes the merges of another recipe: ",
            name,
            lambda _, whole=whole: whole,  # type: ignore[misc]
        )
