"""What people read without JavaScript, against the encoder and brute force; and hostile texts."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpeviz import RECIPES, Corpus, Tokenizer, Trainer, compare
from bpeviz.runs.samples import read_sample
from bpeviz.standalone.content import MOST_READABLE_BYTES
from bpeviz.standalone.making import player_of_result
from bpeviz.text.token_text import visible
from tests.faults.hostile_content import TEXTS as HOSTILE_FIELDS
from tests.support.player_page import FigurePage, brute_spans, read_player_page, spans_at
from tests.support.texts import TIGHT_TEXT
from tests.support.trained import LOW, trained

WORDS = "the cat sat on the mat; der Kater saß auf der Matte. 猫がマットに座った。 🐈🐈 naïve \n\n\ttabs\n"
#: Bytes that the page shows as a sign, because HTML doesn't allow them.
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")

HOSTILE = {
    "end of script": "</script><script>window.ran = 1</script>",
    "comment": "<!-- <script> <!-- --> --!> ]]> <![CDATA[",
    "handler": "<b onclick=alert(1)>x</b><img src=x onerror=alert(1)>",
    "end of pre": "</pre></main></body></html><h1>x",
    "title": "</title><style>*{display:none}</style>",
    "entities": "&lt; &amp;lt; &#60; &copy &nbsp; &",
    "quotes": "\"'`=/ ' \"",
    "NUL": "a\x00b\x00\x00",
    "line ends": "a\rb\r\nc\n\rd\r\r\n",
    "line end first": "\n\nfirst",
    "separators": "a\u2028b\u2029c\x85d\x0be\x0cf",
    "bidi": "\u202eabc\u202c \u2066x\u2069 \u200f\u200e שלום",
    "emoji": "👩‍👩‍👧‍👦👍🏽🇯🇵❤️",
    "combining": "e\u0301\u0301\u0301 \u0301a q\u0307\u0323",
    "no characters": "\uffff\U0010ffff\ue000\ufeff\ufffd",
    "controls": "\x1b[31m\x07\x08\x7f\x9f",
    "template": "${alert(1)} {{1+1}} <%= 1 %> javascript:alert(1)",
    "case": "</SCRIPT\t\n bar></Script/>",
}


def page_of(
    text: str, step: int, recipe: str = "huggingface", num_merges: int = 40
) -> tuple[Trainer, FigurePage]:
    trainer = Trainer(
        Corpus.from_text(text, RECIPES[recipe].split), recipe, num_merges=num_merges, min_frequency=1
    )
    list(trainer.steps())
    step = min(step, len(trainer.merges))
    return trainer, read_player_page(trainer.player(text, step=step).to_html())


def as_trained(trainer: Trainer) -> Tokenizer:
    """The encoder, with the split of the training: llms-from-scratch-simple splits only when it encodes."""
    return Tokenizer(trainer.base, trainer.merges, split=trainer.corpus.split)


@pytest.mark.parametrize("step", [0, 1, 7, 25, 40])
@pytest.mark.parametrize("text", [LOW, WORDS], ids=["low", "words"])
def test_the_text_is_in_the_tokens_of_the_first_merges(text: str, step: int) -> None:
    trainer, page = page_of(text, step)
    step = min(step, len(trainer.merges))
    tokenizer = trainer.tokenizer()
    spans = brute_spans(tokenizer, text, step)
    tokens = [text.encode()[start:end] for start, end in spans]
    first = tokenizer.after(step)
    assert tokens == [first.token_bytes(i) for i in first.encode(text)]
    assert page.text_bytes() == text.encode() == b"".join(tokens)
    assert page.edges() == {end for _, end in spans[:-1]} | (
        {spans[-1][1]} if len(spans) % 2 == 0 and page.texts[0][-1][1] == "" else set()
    )
    assert page.paragraphs[2] == f"The text after {step} merge{'' if step == 1 else 's'}:"


@pytest.mark.parametrize("recipe", RECIPES)
@pytest.mark.parametrize("step", [0, 3, 100])
def test_every_recipe_shows_its_tokens_and_the_bytes_that_it_drops(recipe: str, step: int) -> None:
    text = " low  lower\n\nlowest slow\tslower \n"
    trainer, page = page_of(text, step, recipe)
    step = min(step, len(trainer.merges))
    assert page.text_bytes() == text.encode()
    spans = brute_spans(as_trained(trainer), text, step)
    assert spans_at(page.pack("player")["gaps"], step) == spans
    between = {end for (_, end), (start, _) in pairwise(spans) if end == start}
    assert between <= page.edges() <= {offset for span in spans for offset in span}


@pytest.mark.parametrize("recipe", RECIPES)
def test_without_a_text_the_page_shows_the_distinct_pre_tokens(recipe: str) -> None:
    trainer = Trainer(Corpus.from_text(LOW, RECIPES[recipe].split), recipe, num_merges=9)
    list(trainer.steps())
    page = read_player_page(trainer.player().to_html())
    assert page.text_bytes().decode() == "".join(trainer.corpus.counts)
    pack = page.pack("player")
    assert pack["text_bytes"] == sum(len(p.encode()) * n for p, n in trainer.corpus.counts.items())
    assert len(pack["gaps"]) == len(pack["text"])


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_text_that_is_not_the_corpus_is_in_the_encoders_tokens(recipe: str) -> None:
    trainer = Trainer(Corpus.from_text(LOW, RECIPES[recipe].split), recipe, num_merges=9)
    list(trainer.steps())
    other = "slow slowlow lowest low "
    page = read_player_page(trainer.player(other, step=5).to_html())
    tokenizer = trainer.tokenizer()
    assert page.text_bytes().decode() == other
    for step in range(len(trainer.merges) + 1):
        assert spans_at(page.pack("player")["gaps"], step) == brute_spans(tokenizer, other, step)


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("step", [0, 40])
def test_a_hostile_text_stays_text(name: str, step: int) -> None:
    text = HOSTILE[name] + " and " + HOSTILE[name]
    _, page = page_of(text, step)
    _, harmless = page_of(LOW, step)
    # a control character of two bytes is in hexadecimal until a merge joins them
    assert CONTROL.sub("\ufffd", page.text_bytes().decode()) == CONTROL.sub("\ufffd", text)
    assert bytes(page.pack("player")["text"]).decode() == text
    assert page.tags - harmless.tags <= {"i"}
    assert len(page.scripts) == 1
    assert page.attributes == [
        (name, value) if name != "content" or "sha256" not in str(value) else (name, page.policy)
        for name, value in harmless.attributes
    ]


@pytest.mark.parametrize("name", HOSTILE_FIELDS)
def test_hostile_fields_stay_text(name: str) -> None:
    text = HOSTILE_FIELDS[name](600)
    trainer, page = page_of(text, 20)
    assert CONTROL.sub("\ufffd", page.text_bytes().decode()) == CONTROL.sub("\ufffd", text)
    assert len(page.rows) == len(trainer.merges) + 1


def test_a_character_in_parts_is_in_hexadecimal_and_no_sign_stands_for_it() -> None:
    _, page = page_of("日本日 本", 0)
    assert [piece for piece, mark in page.texts[0] if "i" in mark][:3] == ["E6", "97", "A5"]
    assert page.text_bytes().decode() == "日本日 本"


def test_the_table_has_every_merge() -> None:
    trainer, page = page_of(WORDS + LOW + HOSTILE["handler"] * 2, 3)
    head, *rows = page.rows
    assert head == ["merge", "left", "right", "makes", "count", "tokens after"]
    assert len(rows) == len(trainer.merges)
    for row, step in zip(rows, trainer.result().steps, strict=True):
        left, right = (visible(trainer.token_bytes(i)) for i in step.pair)
        assert row == [
            *(str(step.rank + 1), left, right, visible(step.token)),
            *(str(step.count), str(step.token_total)),
        ]


def test_of_a_long_text_the_beginning_is_readable_and_it_says_so() -> None:
    text = read_sample("German") * 30
    assert len(text.encode()) > MOST_READABLE_BYTES
    _, page = page_of(text, 30)
    shown = page.text_bytes()
    assert MOST_READABLE_BYTES - 100 < len(shown) <= MOST_READABLE_BYTES
    assert text.encode().startswith(shown)
    assert f"These are the first {len(shown):,} of {len(text.encode()):,} bytes." in page.paragraphs
    assert bytes(page.pack("player")["text"]) == text.encode()


@pytest.mark.parametrize("caption", list(HOSTILE.values()), ids=list(HOSTILE))
def test_a_caption_stays_text(caption: str) -> None:
    page = read_player_page(trained().player(LOW, caption=caption).to_html())
    assert page.caption == caption
    assert len(page.scripts) == 1
    assert page.tags == read_player_page(trained().player(LOW, caption="x").to_html()).tags


def test_names_stay_text() -> None:
    tokenizer = trained().tokenizer()
    for attack in HOSTILE.values():
        named = read_player_page(tokenizer.player(LOW, name=attack).to_html())
        assert attack in named.title
        pages = [
            named,
            read_player_page(compare(LOW, tokenizer, tokenizer).player(names=(attack, "b")).to_html()),
        ]
        for page in pages:
            assert len(page.scripts) == 1
            assert not page.tags & {"img", "pre" if not page.texts else "img"}
    compared = read_player_page(
        compare(LOW, tokenizer, tokenizer.after(2)).player(names=("x", "y")).to_html()
    )
    assert [compared.text_bytes(side).decode() for side in (0, 1)] == [LOW, LOW]


@given(
    text=TIGHT_TEXT.filter(bool),
    recipe=st.sampled_from(sorted(RECIPES)),
    num_merges=st.integers(1, 12),
    data=st.data(),
)
def test_the_packed_gap_ranks_give_the_encoders_tokens(
    text: str, recipe: str, num_merges: int, data: st.DataObject
) -> None:
    trainer = Trainer(
        Corpus.from_text(text, RECIPES[recipe].split), recipe, num_merges=num_merges, min_frequency=1
    )
    if not list(trainer.steps()):
        return
    step = data.draw(st.integers(0, len(trainer.merges)))
    page = read_player_page(player_of_result(trainer.result(), text, step=step).to_html())
    assert spans_at(page.pack("player")["gaps"], step) == brute_spans(as_trained(trainer), text, step)
    assert CONTROL.sub("\ufffd", page.text_bytes().decode()) == CONTROL.sub("\ufffd", text)
