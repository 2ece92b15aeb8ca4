"""Texts that are not tokenizer files: what they are, and what to give instead.

    <!DOCTYPE html> …            a web page, in place of the file
    {"error": "Not found"}       an answer of a server, in place of the file
    the 1000                     a list of tokens with counts
    12 'the' 3                   the vocabulary of RWKV

All lines of a kind match one pattern, and some of them a second one.
"""

import re
from collections.abc import Mapping, Sequence

from bpeviz.formats.source import FaultError
from bpeviz.text.file_kinds import kind_of_pickle
from bpeviz.words import in_short

__all__ = ["READABLE", "answer_of_a_server", "no_tokenizer", "other_format"]

READABLE = (
    "What can be read: a Hugging Face tokenizer.json, a SentencePiece .model, a .tiktoken file, "
    "js-tiktoken's JSON, Mistral's tekken.json, the tokenizer in a GGUF file, GPT-2's vocab.json and "
    "merges.txt together, CLIP's bpe_simple_vocab_16e6.txt, a minbpe .model file, codes of subword-nmt, or "
    "vocab.json and bpe_merges.txt of “LLMs from scratch” together."
)

_AGAIN = "Download the file itself: on the Hub or GitHub, by its download or raw link."
_ASK = "Log in, ask for access on the model's page, and download the file again."
_MARKUP = re.compile(r"\s*<(?:!doctype\s+html|html|head|body|\?xml|error)\b", re.IGNORECASE)
_NO_ACCESS = re.compile(
    r"restricted|gated|authenticat|unauthori[sz]ed|forbidden|invalid username|\b40[13]\b", re.I
)
#: The keys of a JSON object that a server answers with.
_ANSWERS = ("error", "errors", "detail", "message")
_MOST_ANSWER_KEYS = 8
#: A text of at most so many characters is quoted.
_SHORT = 2_000

#: What else a text may be, what to do, a pattern that all its lines match, and one that some match.
_KINDS = (
    (
        "a vocab.txt, the vocabulary of a WordPiece tokenizer such as BERT's, which doesn't say how texts "
        "are split",
        "Give the tokenizer.json of the same model.",
        r"\S+|.",
        r"\[UNK\]|\[PAD\]|##.+",
    ),
    (
        "the vocabulary of RWKV, which has no merges: its tokenizer takes the longest token at each place, "
        "and bpeviz can't",
        "Give the tokenizer of another model.",
        r"\d+ b?(?:'.*'|\".*\") \d+",
        ".*",
    ),
    (
        "a file of codes of fastBPE, or the merges of XLM, FlauBERT or PhoBERT, with counts in a third "
        "column. These models split texts with their own programs, which bpeviz doesn't have",
        "To read only the merges, remove that column and put “#version: 0.2” into the first line, as "
        "subword-nmt writes codes.",
        r"\S+ \S+ \d+",
        ".*",
    ),
    (
        "a .vocab of minbpe, which is for people to read: it doesn't say all bytes",
        "Give the .model file beside it.",
        r"\[.*\](?:\[.*\] -> \[.*\])? \d+",
        ".*",
    ),
    (
        "a model of YouTokenToMe, which only its own library reads",
        "Give a tokenizer.json or a SentencePiece .model.",
        r"-?\d+(?: -?\d+){1,3}",
        r"-?\d+(?: -?\d+){2,3}",
    ),
    (
        "a SentencePiece vocabulary (.vocab), which lists the pieces only",
        "Give the .model file beside it.",
        r"[^\t]+\t(?:0|-[\d.e-]+)",  # scores are logarithms or ranks, so counts look different
        ".*",
    ),
)
_COUNT = re.compile(r"(\S+) (\d+)")
_WORD_AND_COUNT = re.compile(r"[^\t]+\t\d+(?:\.\d+)?|\d+(?:\.\d+)?\t[^\t]+")
_BASE64 = re.compile(r"(?:[A-Za-z0-9+/]{4})+|(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)")


def other_format(whole_lines: Sequence[str], text: str) -> str:
    """Return what a text is that people often take for a tokenizer file, and what to give instead; empty if
    it is none of these. ``whole_lines`` are its first lines."""
    if _MARKUP.match(text):
        kind = "XML" if text.lstrip()[:5].lower() in ("<?xml", "<erro") else "a web page (HTML)"
        return f"it is {kind}, in place of the file. {_AGAIN}"
    for what, remedy, line, marked in _KINDS:
        fits = whole_lines and all(map(re.compile(line).fullmatch, whole_lines))
        if fits and any(map(re.compile(marked).fullmatch, whole_lines)):
            return f"it is {what}. {remedy}"
    if whole_lines and all(map(_WORD_AND_COUNT.fullmatch, whole_lines)):
        return (
            "it lists words and how often they occur, which is no tokenizer. Give a tokenizer file; or train "
            "on texts, or on counts in a CSV file with the columns pre_token and count."
        )
    if _is_list_of_counts(whole_lines):
        return (
            "it lists tokens with counts, and no merges, as fairseq's dict.txt, PhoBERT's vocab.txt and the "
            "vocabularies of subword-nmt do. Give the tokenizer.json of the same model, or the codes of "
            "subword-nmt."
        )
    return ""


def _is_list_of_counts(whole_lines: Sequence[str]) -> bool:
    """Return whether lines are tokens with counts, and neither merges of digits nor tokens in base64 with
    ranks."""
    found = [match for line in whole_lines if (match := _COUNT.fullmatch(line))]
    in_base64 = sum(_BASE64.fullmatch(match[1]) is not None for match in found)
    if len(found) < max(1, len(whole_lines)) or 2 * in_base64 > len(found):
        return False
    made: set[str] = set()
    for token, count in (match.groups() for match in found):
        if len(token) > 1 and token not in made:
            return True
        made.add(token + count)
    return False


def answer_of_a_server(values: Mapping[str, object]) -> FaultError | None:
    """Return the error for a JSON object that a server sent in place of a file; None for any other."""
    keys = [key for key in _ANSWERS if key in values]
    if not keys or len(values) > _MOST_ANSWER_KEYS:
        return None
    said = next((str(values[key]) for key in keys if isinstance(values[key], str)), str(values[keys[0]]))
    return _answer(said)


def no_tokenizer(text: str) -> FaultError:
    """Return the error for a text of no known format; one that is short is quoted."""
    if _NO_ACCESS.search(text) and len(text) <= _SHORT:
        return _answer(text)
    if kind := kind_of_pickle(text.encode("utf-8", "ignore")):
        return FaultError(f"it is {kind.what}. {kind.remedy}")
    begins = f"it begins with “{in_short(text)}”, so " if len(text) <= _SHORT else ""
    return FaultError(f"{begins}it is not a tokenizer file. {READABLE}")


def _answer(said: str) -> FaultError:
    remedy = _ASK if _NO_ACCESS.search(said) else _AGAIN
    return FaultError(f"it is an answer of a server in place of the file: “{in_short(said, 100)}”. {remedy}")
