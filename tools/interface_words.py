"""What the interface says: the sentences in its Python, HTML and JavaScript files, which are only read.

python -m tools.interface_words    # prints them all, to be read in one go
"""

import ast
import re
import tomllib
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

from tests.support.paths import ROOT

__all__ = [
    "PACKAGE",
    "READ",
    "error_sentences",
    "html_sentences",
    "page_sentences",
    "script_sentences",
    "sentences",
    "shown_in",
    "spoken",
    "word_count",
]

PACKAGE = ROOT / "bpeviz"
#: The files with texts: the page, the command line, errors and lessons.
READ = (".py", ".html", ".js", ".toml")
#: Words with a space between: not a key, a class or an address.
_SPOKEN = re.compile(r"[^\W\d_]{2,}.* .*[^\W\d_]{2,}|^[A-Z][a-z]{2,}[.?!…]?$", re.DOTALL)
#: Styles, markup and formats, which no person reads.
_NO_WORDS = re.compile(r"^[.#@<:\[]|[{}]|;$|=[\"']|^\w+-\w+ ")

#: The end of a sentence.
_END = re.compile(r"(?<=[.!?])[*”\")]*\s+|\n+")


def sentences(text: str) -> list[str]:
    """The sentences of a text: "One. Two? Three" -> ["One.", "Two?", "Three"]."""
    return [each for each in map(str.strip, _END.split(text)) if each]


def word_count(sentence: str) -> int:
    """The number of words; what has no letter or digit, such as "·" or "+", is none."""
    return sum(any(map(str.isalnum, word)) for word in sentence.split())


def shown_in(file: Path) -> list[str]:
    """The sentences of a file of the package that a person may read."""
    if file.suffix == ".html":
        return html_sentences(file)
    if file.suffix == ".js":
        return script_sentences(file)
    if file.suffix == ".toml":
        return lesson_sentences(file)
    name = file.relative_to(PACKAGE)
    if name.parts[0] in ("ui", "cli"):
        return page_sentences(file)
    return error_sentences(file)


def lesson_sentences(file: Path) -> list[str]:
    """The sentences of a lesson that a person reads: its title, what it is about, and its captions."""
    lesson = tomllib.loads(file.read_text("utf-8"))
    texts = [lesson["title"], lesson["about"], *(stop["caption"] for stop in lesson["stops"])]
    return [sentence for text in texts for sentence in sentences(text)]


def spoken(shown: list[str]) -> list[str]:
    """Those sentences that have words, each once."""
    return list(dict.fromkeys(each for each in shown if _SPOKEN.search(each) and not _NO_WORDS.search(each)))


def page_sentences(file: Path) -> list[str]:
    """The sentences in every string of a file that is no docstring."""
    tree = ast.parse(file.read_text("utf-8"))
    return _sentences_in(tree, _docstrings(tree))


def error_sentences(file: Path) -> list[str]:
    """The sentences in the messages of a file's error classes, and in what it raises errors with."""
    tree = ast.parse(file.read_text("utf-8"))
    docstrings = _docstrings(tree)
    places = [node for node in ast.walk(tree) if isinstance(node, ast.Raise) or _is_error_class(node)]
    return [sentence for place in places for sentence in _sentences_in(place, docstrings)]


class _Page(HTMLParser):
    """The texts of a page: what its attributes say, and the text between tags that are not inline."""

    SAYING = ("title", "aria-label", "placeholder", "alt")
    INLINE = ("b", "i", "em", "strong", "code", "kbd", "bdi", "span", "small", "output")

    def __init__(self, page: str) -> None:
        super().__init__()
        self.texts = [""]
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = [value for name, value in attrs if name in self.SAYING and value]
        if said or tag not in self.INLINE:
            self.texts += [*said, ""]

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.INLINE:
            self.texts.append("")

    def handle_data(self, data: str) -> None:
        self.texts[-1] += data


def html_sentences(file: Path) -> list[str]:
    """The sentences of an HTML file: its text, and the attributes that a person reads or hears."""
    return [sentence for text in _Page(file.read_text("utf-8")).texts for sentence in sentences(text)]


#: A comment, a regular expression after a sign, a string, or a mark at which code and templates alternate.
_TOKEN = re.compile(
    r"//[^\n]*|/\*.*?\*/"
    r"|(?<=[(,=:?!&|])\s*/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n\[*])+/"
    r"|\"(?P<double>(?:\\.|[^\"\\\n])*)\"|'(?P<single>(?:\\.|[^'\\\n])*)'|(?P<mark>[`{}])",
    re.DOTALL,
)


def script_sentences(file: Path) -> list[str]:
    """The sentences in the strings of a script; what a template puts in is one word.

    Keys and class names are strings too; being short, they pass.
    """
    return [sentence for text in _script_texts(file.read_text("utf-8")) for sentence in sentences(text)]


def _script_texts(script: str) -> list[str]:
    texts: list[str] = []
    _read_code(script, 0, texts)
    return [text for text in texts if text]


def _read_code(script: str, place: int, texts: list[str]) -> int:
    """Read the strings of the code from a place on, up to the brace that ends it; return the place after."""
    depth = 0
    while found := _TOKEN.search(script, place):
        place = found.end()
        match found["mark"]:
            case "`":
                place = _read_template(script, place, texts)
            case "{":
                depth += 1
            case "}" if depth == 0:
                return place
            case "}":
                depth -= 1
            case _:
                texts.append(_unescaped(found["double"] or found["single"] or ""))
    return len(script)


def _read_template(script: str, place: int, texts: list[str]) -> int:
    """Read a template from its first character on; return the place after it."""
    text, here = "", len(texts)
    while place < len(script) and script[place] != "`":
        if script.startswith("${", place):
            text += "X"
            place = _read_code(script, place + 2, texts)
        else:
            length = 2 if script[place] == "\\" else 1
            text += script[place : place + length]
            place += length
    texts.insert(here, _unescaped(text))
    return place + 1


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", lambda found: {"n": "\n"}.get(found[1], found[1]), text)


def _is_error_class(node: ast.AST) -> bool:
    return isinstance(node, ast.ClassDef) and node.name.endswith("Error")


def _docstrings(tree: ast.AST) -> set[ast.AST]:
    """The strings that stand alone, as statements."""
    return {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}


def _sentences_in(tree: ast.AST, skipped: set[ast.AST]) -> list[str]:
    return [sentence for text in _texts(tree, skipped) for sentence in sentences(text)]


def _texts(node: ast.AST, skipped: set[ast.AST]) -> Iterator[str]:
    """Every string below a node; what an f-string puts in is one word."""
    if node in skipped and isinstance(node, ast.Constant | ast.JoinedStr):
        return
    if isinstance(node, ast.Constant):
        if isinstance(node.value, str):
            yield node.value
        return
    if isinstance(node, ast.JoinedStr):
        yield "".join(str(part.value) if isinstance(part, ast.Constant) else "X" for part in node.values)
    for child in ast.iter_child_nodes(node):
        if not (isinstance(node, ast.JoinedStr) and isinstance(child, ast.Constant)):
            yield from _texts(child, skipped)


if __name__ == "__main__":
    for each_file in sorted(PACKAGE.rglob("*")):
        shown = shown_in(each_file) if each_file.suffix in READ else []
        said = shown if each_file.suffix == ".toml" else spoken(shown)
        if said:
            print(f"\n## {each_file.relative_to(PACKAGE)}", *said, sep="\n")
