"""What shows each value: registered when the public names are first used, loaded when a value is shown."""

from typing import Any

from bpeviz.analysis.compare import Comparison
from bpeviz.shown import PlayerPage, html_of, player_of
from bpeviz.tokenizer.encoded_text import EncodedText
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.training.history import MergeHistory
from bpeviz.training.result import TrainingResult


@player_of.register
def _(tokenizer: Tokenizer, text: str, **options: Any) -> PlayerPage:
    from bpeviz.standalone.making import player_of_tokenizer

    return player_of_tokenizer(tokenizer, text, **options)


@player_of.register
def _(result: TrainingResult, text: str | None, **options: Any) -> PlayerPage:
    from bpeviz.standalone.making import player_of_result

    return player_of_result(result, text, **options)


@player_of.register
def _(history: MergeHistory, text: str | None, **options: Any) -> PlayerPage:
    from bpeviz.standalone.making import player_of_history

    return player_of_history(history, text, **options)


@player_of.register
def _(comparison: Comparison, **options: Any) -> PlayerPage:
    from bpeviz.standalone.making import player_of_comparison

    return player_of_comparison(comparison, **options)


@html_of.register
def _(encoded: EncodedText) -> str | None:
    from bpeviz.standalone.token_rows import row_of, tokens_html

    return encoded.token_bytes and tokens_html([row_of(encoded.ids, encoded.token_bytes)])


@html_of.register
def _(comparison: Comparison) -> str | None:
    from bpeviz.standalone.token_rows import rows_of_comparison, tokens_html

    return comparison.compared and tokens_html(rows_of_comparison(comparison))
