"""The tables of docs/serving.md: ``python -m bpeviz.ui.shell.limits_table`` prints them."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields

from bpeviz.corpus.word_search import MOST_WORD_BYTES
from bpeviz.formats import bounds, source
from bpeviz.formats.hub import MOST_SECONDS
from bpeviz.formats.reading_process import READ_BYTES, READ_SECONDS
from bpeviz.limits import HOSTED, Limits, Unit, read_limits
from bpeviz.runs.typed_text import MOST_TYPED_BYTES
from bpeviz.storage.work_document import MOST_DOCUMENT_BYTES
from bpeviz.storage.work_file import MOST_TEXTS
from bpeviz.text.pattern_process import COMPILE_BYTES, COMPILE_SECONDS
from bpeviz.text.split_patterns import MAX_PATTERN_LENGTH
from bpeviz.ui.pages.compare.batch_panel import MOST_FILES
from bpeviz.ui.server.message_guard import MOST_OTHER_BYTES, MOST_WIDGETS
from bpeviz.ui.session.divergence import MOST_BYTES, MOST_MERGES
from bpeviz.ui.session.tokenizers import MOST_UPLOADED

__all__ = ["INPUTS", "Input", "inputs_table", "limits_table"]


@dataclass(frozen=True)
class Input:
    """An input that a visitor may send: ``where`` on the page, its ``label`` and its limit."""

    where: str
    label: str
    most: Callable[[Limits], str]


#: Every field for text, files or numbers, and the inputs without a field.
INPUTS = (
    Input("Watch merges", "Text to train on", lambda most: _bytes_written(most.max_text_bytes)),
    Input(
        "Watch merges", "Text files", lambda most: f"{_bytes_written(most.max_corpus_upload_bytes)} together"
    ),
    Input(
        "Watch merges",
        "Drop text files to train on them",
        lambda most: f"{_bytes_written(most.max_corpus_upload_bytes)} together",
    ),
    Input("Watch merges", "Find in the whole corpus", lambda _: f"{MOST_WORD_BYTES:,} bytes"),
    Input("Watch merges", "Start at (MB)", lambda _: "the size of the file"),
    Input("Watch merges", "Merges", lambda most: f"{most.max_merges:,}"),
    Input("Watch merges", "Minimum frequency", lambda _: "1,000,000"),
    Input(
        "Watch merges",
        "Custom pattern",
        lambda most: (
            f"{MAX_PATTERN_LENGTH} characters; {_bytes_written(COMPILE_BYTES)} and "
            f"{COMPILE_SECONDS:g} seconds to compile, {most.split_timeout_seconds:g} seconds to split a text"
        ),
    ),
    Input("Watch merges", "Name of this run", lambda most: f"{most.max_name_characters} characters"),
    Input("Compare, Why they disagree", "Text", lambda most: _bytes_written(most.max_typed_bytes)),
    Input(
        "Compare, Why they disagree",
        "A text file",
        lambda most: f"{_bytes_written(most.max_text_bytes)}; {_bytes_written(MOST_BYTES)} for disagreements",
    ),
    Input(
        "Compare",
        "Text files",
        lambda most: f"{MOST_FILES} files, {_bytes_written(most.max_text_bytes)} together",
    ),
    Input(
        "Compare, Encode, Vocabulary",
        "Files of one tokenizer",
        lambda most: (
            f"{_bytes_written(most.max_upload_bytes)}; {bounds.MAX_TOKENS:,} tokens, "
            f"{bounds.MAX_MERGES:,} merges, {bounds.MAX_SPECIAL_TOKENS:,} special tokens "
            f"of {bounds.MAX_SPECIAL_LENGTH:,} characters, "
            f"{bounds.MAX_TOKEN_BYTES:,} bytes a token, {_bytes_written(bounds.MAX_TOTAL_BYTES)} of tokens, "
            f"ids up to {source.MAX_TOKEN_ID:,}; {_bytes_written(READ_BYTES)} of memory and "
            f"{READ_SECONDS:g} seconds to read"
        ),
    ),
    Input(
        "Compare",
        "Name of an uploaded tokenizer",
        lambda most: f"{most.max_name_characters} characters; {MOST_UPLOADED} tokenizers",
    ),
    Input(
        "Compare",
        "Model on the Hugging Face Hub",
        lambda most: (
            f"{_bytes_written(most.max_upload_bytes)} in {MOST_SECONDS:g} seconds" if most.hub else "none"
        ),
    ),
    Input("Compare", "Line number", lambda _: "as many as the text has"),
    Input("Why they disagree", "Merges", lambda _: f"{MOST_MERGES:,}"),
    Input("Encode", "Text to encode", lambda most: f"{most.max_encoded_characters:,} characters"),
    Input("Encode", "Part of the text", lambda most: f"{most.max_encoded_characters:,} characters"),
    Input(
        "Encode",
        "Ids to decode",
        lambda most: (
            f"{most.max_ids_characters:,} characters, {most.max_ids:,} ids, "
            f"{_bytes_written(most.max_decoded_bytes)} of text"
        ),
    ),
    Input("Vocabulary", "Search", lambda most: f"{most.max_search_characters:,} characters"),
    Input(
        "session menu, address",
        "Saved session",
        lambda most: (
            f"{_bytes_written(most.max_upload_bytes)} as a file; {MOST_TEXTS} texts and "
            f"{_bytes_written(MOST_DOCUMENT_BYTES)} besides; {most.kept_runs} runs"
        ),
    ),
    Input("WebSocket", "Type or paste your text", lambda _: _bytes_written(MOST_TYPED_BYTES)),
    Input(
        "WebSocket",
        "One message",
        lambda most: (
            f"{_bytes_written(most.max_state_bytes)} in {MOST_WIDGETS:,} fields; "
            f"{_bytes_written(MOST_OTHER_BYTES)} from a component"
        ),
    ),
)


def inputs_table() -> str:
    """Every input with its limit as a Markdown table, for one's own machine and for a hosted server."""
    local, hosted = _both()
    rows = [(each.where, each.label, each.most(local), each.most(hosted)) for each in INPUTS]
    return _table(("where", "input", "on one's own machine", "hosted"), rows)


def limits_table() -> str:
    """Every limit of the page as a Markdown table, for one's own machine and for a hosted server."""
    rows = [
        (f.metadata["label"], *(_written(getattr(each, f.name), f.metadata["unit"]) for each in _both()))
        for f in fields(Limits)
    ]
    return _table(("limit", "on one's own machine", "hosted"), rows)


def _both() -> tuple[Limits, Limits]:
    return read_limits({}), read_limits({HOSTED: "1"})


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, ("---",) * len(head), *rows))


def _written(value: float, unit: Unit) -> str:
    """Write a value with its unit: 2000000 bytes -> "2 MB", 16777216 bytes -> "16 MiB"."""
    match unit:
        case "yes or no":
            return "yes" if value else "no"
        case "count":
            return f"{value:,}"
        case "share":
            return f"{value:.0%}"
        case "bytes":
            return _bytes_written(int(value))
        case _:
            return f"{value:,.15g} {unit.removesuffix('s') if value == 1 else unit}"


def _bytes_written(value: int) -> str:
    if value % 2**20 == 0:
        return f"{value // 2**20:,} MiB"
    if value % 1_000_000 == 0:
        return f"{value // 1_000_000:,} MB"
    return f"{value // 1_000:,} kB" if value % 1_000 == 0 else f"{value:,} bytes"


if __name__ == "__main__":
    print(inputs_table(), limits_table(), sep="\n\n")
