"""What the class of a tokenizer does before a SentencePiece model gets the text, and which tokens it adds.

    XLNetTokenizer, AlbertTokenizer    `` and '' become ", accents go, Albert writes in lower case
    T5Tokenizer                        100 more tokens, <extra_id_99> to <extra_id_0>
    GPTSw3Tokenizer                    control characters go, other spaces become spaces, NFC

The steps are those that the ``transformers`` library gives the class (``convert_slow_tokenizer.py``), as in
a tokenizer.json. tokenizer_config.json may set them.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace

from bpeviz.errors import warn
from bpeviz.formats.model_folder import ModelFolder
from bpeviz.formats.source import FaultError

__all__ = ["extra_tokens", "normalizer_of_class", "numbers_by_place"]

Step = Mapping[str, object]
#: T5 has 100, UL2 some more.
MOST_EXTRA_IDS = 10_000


@dataclass(frozen=True)
class _PieceClass:
    """``quotes``: whether `` and '' become "; ``keep_accents`` and ``do_lower_case`` as they are if nothing
    says them; ``differs``: whether versions of the library differ in this; ``extra_ids``: how many tokens are
    added; ``first``: other steps."""

    quotes: bool = False
    keep_accents: bool = True
    do_lower_case: bool = False
    differs: bool = False
    extra_ids: int = 0
    first: tuple[Step, ...] = ()


def _replace(kind: str, pattern: str, content: str) -> Step:
    return {"type": "Replace", "pattern": {kind: pattern}, "content": content}


_QUOTES = (_replace("String", "``", '"'), _replace("String", "''", '"'))
_ACCENTS = ({"type": "NFKD"}, {"type": "StripAccents"})
_GPT_SW3 = (
    _replace("Regex", "[\x00-\x08\x0b-\x1f\x7f-\xa0\xad\u200b]", ""),
    _replace("Regex", "[\u2002\u2003\u2005\u2008\u2009\u200a\u202f\u3000\ufffc]", " "),
    {"type": "NFC"},
)
_XLNET = _PieceClass(quotes=True, keep_accents=False)
_ALBERT = replace(_XLNET, do_lower_case=True)
#: Classes whose ids are the places of the pieces.
_CLASSES = {
    **dict.fromkeys(("", "PreTrained", "Llama", "CodeLlama", "Gemma", "BigBird", "Reformer"), _PieceClass()),
    **dict.fromkeys(("Plamo", "InternLM2", "Baichuan", "DebertaV2"), _PieceClass()),
    **dict.fromkeys(("T5", "MT5"), _PieceClass(extra_ids=100)),
    "XLNet": _XLNET,
    "Albert": _ALBERT,
    "FNet": replace(_ALBERT, differs=True),
    "RemBert": _PieceClass(quotes=True, differs=True),
    "GPTSw3": _PieceClass(first=_GPT_SW3),
}
_CHANGE_TEXT = ("XLNet", "Albert", "FNet", "RemBert", "DebertaV2")


def numbers_by_place(name: str) -> bool:
    """Return whether the ids of a class are the places of the pieces."""
    return name in _CLASSES


def normalizer_of_class(name: str, folder: ModelFolder) -> str:
    """Return the steps of a class before its model as the JSON of a normalizer; empty if there are none.

    Warns with TokenizerFileWarning of what can't be followed. Raises FaultError for settings that are none.
    """
    known = _CLASSES.get(name, _PieceClass())
    keep_accents, do_lower_case = known.keep_accents, known.do_lower_case
    if name in _CHANGE_TEXT:
        keep_accents = _setting(folder, "keep_accents", known.keep_accents)
        do_lower_case = _setting(folder, "do_lower_case", known.do_lower_case)
    steps = [*known.first, *(_QUOTES if known.quotes else ())]
    steps += _ACCENTS if known.quotes and not keep_accents else ()
    steps += ({"type": "Lowercase"},) if do_lower_case else ()
    if known.differs and "do_lower_case" not in folder.settings:
        warn(
            f"tokenizer_config.json doesn't say do_lower_case, in which versions of {folder.class_name} "
            f"differ. Here it is {str(do_lower_case).lower()}."
        )
    if name == "DebertaV2" and _setting(folder, "split_by_punct", default=False):
        warn(
            "tokenizer_config.json has split_by_punct. That is not followed here: tokens may cross "
            "punctuation."
        )
    return json.dumps({"type": "Sequence", "normalizers": steps}) if steps else ""


def _setting(folder: ModelFolder, name: str, default: bool) -> bool:
    value = folder.settings.get(name)
    if value is not None and not isinstance(value, bool):
        raise FaultError(f"{name} in tokenizer_config.json must be true or false. Export it again.")
    return default if value is None else value


def extra_tokens(name: str, folder: ModelFolder, piece_total: int) -> dict[str, int]:
    """Return the tokens that a class adds after its pieces, with their ids: the last one comes first.

    Raises FaultError if tokenizer_config.json says no number of them.
    """
    total = _CLASSES.get(name, _PieceClass()).extra_ids
    if total:
        said = folder.settings.get("extra_ids", total)
        if isinstance(said, bool) or not isinstance(said, int) or not 0 <= said <= MOST_EXTRA_IDS:
            raise FaultError(
                f"extra_ids in tokenizer_config.json must be a number from 0 to {MOST_EXTRA_IDS:,}. Export "
                "it again."
            )
        total = said
    return {f"<extra_id_{total - 1 - i}>": piece_total + i for i in range(total)}
