"""The audit of a vocabulary: its figures by other routes, and the report."""

from functools import cache
from html.parser import HTMLParser

import numpy as np
import pytest

from bpeviz import Tokenizer, load_pretrained, train_tokenizer
from bpeviz.analysis.word_families import word_families, words_among
from bpeviz.audit.audit import FINDINGS, LONGEST, VocabularyAudit, audit_tokenizer
from bpeviz.audit.report import audit_html
from bpeviz.audit.token_detail import TextPlaces, TokenDetails
from bpeviz.core.base_vocabulary import ByteVocabulary
from bpeviz.errors import BpevizError
from bpeviz.formats.reading import read_tokenizer
from bpeviz.runs.samples import read_sample
from bpeviz.text.split_patterns import SPLIT_PATTERNS
from tests.support.tokenizer_files import as_file, tiny

TEXT = read_sample("English prose")


@cache
def gpt2_found() -> VocabularyAudit:
    return audit_tokenizer(load_pretrained("gpt2"), TEXT)


HOSTILE = "<script>alert(1)</script> & \"quoted\" 'it' "


def test_the_figures_of_gpt2_by_other_routes() -> None:
    gpt2 = load_pretrained("gpt2")
    found = gpt2_found()
    ids = gpt2.encode(TEXT)
    needed = set(ids)
    waiting = list(needed)
    while waiting:
        pair = next((pair for pair, made in gpt2.ranked if made == waiting[-1]), None)
        waiting.pop()
        for half in pair or ():
            if half not in needed:
                needed.add(half)
                waiting.append(half)
    tokens = gpt2.vocabulary
    ordinary = set(tokens) - {50256}
    assert set(found.ids["never-used"].tolist()) == ordinary - needed
    assert set(found.ids["on-the-way"].tolist()) == needed - set(ids)
    # a token may also hold the character U+FFFD itself
    assert found.figures["cuts-a-character"] == sum(
        token.decode("utf-8", "replace").encode() != token for token in tokens.values()
    )
    assert set(found.ids["overlong"].tolist()) == {
        i for i in ordinary if len(tokens[i].decode("utf-8", "ignore")) > LONGEST
    }
    assert found.uses is not None
    assert found.uses.token_total == len(ids)
    assert int(found.uses.final.sum()) == len(ids)
    assert list(found.figures) == [name for name, each in FINDINGS.items() if each.needs in ("", "text")]


def test_on_the_way_the_token_that_is_made_most_often_comes_first() -> None:
    found = gpt2_found()
    assert found.uses is not None
    row = {i: n for n, i in enumerate(load_pretrained("gpt2").vocabulary)}
    steps = [found.uses.steps[row[i]] for i in found.ids["on-the-way"].tolist()]
    assert steps == sorted(steps, reverse=True)


def test_without_a_text_nothing_is_said_of_uses() -> None:
    found = audit_tokenizer(train_tokenizer("the the then", "minbpe", num_merges=4))
    assert "never-used" not in found.figures
    assert found.uses is None


def test_an_earlier_vocabulary_is_the_second_column() -> None:
    gpt2 = load_pretrained("gpt2")
    found = audit_tokenizer(gpt2.without([" the"]), TEXT, against=gpt2)
    assert found.figures["moved-ids"] == 50_207 - 262
    assert (found.figures["added"], found.figures["removed"]) == (0, 50)
    assert found.against is not None
    assert found.against.figures["merged"] == 50_000
    assert found.difference is not None
    assert found.difference.words is not None
    assert found.difference.words.words[0].word == "the"


def test_families_are_words_in_several_spellings() -> None:
    texts = dict(enumerate(["the", " the", "The", "THE", "cat", " Cat", "a", " a", "don't", "ß", "1", " 1"]))
    assert word_families(words_among(texts)) == [[0, 1, 2, 3], [4, 5]]
    assert word_families(words_among({0: "low</w>", 1: "low"}, "</w>")) == [[0, 1]]
    assert words_among({0: "e</w>", 1: "x" * 101}, "</w>") == {}


def test_a_special_token_that_is_an_ordinary_one_too_is_named() -> None:
    base = ByteVocabulary(bytes(range(256)))
    pairs = [((ord("<"), ord("s")), 256), ((256, ord(">")), 257)]
    tokenizer = Tokenizer(base, pairs, split=SPLIT_PATTERNS["none"], special_tokens={"<s>": 258, "<e>": 259})
    assert audit_tokenizer(tokenizer).ids["spelled-specials"].tolist() == [258]


@pytest.mark.parametrize(
    ("word", "overlong"), [("internationally", 0), ("internationalization"[:16], 0), ("internationalizes", 1)]
)
def test_the_mark_of_a_word_end_is_no_character(word: str, overlong: int) -> None:
    tokenizer = train_tokenizer(f"{word} " * 2, "subword-nmt", num_merges=40)
    longest = {i for i in tokenizer.vocabulary if tokenizer.written(i) == word.encode()}
    assert len(audit_tokenizer(tokenizer).ids["overlong"]) == overlong * len(longest)


def test_the_mark_of_a_continued_word_is_no_character() -> None:
    vocab = {"[UNK]": 0, "##" + "a" * LONGEST: 1, "##b" + "a" * LONGEST: 2}
    model = {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "vocab": vocab}
    file = tiny({("added_tokens",): [], ("decoder",): None})
    file["model"] = model | {"max_input_chars_per_word": 100}
    assert audit_tokenizer(read_tokenizer(as_file(file))).ids["overlong"].tolist() == [2]


def test_another_object_is_refused() -> None:
    with pytest.raises(BpevizError, match="audit_tokenizer"):
        audit_tokenizer("gpt2")  # type: ignore[arg-type]


def test_the_tree_of_a_token_is_written_out() -> None:
    details = TokenDetails(load_pretrained("gpt2"))
    assert details.tree(262) == "(␣ + t) + (h + e)"
    assert details.tree(0) == ""


def test_places_are_those_of_the_text() -> None:
    gpt2 = load_pretrained("gpt2")
    first, second = TextPlaces(gpt2, "in the hat, the cat").of(262)
    assert (first.before, first.token, first.after) == ("in", "␣the", "␣hat,␣the␣cat")
    assert (second.before, second.after) == ("in␣the␣hat,", "␣cat")
    inside = TextPlaces(gpt2, "größer").of(gpt2.token_to_id("ö"))
    assert [place.token for place in inside] == ["ö"]


class Tags(HTMLParser):
    """The tags and the text of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_report_is_one_file_in_which_texts_are_escaped() -> None:
    tokenizer = train_tokenizer(HOSTILE * 9, "minbpe", num_merges=40)
    earlier = train_tokenizer("a b " * 9, "minbpe", num_merges=2)
    found = audit_tokenizer(tokenizer, HOSTILE * 3, against=earlier)
    page = audit_html(found, tokenizer, HOSTILE, text=HOSTILE * 3, against=(HOSTILE, earlier))
    tags = Tags()
    tags.feed(page)
    assert tags.tags.isdisjoint({"script", "link", "img", "iframe"})
    assert not any(name.startswith("on") or name in ("src", "href") for name in tags.attributes)
    assert "<script>alert(1)</script>" in tags.text
    assert len(page) < 300_000
    for name, count in found.figures.items():
        assert f"<b>{FINDINGS[name].title}</b><span>{count:,}</span>" in page


def test_the_report_on_gpt2_is_small() -> None:
    gpt2 = load_pretrained("gpt2")
    page = audit_html(gpt2_found(), gpt2, "gpt2", text=TEXT)
    assert len(page.encode()) < 200_000
    assert "no text holds its bytes in UTF-8" in page
    assert np.all([f'id="{name}"' in page for name in ("unreachable", "on-the-way")])
