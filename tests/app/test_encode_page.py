"""The encode page without a browser: its fields and sentences. tests/browser proves what is drawn."""

import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from bpeviz import Tokenizer, load_pretrained, train_tokenizer
from bpeviz.browser.encoding import pack_encoding, pack_orders
from bpeviz.core.base_vocabulary import ByteVocabulary
from bpeviz.errors import TokenizerFileError
from bpeviz.formats.reading import read_tokenizer
from bpeviz.limits import limits
from bpeviz.text.split_patterns import SPLIT_PATTERNS
from bpeviz.text.token_text import token_hue
from bpeviz.tokenizer.encoding import encode_step_by_step, left_to_right
from bpeviz.tokenizer.id_list import IdList, read_ids
from bpeviz.tokenizer.one_token import why_not_one_token
from bpeviz.ui.encode.one_token_answer import answer
from bpeviz.ui.encode.page import FIRST_TEXT, encode_page
from bpeviz.ui.encode.state import EncodeState
from bpeviz.ui.session.session import Session
from bpeviz.ui.session.tokenizers import UploadedTokenizer
from tests.support.app_test import drawn, first_error, labelled, plain, press, shown_run, with_run
from tests.support.tokenizer_files import as_file, tiny


def opened(state: Session | None = None) -> AppTest:
    return drawn(encode_page, state)


def field(app: AppTest, label: str) -> Any:
    return labelled((*app.text_area, *app.text_input), label)


def write(app: AppTest, label: str, text: str) -> AppTest:
    app = field(app, label).set_value(text).run()
    assert not app.exception
    return app


def said(app: AppTest) -> str:
    """All sentences of the page, without the escapes of Markdown."""
    return "\n".join(plain(element.value) for element in (*app.markdown, *app.caption))


def components(app: AppTest) -> list[dict[str, Any]]:
    """The data of the components that show the whole text and the two orders of merging."""
    packed = [json.loads(component.proto.json) for component in app.get("bidi_component")]
    others = {"growths", "variants"}
    return [data for data in packed if not others & data.keys() and data.keys() != {"text", "rows"}]


# --- the page ------------------------------------------------------------------------------------------


def test_without_a_run_gpt2_encodes_a_text_that_shows_something() -> None:
    app = opened()
    assert app.selectbox[0].value == "gpt2"
    assert field(app, "Text to encode").value == FIRST_TEXT
    ids = load_pretrained("gpt2").encode(FIRST_TEXT)
    listed, decoded = (code.value for code in app.code)
    assert listed == field(app, "Token ids to decode").value == " ".join(map(str, ids))
    assert decoded == FIRST_TEXT
    assert "exactly the text above" in said(app)
    (first, _) = components(app)
    unhappily = next(kind for kind in first["kinds"] if kind["text"] == "␣unhappily")
    assert plain(unhappily["why"][0]) == (
        "“␣unhappily” is not one token: no merge joins “␣unh” + “app” + “ily”."
    )
    assert field(app, "A part of the text").value == ""
    assert "pre-tokens differ" in said(app)
    assert not app.error


def test_a_shown_run_is_the_first_choice_and_its_merges_can_be_left_out() -> None:
    app = write(opened(with_run(num_merges=12)), "Text to encode", "the cat")
    slider = app.slider[0]
    assert (slider.label, slider.value, slider.max) == ("Merges used", 12, 12)
    app = slider.set_value(0).run()
    state = app.session_state["session"]
    tokenizer = state.run.tokenizer.after(0)
    assert app.code[0].value == " ".join(map(str, tokenizer.encode("the cat")))
    (encoding, *_) = components(app)
    assert [plain(kind["why"][0]) for kind in encoding["kinds"]] == [
        "“the” is not one token: there are no merges.",
        "“␣cat” is not one token: there are no merges.",
    ]
    assert opened(state).slider[0].value == 0  # and it is kept
    app = app.slider[0].set_value(3).run()
    tokenizer = state.run.tokenizer.after(3)
    assert app.code[0].value == " ".join(map(str, tokenizer.encode("the cat")))
    (encoding, *_) = components(app)
    for kind, text in zip(encoding["kinds"], ("the", " cat"), strict=True):
        assert len(kind["steps"]) == len(tokenizer.trace(text))


def test_what_a_person_wrote_is_there_when_the_page_is_opened_again() -> None:
    app = write(opened(), "Text to encode", "the hat <|endoftext|>")
    app = write(app, "A part of the text", "hat")
    app = write(app, "Token ids to decode", "1169, 6877")
    app = app.toggle[0].set_value(True).run()
    again = opened(app.session_state["session"])
    assert field(again, "Text to encode").value == "the hat <|endoftext|>"
    assert field(again, "A part of the text").value == "hat"
    assert field(again, "Token ids to decode").value == "1169, 6877"
    assert again.toggle[0].value


def test_fields_follow_the_text_until_the_person_writes_into_them() -> None:
    app = write(opened(), "Text to encode", "the hotel")
    assert field(app, "Token ids to decode").value == app.code[0].value == "1169 7541"
    app = write(app, "Token ids to decode", "[1169]")
    app = write(app, "Text to encode", "hotel")
    assert field(app, "Token ids to decode").value == "[1169]"
    assert "not the text above" in said(app)
    app = press(app, "The ids of the text again")
    assert field(app, "Token ids to decode").value == "8940 417"


@pytest.mark.parametrize(
    "text", ["x" * 5_001, "the hat 灯台 <|endoftext|> " * 300, "a" * 1_000_000, "é" * 500_000]
)
def test_a_long_text_is_counted_and_its_beginning_is_shown_in_detail(text: str) -> None:
    app = write(opened(), "Text to encode", text)
    assert not app.exception
    assert not app.error
    total = len(load_pretrained("gpt2").encode(text))
    assert f"**{total:,} tokens** in {len(text):,} characters, {len(text.encode()):,} bytes." in said(app)
    assert "Below are the first 5,000 characters. “Compare” shows the whole text." in said(app)
    ids = load_pretrained("gpt2").encode(text[:5_000])
    assert field(app, "Token ids to decode").value == " ".join(map(str, ids))
    assert "exactly the beginning of the text above" in said(app)
    assert field(app, "Text to encode").value == text


def test_special_tokens_of_a_long_text_are_counted_as_tokens() -> None:
    text = "<|endoftext|>" * 1_000
    app = write(opened(), "Text to encode", text).toggle[0].set_value(True).run()
    assert "**1,000 tokens** in 13,000 characters" in said(app)


def test_a_text_of_5_000_characters_is_shown_whole() -> None:
    app = write(opened(), "Text to encode", "x" * 5_000)
    assert "Below are the first" not in said(app)
    assert "exactly the text above" in said(app)


def test_a_long_text_is_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    lengths: list[int] = []
    encode = Tokenizer.encode
    monkeypatch.setattr(
        Tokenizer, "encode", lambda self, text, **how: lengths.append(len(text)) or encode(self, text, **how)
    )
    write(opened(), "Text to encode", "x" * 6_000).run()
    assert lengths.count(6_000) == 1


@pytest.mark.parametrize(
    ("text", "more"), [("a" * 1_000_001, "1 byte more"), ("é" * 600_000, "200,000 bytes more")]
)
def test_a_text_over_a_megabyte_is_not_counted(text: str, more: str) -> None:
    app = write(opened(), "Text to encode", text)
    assert more in first_error(app)
    assert "Compare" in first_error(app)
    assert not app.code


@pytest.mark.parametrize("label", ["Text to encode", "Token ids to decode", "A part of the text"])
def test_far_too_long_a_text_is_said_before_any_work_on_it(
    label: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    worked_on: list[int] = []
    for function, module in ((read_ids, "ids"), (why_not_one_token, "page"), (encode_step_by_step, "page")):

        def noted(*given: Any, _function: Any = function, **others: Any) -> Any:
            worked_on.extend(len(each) for each in given if isinstance(each, str))
            return _function(*given, **others)

        monkeypatch.setattr(f"bpeviz.ui.encode.{module}.{function.__name__}", noted)
    app = opened()
    write(app, label, "1 " * 1_000_000)
    (error,) = app.error
    assert "has 2,000,000 characters, 1," in plain(error.value)
    assert field(app, label).value == "1 " * 1_000_000
    assert max(worked_on) < 1_000
    fields = app.session_state["session"].pages.of(EncodeState).saved
    assert not any((fields.text, fields.ids and fields.ids.text, fields.part))


def test_more_ids_than_are_decoded_are_said_and_kept() -> None:
    app = write(opened(), "Token ids to decode", "1 " * (limits().max_ids + 7))
    assert "These are 20,007 ids, 7 more than are decoded here." in first_error(app)
    again = opened(app.session_state["session"])
    assert field(again, "Token ids to decode").value == "1 " * 20_007


def test_ids_that_spell_too_much_are_not_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    state = with_run("a" * 2**17, recipe="minbpe-basic", num_merges=17)
    run, app = shown_run(state), opened(state)
    monkeypatch.setattr(Tokenizer, "decode_bytes", lambda *_: pytest.fail("all was spelled out"))
    longest = max(run.tokenizer.vocabulary, key=lambda i: len(run.tokenizer.token_bytes(i)))
    size = 20_000 * len(run.tokenizer.token_bytes(longest))
    write(app, "Token ids to decode", f"{longest} " * 20_000)
    assert f"These ids spell {size:,} bytes" in first_error(app)


def test_a_long_token_is_shown_at_its_ends() -> None:
    state = with_run("a" * 2**16, recipe="minbpe-basic", num_merges=15)
    run = shown_run(state)
    longest = max(run.tokenizer.vocabulary, key=lambda i: len(run.tokenizer.token_bytes(i)))
    app = write(opened(state), "Token ids to decode", str(longest))
    (row,) = app.dataframe[0].value.to_dict("records")
    assert row["token"] == "a" * 19 + "…" + "a" * 19
    assert len(row["bytes"]) < 200
    assert len(app.code[1].value) <= 20_000


@pytest.mark.parametrize(
    ("unit", "drawn_as"), [("a", "a" * 29 + "…" + "a" * 29), ("灯", "灯" * 29 + "…" + "灯" * 29)]
)
def test_cells_of_long_tokens_are_drawn_with_their_ends(unit: str, drawn_as: str) -> None:
    text = unit * 4096
    tokenizer = shown_run(with_run(text * 2, recipe="minbpe-basic", num_merges=20)).tokenizer
    packed = pack_encoding(tokenizer, text, encode_step_by_step(tokenizer, text), lambda _: [])
    longest = max(packed["tokens"], key=lambda i: len(tokenizer.token_bytes(int(i))))
    whole = tokenizer.token_bytes(int(longest))
    data, hue, _, _ = packed["tokens"][longest]
    assert len(whole) > 1_000
    assert (bytes.fromhex(data).decode(), hue) == (drawn_as, token_hue(whole))
    assert max(len(token[0]) for token in packed["tokens"].values()) <= 480


def test_an_empty_text_is_invited_and_ids_are_still_decoded() -> None:
    app = write(opened(), "Text to encode", "")
    assert "Type or paste a text above" in app.info[0].value
    app = write(app, "Token ids to decode", "1212 318")
    assert app.code[0].value == "This is"


def test_special_tokens_are_plain_text_until_they_are_asked_for() -> None:
    app = write(opened(), "Text to encode", "the hat<|endoftext|>")
    assert app.code[0].value == "1169 6877 27 91 437 1659 5239 91 29"
    app = app.toggle[0].set_value(True).run()
    assert app.code[0].value == "1169 6877 50256"
    (encoding,) = components(app)
    assert [encoding["kinds"][i]["special"] for i in encoding["pieces"]] == [False, False, True]
    assert [encoding["kinds"][i]["why"] for i in encoding["pieces"]][2] == [
        "“\u2068<|endoftext|>\u2069” is one token: a special token, taken whole."
    ]
    assert plain(app.toggle[0].help) == "Its special tokens: <|endoftext|>."
    app = write(app, "A part of the text", "hat")
    assert "This answer takes special tokens as plain text." in said(app)


def test_a_tokenizer_without_special_tokens_asks_for_none() -> None:
    assert not opened(with_run(num_merges=12)).toggle


def test_bad_ids_are_named_and_the_others_decoded() -> None:
    app = write(opened(), "Token ids to decode", "[1212, x, 318, 50257, -1, 99999999999999999999, <b>]")
    assert first_error(app) == (
        "“x”, “<b>” are not whole numbers. “50257”, “-1”, “99999999999999999999” are not ids of this "
        "tokenizer."
    )
    assert app.code[1].value == "This is"
    assert "Decoded without those: 7 bytes." in said(app)


def test_ids_of_a_part_of_a_character_say_so() -> None:
    app = write(opened(), "Token ids to decode", "163")
    assert app.code[1].value == "\ufffd"
    assert "Bytes that don't form a whole character show as" in said(app)
    (table,) = app.dataframe
    assert table.value.to_dict("list") == {"id": [163], "token": ["E7"], "bytes": ["E7"]}


def test_a_part_that_stands_in_the_text_twice_is_said_to() -> None:
    app = write(opened(), "Text to encode", "the hat, a hat")
    app = write(app, "A part of the text", "hat")
    assert "The text has it 2 times. This is about the first." in said(app)
    assert "merge 34 joins its “h” to the “␣” before it" in said(app)
    assert "In other places “hat” is one token: id 5183, made by merge 4,928." in said(app)


def test_a_part_that_is_not_in_the_text_is_said_to_be() -> None:
    app = write(opened(), "A part of the text", "zebra *x*")
    assert first_error(app) == "The text above does not hold “zebra␣*x*”."


def test_where_both_orders_agree_one_line_says_so() -> None:
    app = write(opened(), "Text to encode", "This is some text")
    assert "Both orders give the same ids here." in said(app)
    assert len(components(app)) == 1


def test_a_text_that_cannot_be_spelled_is_explained_and_kept() -> None:
    app = write(opened(with_run(recipe="course", num_merges=5)), "Text to encode", "the zoo")
    assert "The base vocabulary has no symbol for 'z'" in first_error(app)
    assert field(app, "Text to encode").value == "the zoo"


def test_a_tokenizer_that_is_not_here_leaves_the_text(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise TokenizerFileError(name, "its files are not on this machine.")

    monkeypatch.setattr("bpeviz.ui.kit.tokenizer_sources.load_pretrained", missing)
    app = opened()
    assert "not on this machine" in app.error[0].value
    assert field(app, "Text to encode").value == FIRST_TEXT


HOSTILE = "<img src=x onerror=alert(1)> **b** [a](b) :smile: $x$ `c`"


def test_what_a_person_writes_is_never_markup() -> None:
    app = write(opened(), "Text to encode", HOSTILE)
    app = write(app, "A part of the text", HOSTILE[:29])
    verdict = next(m.value for m in app.markdown if "not one token" in m.value and "img" in m.value)
    assert r"\<img" in verdict
    assert "<img" not in verdict.replace(r"\<", "")
    assert app.code[1].value == HOSTILE


# --- what it is made of --------------------------------------------------------------------------------


def test_a_pre_token_that_occurs_again_is_handed_over_once() -> None:
    gpt2 = load_pretrained("gpt2")
    text = "the hat the hat"
    packed = pack_encoding(gpt2, text, encode_step_by_step(gpt2, text), lambda _: [])
    assert packed["pieces"] == [0, 1, 2, 1]
    assert [kind["text"] for kind in packed["kinds"]] == ["the", "␣hat", "␣the"]
    hat = packed["kinds"][1]
    assert hat["symbols"] == [220, 71, 64, 83]
    assert hat["ranks"] == [33, 2843, 9]
    assert hat["steps"][0][:4] == [9, 265, 64, 83]
    assert packed["tokens"]["265"] == ["6174", packed["tokens"]["265"][1], "at", False]
    assert packed["tokens"]["220"][3] is True


def test_a_pre_token_that_differs_is_counted() -> None:
    gpt2 = load_pretrained("gpt2")
    text = "hotel\nhotel\nmotel"
    encodings = encode_step_by_step(gpt2, text)
    other = left_to_right(gpt2, text, encodings)
    packed = pack_orders(gpt2, text, encodings, other, most=1)
    assert packed["rows"][0] == {
        "text": "hotel",
        "times": 2,
        "by_rank": (8940, 417),
        "left_to_right": (8873, 660, 75),
    }
    assert packed["more"] == sum(a.ids != b for a, b in zip(encodings, other, strict=True)) - 2


@pytest.mark.parametrize(
    "written", ["1212 318", "[1212, 318]", "1212,318", "1212;\n318\t", "(1212) {318}", "+1212 0318"]
)
def test_ids_are_read_however_they_are_written(written: str) -> None:
    assert read_ids(written, load_pretrained("gpt2")) == IdList((1212, 318), (), ())


def test_what_is_no_id_is_told() -> None:
    read = read_ids("1.5 ² 0x10 " + "9" * 5_000, load_pretrained("gpt2"))
    assert (read.ids, read.words) == ((), ("1.5", "²", "0x10"))
    assert read.fault == (
        "“1.5”, “²”, “0x10” are not whole numbers. “99999999999…99999999999” is not an id of this tokenizer."
    )
    many = read_ids(" ".join(f"w{n}" for n in range(20)), load_pretrained("gpt2"))
    assert many.fault
    assert many.fault.endswith("“w7” and 12 more are not whole numbers.")
    assert read_ids("", load_pretrained("gpt2")).fault is None


def sentences(tokenizer: Tokenizer, text: str, part: str) -> list[str]:
    start = text.encode().index(part.encode())
    why = why_not_one_token(tokenizer, text, start, start + len(part.encode()))
    return [plain(sentence) for sentence in answer(tokenizer, text, why)]


def test_the_answers_about_marks_whole_tokens_and_special_tokens() -> None:
    codes = read_tokenizer({"codes.bpe": b"#version: 0.2\nl o\nlo w\nx y</w>\n"})
    assert sentences(codes, "low", "low")[-1] == (
        "None of the 3 merges makes “low” with </w>, at the end of a word."
    )
    base = ByteVocabulary(bytes(range(256)))
    merges = [((97, 98), 256), (None, 257)]
    whole = Tokenizer(base, merges, split=SPLIT_PATTERNS["gpt2"], unmade={257: b"cab"})
    assert sentences(whole, "cab", "cab")[0] == (
        "“cab” is one token: the vocabulary lists it whole, and no merge makes it."
    )
    assert sentences(whole, "cabs", "cab") == [
        "“cab” is not one token here: only a whole pre-token becomes it.",
        "The vocabulary has “cab”: id 257, which no merge makes.",
        "It becomes 2 tokens: “c” (99) + “ab” (256).",
    ]
    special = train_tokenizer("hug", "minbpe", num_merges=1, special_tokens=["<s>"])
    assert sentences(special, "<s>", "<s>")[-1] == (
        "As a special token it has the id 257. Here special tokens are plain text."
    )


def test_the_answers_in_words() -> None:
    gpt2 = load_pretrained("gpt2")
    assert sentences(gpt2, "This", "This") == ["“This” is one token: merge 957 makes it.", "Its id is 1212."]
    assert sentences(gpt2, "a", "a") == ["“a” is one token: it is a base symbol.", "Its id is 64."]
    assert sentences(gpt2, "hotel", "hotel") == [
        "“hotel” is not one token: no merge joins “hot” + “el”.",
        "It becomes 2 tokens: “hot” (8940) + “el” (417).",
        "None of the 50,000 merges makes “hotel”.",
    ]
    assert sentences(gpt2, " that's", " that's") == [
        "“␣that's” is not one token: the split pattern “gpt2” cuts it.",
        "Its pre-tokens are “␣that” and “'s”.",
        "No merge crosses from one pre-token into another.",
        "It becomes 2 tokens: “␣that” (326) + “'s” (338).",
    ]
    assert sentences(gpt2, "the hat", "hat") == [
        "“hat” is not one token here: merge 34 joins its “h” to the “␣” before it.",
        "That makes “␣h”, and no later merge splits it.",
        "It is inside the token “␣hat” (6877).",
        "In other places “hat” is one token: id 5183, made by merge 4,928.",
    ]
    assert sentences(gpt2, "the hat", "h")[0] == (
        "“h” is not one token here: merge 3 joins it to the “e” after it."
    )
    assert sentences(gpt2, " weathering", "weathering")[2:] == [
        "It is spread over 2 tokens: “␣weather” (6193) + “ing” (278).",
        "None of the 50,000 merges makes “weathering”.",
    ]
    first, second, *others = map(gpt2.token_bytes, gpt2.encode("xqzvkjwx"))
    assert sentences(gpt2, "xqzvkjwx", "xqzvkjwx")[0] == (
        f"“xqzvkjwx” is not one token: no merge joins two of its {2 + len(others)} parts, "
        f"such as “{first.decode()}” + “{second.decode()}”."
    )


def test_the_answer_for_a_token_out_of_reach_in_words() -> None:
    a, b, c = b"abc"
    merges = [((b, c), 256), ((a, b), 257), ((257, c), 258)]
    tokenizer = Tokenizer(ByteVocabulary(bytes(range(256))), merges, split=SPLIT_PATTERNS["none"])
    assert sentences(tokenizer, "abc", "abc") == [
        "“abc” is not one token here: merge 1 makes “bc” first.",
        "The vocabulary has “abc”: id 258, made by merge 3.",
        "It is not made of “bc”.",
        "It becomes 2 tokens: “a” (97) + “bc” (256).",
    ]


# --- tokenizers whose texts a library prepares -------------------------------------------------------------


def of_file(changes: dict[Any, Any]) -> Tokenizer:
    return read_tokenizer(as_file(tiny({("added_tokens",): [], **changes})))


CHARACTERS = {("model", "vocab"): {"a": 0, "b": 1, "f": 2, "i": 3, "ab": 4}, ("pre_tokenizer",): None}


def test_what_a_library_makes_of_a_pre_token_is_packed() -> None:
    tokenizer = of_file(CHARACTERS | {("model", "merges"): ["a b"], ("normalizer",): {"type": "NFKC"}})
    packed = pack_encoding(tokenizer, "abﬁ", encode_step_by_step(tokenizer, "abﬁ"), lambda _: [])
    assert [kind["becomes"] for kind in packed["kinds"]] == ["abfi"]
    packed = pack_encoding(tokenizer, "ab", encode_step_by_step(tokenizer, "ab"), lambda _: [])
    assert [kind["becomes"] for kind in packed["kinds"]] == [""]


def test_a_pre_token_that_no_merge_makes_one_token_is_taken_whole() -> None:
    changes = {
        ("model", "vocab"): {"a": 0, "b": 1, "ab": 2, "bab": 3},
        ("model", "merges"): ["a b"],
        ("model", "ignore_merges"): True,
    }
    tokenizer = of_file(changes)
    packed = pack_encoding(tokenizer, "bab", encode_step_by_step(tokenizer, "bab"), lambda _: [])
    assert [(kind["whole"], kind["symbols"]) for kind in packed["kinds"]] == [(True, [3])]


def test_a_model_without_merges_says_so() -> None:
    model = {"type": "WordLevel", "vocab": {"<unk>": 0, "the": 1, "cat": 2}, "unk_token": "<unk>"}
    tokenizer = of_file({("model",): model, ("pre_tokenizer",): {"type": "WhitespaceSplit"}})
    assert tokenizer.encode("the cat sat") == [1, 2, 0]
    state = Session()
    state.tokenizers.picked["encode"] = state.tokenizers.add(UploadedTokenizer("words"), tokenizer)
    app = opened(state)
    write(app, "Text to encode", "the cat")
    assert "This model has no merges" in said(app)
    why = why_not_one_token(tokenizer, "the cat", 0, 7)
    assert (why.reason, why.token_ids) == ("no-merges", (1, 2))
    assert "this model has no merges" in " ".join(answer(tokenizer, "the cat", why))


def test_the_fewest_tokens_and_those_of_dropout_are_beside_those_by_rank(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown: list[Any] = []
    monkeypatch.setattr(
        "bpeviz.ui.encode.other_cuts.mount_rows", lambda data, **_: shown.append(data["rows"])
    )
    app = write(opened(), "Text to encode", "the boathouse")
    pieces = {
        row["name"]: [bytes.fromhex(token).decode() for token, *_ in row["tokens"]] for row in shown[-1]
    }
    assert pieces["By rank"] == ["the", " bo", "ath", "ouse"]
    assert pieces["Fewest"] == ["the", " boat", "house"]
    assert "".join(pieces["Dropout 10 %"]) == "the boathouse"
    assert "The fewest tokens that spell it are 3, 1 fewer than by rank." in said(app).replace("*", "")
    app.slider(key="encode_dropout").set_value(100).run()
    assert [row["total"] for row in shown[-1]] == [4, 3, 13]
    write(app, "Text to encode", "the")
    assert "No other way needs fewer tokens." in said(app)
    write(app, "Text to encode", "ab " * 200)
    assert len("".join(bytes.fromhex(token).decode() for token, *_ in shown[-1][0]["tokens"])) <= 240
    assert "The beginning of the text. All of it: by rank" in said(app)
