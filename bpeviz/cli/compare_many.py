"""compare --tokenizer: metrics of up to six tokenizers, on one text, several files or the parallel sample."""

import math
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict

from bpeviz.analysis.tokenizer_metrics import TokenizerMetrics, tokenizer_metrics, total_metrics
from bpeviz.cli.inputs import load_tokenizer, read_texts
from bpeviz.cli.parser import UsageError
from bpeviz.cli.streams import Streams, printable, table
from bpeviz.runs.parallel_sample import LANGUAGES, parallel_sentences

__all__ = ["add_options", "is_asked", "run"]

MOST_TOKENIZERS = 6
_HEADINGS = (
    *("tokenizer", "vocabulary", "tokens", "bytes per token", "tokens per word"),
    *("words kept whole", "NSL", "Rényi", "vocabulary used"),
)
_FORMATS = ("{:,}", "{:,}", "{:.3f}", "{:.3f}", "{:.1%}", "{:.3f}", "{:.3f}", "{:.2%}")

#: The metrics of each tokenizer on each part, by their names.
Metrics = Mapping[str, Mapping[str, TokenizerMetrics]]


def add_options(parser: ArgumentParser) -> None:
    """Let compare take up to six tokenizers."""
    many = parser.add_argument_group("up to six tokenizers, in place of --left and --right")
    many.add_argument(
        "--tokenizer",
        action="append",
        default=[],
        metavar="NAME_OR_PATH",
        help=f"a tokenizer, as for --left; repeatable, 2 to {MOST_TOKENIZERS}. --file is repeatable too",
    )
    many.add_argument(
        "--baseline", metavar="NAME", help="the one that others are measured against; otherwise the first"
    )
    many.add_argument(
        "--parallel",
        action="store_true",
        help=f"take the same sentences in {len(LANGUAGES)} languages, and print the tokens of each language",
    )


def is_asked(arguments: Namespace) -> bool:
    """Return whether up to six are to be compared, and not --left and --right. Raises UsageError for a
    mixture."""
    pair = any(
        value is not None for name, value in vars(arguments).items() if name.startswith(("left", "right"))
    )
    if arguments.tokenizer and pair:
        raise UsageError("give --tokenizer, or --left and --right, not both.")
    if not arguments.tokenizer and (arguments.parallel or arguments.baseline is not None):
        raise UsageError("--baseline and --parallel need --tokenizer, twice or more.")
    if arguments.tokenizer and arguments.changes is not None:
        raise UsageError("--changes needs --left or --right.")
    if arguments.tokenizer and arguments.color:
        raise UsageError("--color needs --left or --right.")
    return bool(arguments.tokenizer)


def run(arguments: Namespace, streams: Streams) -> int:
    """Measure every tokenizer and print the table."""
    names: list[str] = arguments.tokenizer
    baseline = _checked_baseline(names, arguments.baseline)
    parts = _parts(arguments, streams)
    metrics = {}
    for name in names:
        tokenizer = load_tokenizer(name)
        metrics[name] = {part: tokenizer_metrics(texts, tokenizer) for part, texts in parts.items()}
    if arguments.json:
        streams.write_json(_object(metrics, baseline, parallel=arguments.parallel))
    else:
        streams.write_lines(_report(metrics, baseline, parallel=arguments.parallel))
    return 0


def _checked_baseline(names: Sequence[str], asked: str | None) -> str:
    if not 2 <= len(names) <= MOST_TOKENIZERS:
        raise UsageError(f"give --tokenizer 2 to {MOST_TOKENIZERS} times, not {len(names)}.")
    if len(set(names)) < len(names):
        raise UsageError("give each --tokenizer only once.")
    if asked is not None and asked not in names:
        raise UsageError(f"--baseline must be one of the tokenizers: {', '.join(names)}.")
    return names[0] if asked is None else asked


def _parts(arguments: Namespace, streams: Streams) -> dict[str, Sequence[str]]:
    """Return the texts by the file or the language that they come from."""
    if not arguments.parallel:
        texts = read_texts(arguments, streams)
        names = arguments.file if len(texts) > 1 else ["text"]
        if len(set(names)) < len(names):
            raise UsageError("give each --file only once.")
        return {name: [text] for name, text in zip(names, texts, strict=True)}
    if arguments.text or arguments.file:
        raise UsageError("give a text or --parallel, not both.")
    return {code: parallel_sentences(code) for code in LANGUAGES}


def _object(metrics: Metrics, baseline: str, *, parallel: bool) -> dict[str, object]:
    totals = {name: total_metrics(of_parts.values()) for name, of_parts in metrics.items()}
    first = totals[baseline]
    return {
        "bytes": first.byte_total,
        "words": first.word_total,
        "baseline": baseline,
        "tokenizers": [
            {"tokenizer": name} | {key: _number(value) for key, value in total.figures(first).items()}
            for name, total in totals.items()
        ],
        "parts": [
            {
                **(asdict(LANGUAGES[part]) if parallel else {"name": part}),
                "bytes": of_baseline.byte_total,
                "tokens": {name: metrics[name][part].token_total for name in metrics},
                "normalized_length": {
                    name: metrics[name][part].normalized_length(of_baseline) for name in metrics
                },
            }
            for part, of_baseline in metrics[baseline].items()
        ],
    }


def _number(value: float) -> float | None:
    return None if math.isnan(value) else value


def _report(metrics: Metrics, baseline: str, *, parallel: bool) -> Iterator[str]:
    totals = {name: total_metrics(of_parts.values()) for name, of_parts in metrics.items()}
    first = totals[baseline]
    yield f"{first.byte_total:,} bytes, {first.word_total:,} words; NSL is against {printable(baseline)}"
    yield from table([_HEADINGS, *(_row(name, total, first) for name, total in totals.items())])
    if len(metrics[baseline]) > 1:
        yield f"tokens, and their ratio to {printable(baseline)}:"
        yield from table([["", *map(printable, metrics)], *_part_rows(metrics, baseline, parallel=parallel)])


def _row(name: str, total: TokenizerMetrics, baseline: TokenizerMetrics) -> list[str]:
    values = total.figures(baseline).values()
    return [printable(name), *(_cell(f, value) for f, value in zip(_FORMATS, values, strict=True))]


def _cell(form: str, value: float) -> str:
    return "-" if math.isnan(value) else form.format(value)


def _part_rows(metrics: Metrics, baseline: str, *, parallel: bool) -> Iterator[list[str]]:
    for part, of_baseline in metrics[baseline].items():
        of_each = [of_parts[part] for of_parts in metrics.values()]
        yield [
            LANGUAGES[part].name if parallel else printable(part),
            *(f"{each.token_total:,} ({each.normalized_length(of_baseline):.2f})" for each in of_each),
        ]
