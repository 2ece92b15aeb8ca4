"""Files beside a SentencePiece model: added tokens and other ids, as the transformers library has them."""

import io
import json
import re
from functools import cache

import pytest
import sentencepiece
from hypothesis import given
from hypothesis import strategies as st

from bpeviz.errors import TokenizerFileError, TokenizerFileWarning
from bpeviz.formats.isolated import read_in_worker
from bpeviz.formats.reading import read_tokenizer
from bpeviz.formats.storage import DiskFiles
from bpeviz.tokenizer.tokenizer import Tokenizer

LINES = ["the cat in the hat", "lower newest lowest", "the end of the line 123"] * 9
TEXTS = st.text("the cat lowr\n123é", max_size=30)


@cache
def model(model_type: str = "bpe", **settings: int) -> tuple[bytes, sentencepiece.SentencePieceProcessor]:
    target = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(LINES),
        model_writer=target,
        vocab_size=60,
        model_type=model_type,
        hard_vocab_limit=False,
        minloglevel=2,
        **settings,
    )
    data = target.getvalue()
    return data, sentencepiece.SentencePieceProcessor(model_proto=data)


def config(name: str, **values: object) -> bytes:
    return json.dumps({"tokenizer_class": name, **values}).encode()


def read(data: bytes, **beside: bytes) -> Tokenizer:
    names = {"config": "tokenizer_config.json", "added": "added_tokens.json", "vocab": "vocab.json"}
    return read_tokenizer({"sentencepiece.model": data, **{names[k]: v for k, v in beside.items()}})


@pytest.mark.parametrize("kind", ["bpe", "unigram"])
@given(text=TEXTS)
def test_xlm_roberta_numbers_each_piece_one_later(kind, text):
    data, pieces = model(kind)
    tokenizer = read(data, config=config("XLMRobertaTokenizerFast"))
    expected = [place + 1 if place else 3 for place in pieces.encode(text)]
    assert [i for i in tokenizer.encode(text) if i != 3] == [i for i in expected if i != 3]
    assert tokenizer.token_to_id("<mask>") == pieces.get_piece_size() + 1
    assert tokenizer.decode(tokenizer.encode("the hat")) == "the hat"


@pytest.mark.parametrize("kind", ["bpe", "unigram"])
@given(text=TEXTS)
def test_m2m100_has_the_ids_of_vocab_json(kind, text):
    data, pieces = model(kind)
    ids = {"<s>": 0, "<pad>": 1, "</s>": 2, "<unk>": 3}
    for place in reversed(range(pieces.get_piece_size())):
        ids.setdefault(pieces.id_to_piece(place), len(ids) + 5)
    tokenizer = read(data, config=config("M2M100Tokenizer"), vocab=json.dumps(ids).encode())
    expected = [ids.get(piece, 3) for piece in pieces.encode(text.replace("\n", ""), out_type=str)]
    assert [i for i in tokenizer.encode(text.replace("\n", "")) if i != 3] == [i for i in expected if i != 3]
    assert tokenizer.token_to_id("<pad>") == 1


LETTERS = ["the cat in the cafe, ''naive", 'lower newest The Cat caf é ï " 9, 8', "a b c A B C 1, 22,"] * 9
#: A class, its settings, a text, and the text that its model gets.
CHANGES = [
    ("XLNetTokenizer", {}, "the café", "the cafe"),
    ("XLNetTokenizerFast", {}, "``The'' naïve", '"The" naive'),
    ("XLNetTokenizer", {"do_lower_case": True}, "The CAFÉ", "the cafe"),
    ("XLNetTokenizer", {"keep_accents": True}, "the café", "the café"),
    ("AlbertTokenizer", {}, "The Café", "the cafe"),
    ("AlbertTokenizer", {"do_lower_case": False, "keep_accents": True}, "The ''Café", 'The "Café'),
    ("FNetTokenizer", {"do_lower_case": True, "keep_accents": True}, "The Café", "the café"),
    ("FNetTokenizer", {"do_lower_case": False, "keep_accents": False}, "The Café", "The Cafe"),
    ("RemBertTokenizer", {"do_lower_case": True}, "The ``Café", 'the "café'),
    ("RemBertTokenizer", {"do_lower_case": True, "keep_accents": False}, "The Café", "the cafe"),
    ("DebertaV2Tokenizer", {}, "The ''Café", "The ''Café"),
    ("DebertaV2Tokenizer", {"do_lower_case": True}, "The Café", "the café"),
    ("GPTSw3Tokenizer", {}, "the\x07 cafe\u0301\u3000a\u200bb\u00a0c", "the café abc"),
    ("T5Tokenizer", {}, "The Café", "The Café"),
]


@pytest.mark.parametrize("kind", ["unigram", "bpe"])
@pytest.mark.parametrize(("class_name", "settings", "text", "changed"), CHANGES)
def test_a_class_changes_the_text_before_its_model(
    class_name: str, settings: dict[str, bool], text: str, changed: str, kind: str
) -> None:
    data, pieces = letters_model(kind)
    tokenizer = read(data, config=config(class_name, **settings))
    ids, gap_ranks = tokenizer.encode_with_gap_ranks(text)
    assert ids == pieces.encode(changed)
    assert len(gap_ranks) == len(text.encode())
    shown = [tokenizer.decode([i]) for i in ids]
    assert "".join(shown).replace(" ", "") == changed.replace(" ", "")


@cache
def letters_model(kind: str) -> tuple[bytes, sentencepiece.SentencePieceProcessor]:
    target = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(LETTERS),
        model_writer=target,
        vocab_size=70,
        model_type=kind,
        hard_vocab_limit=False,
        character_coverage=1.0,
        minloglevel=2,
    )
    return target.getvalue(), sentencepiece.SentencePieceProcessor(model_proto=target.getvalue())


def test_the_tokens_of_a_changed_text_stand_on_their_characters() -> None:
    data, _ = letters_model("unigram")
    tokenizer = read(data, config=config("AlbertTokenizer"))
    parts = [text for text, _ in tokenizer.parts("É é")]
    assert parts == ["É é"]
    spelled = tokenizer.spelled("É\u0301 é``")
    covered = ["É\u0301 é``".encode()[p.start : p.end].decode() for p in spelled]
    assert "".join(covered) == "É\u0301 é``"
    assert len(covered) >= 3


@pytest.mark.parametrize("class_name", ["T5Tokenizer", "T5TokenizerFast", "MT5Tokenizer"])
@pytest.mark.parametrize(("settings", "total"), [({}, 100), ({"extra_ids": 3}, 3), ({"extra_ids": 0}, 0)])
def test_t5_adds_extra_ids_after_its_pieces(class_name: str, settings: dict[str, int], total: int) -> None:
    data, pieces = model("unigram")
    size = pieces.get_piece_size()
    tokenizer = read(data, config=config(class_name, **settings))
    extra = {token: i for token, i in tokenizer.special_tokens.items() if token.startswith("<extra_id_")}
    assert extra == {f"<extra_id_{total - 1 - i}>": size + i for i in range(total)}
    if total:
        text = f"<extra_id_0>the cat<extra_id_{total - 1}>"
        assert tokenizer.encode(text, allowed_special="all") == [
            size + total - 1,
            *pieces.encode("the cat"),
            size,
        ]


def test_the_ids_of_a_folder_go_before_those_of_the_class() -> None:
    decoder = {"500": {"content": "<extra_id_0>"}}
    tokenizer = read(model("unigram")[0], config=config("T5Tokenizer", added_tokens_decoder=decoder))
    assert tokenizer.special_tokens["<extra_id_0>"] == 500


@pytest.mark.parametrize(
    ("class_name", "settings", "says"),
    [
        ("FNetTokenizer", {}, "doesn't say do_lower_case, in which versions of FNetTokenizer"),
        ("RemBertTokenizerFast", {}, "doesn't say do_lower_case"),
        ("DebertaV2Tokenizer", {"split_by_punct": True}, "split_by_punct"),
    ],
)
def test_what_a_class_leaves_open_is_a_warning(class_name: str, settings: dict[str, bool], says: str) -> None:
    with pytest.warns(TokenizerFileWarning, match=says):
        read(model()[0], config=config(class_name, **settings))


@pytest.mark.parametrize(
    ("class_name", "settings"),
    [
        ("T5Tokenizer", {"extra_ids": -1}),
        ("T5Tokenizer", {"extra_ids": "9"}),
        ("MT5Tokenizer", {"extra_ids": 10**9}),
        ("AlbertTokenizer", {"do_lower_case": "no"}),
        ("XLNetTokenizer", {"keep_accents": 1}),
    ],
)
def test_settings_of_another_type_are_refused(class_name: str, settings: dict[str, object]) -> None:
    with pytest.raises(TokenizerFileError, match=r"tokenizer_config\.json must be"):
        read(model()[0], config=config(class_name, **settings))


@given(parts=st.lists(st.sampled_from(["the cat", " in", "<|im_start|>", "<mask>", "x", "<s>"])))
def test_added_tokens_are_found_and_each_part_between_them_is_encoded_alone(parts):
    data, pieces = model()
    size = pieces.get_piece_size()
    beside = {
        "added": json.dumps({"<|im_start|>": size + 1}).encode(),
        "config": config("LlamaTokenizer", added_tokens_decoder={str(size + 7): {"content": "<mask>"}}),
    }
    tokenizer = read(data, **beside)
    text, expected, waiting = "".join(parts), [], ""
    for part in [*parts, "<mask>"]:
        if part in ("<|im_start|>", "<mask>"):
            expected += [*pieces.encode(waiting), size + 1 if part == "<|im_start|>" else size + 7]
            waiting = ""
        else:
            waiting += part
    # neither has a role or is marked as special, so they are found whatever is allowed
    assert tokenizer.encode(text + "<mask>") == expected
    assert tokenizer.encode(text + "<mask>", allowed_special="all") == expected
    assert len(tokenizer.gap_ranks(text, allowed_special="all")) == len(text)
    assert tokenizer.decode([size + 1, *pieces.encode("the cat")]) == "<|im_start|>the cat"


@given(parts=st.lists(st.sampled_from(["the cat", " in", " ", "\u3000", "<l>", "<r>", "x"])))
def test_tokens_with_lstrip_or_rstrip_drop_the_spaces_beside_them(parts):
    data, pieces = model("bpe", remove_extra_whitespaces=0)
    decoder = {
        "90": {"content": "<l>", "lstrip": True, "special": True},
        "91": {"content": "<r>", "rstrip": True, "lstrip": False, "special": True},
    }
    tokenizer = read(data, config=config("LlamaTokenizer", added_tokens_decoder=decoder))
    text = "".join(parts)
    expected: list[int] = []
    before = ""
    cut = re.split("(<l>|<r>)", text)
    for place, part in enumerate(cut):
        if part in ("<l>", "<r>"):
            expected.append(90 if part == "<l>" else 91)
        else:
            kept = part.lstrip() if before == "<r>" else part
            after = cut[place + 1] if place + 1 < len(cut) else ""
            expected += pieces.encode(kept.rstrip() if after == "<l>" else kept)
        before = part
    assert tokenizer.encode(text, allowed_special="all") == expected
    assert len(tokenizer.gap_ranks(text, allowed_special="all")) == len(text.encode())
    assert tokenizer.encode(text) == pieces.encode(text)


def test_the_mask_of_xlm_roberta_drops_the_space_before_it():
    data, pieces = model("bpe", remove_extra_whitespaces=0)
    mask = pieces.get_piece_size() + 1
    tokenizer = read(data, config=config("XLMRobertaTokenizer"))
    for before in ("the", "the ", "the \u2003"):
        expected = [*(i + 1 for i in pieces.encode("the")), mask, *(i + 1 for i in pieces.encode(" cat"))]
        assert tokenizer.encode(f"{before}<mask> cat", allowed_special="all") == expected
    assert len(pieces.encode("the ")) > len(pieces.encode("the"))


@pytest.mark.parametrize("named", [b'{"source_lang": "en"}', config("MarianTokenizer")])
def test_a_folder_of_marian_encodes_by_the_source_with_the_ids_of_vocab_json(tmp_path, named):
    data, pieces = model("unigram")
    ids = {pieces.id_to_piece(i): 500 - i for i in range(pieces.get_piece_size())}
    (tmp_path / "source.spm").write_bytes(data)
    (tmp_path / "target.spm").write_bytes(model("bpe")[0])
    (tmp_path / "vocab.json").write_text(json.dumps({**ids, ">>fra<<": 7}))
    (tmp_path / "tokenizer_config.json").write_bytes(named)
    with pytest.warns(TokenizerFileWarning, match=r"target\.spm was not used"):
        tokenizer = DiskFiles().load(tmp_path, None)
    expected = [ids[piece] for piece in pieces.encode("the cat", out_type=str)]
    assert tokenizer.encode(">>fra<<the cat", allowed_special="all") == [7, *expected]


def test_control_pieces_that_a_folder_lists_are_found_too():
    data, pieces = model()
    tokenizer = read(data, config=config("LlamaTokenizer", added_tokens_decoder={"1": {"content": "<s>"}}))
    assert tokenizer.encode("<s>the", allowed_special="all") == [1, *pieces.encode("the")]


def test_a_folder_is_read_with_its_other_files(tmp_path):
    data, pieces = model()
    (tmp_path / "tokenizer.model").write_bytes(data)
    (tmp_path / "added_tokens.json").write_text(json.dumps({"<x>": 99}))
    tokenizer = DiskFiles().load(tmp_path, None)
    assert tokenizer.encode("<x>the", allowed_special="all") == [99, *pieces.encode("the")]
    isolated = read_in_worker(
        {name.name: name.read_bytes() for name in tmp_path.iterdir()}, split=None, split_timeout=1.0
    )
    assert isolated.encode("<x>the", allowed_special="all") == [99, *pieces.encode("the")]


@pytest.mark.parametrize(
    ("beside", "says"),
    [
        (
            {"config": config("MBartTokenizer")},
            "'MBartTokenizer', which may number",
        ),
        ({"vocab": b'{"the": 0, "a": 1}'}, r"vocab\.json was not used"),
        ({"config": config("T5Tokenizer"), "vocab": b'{"the": 0, "a": 1}'}, r"vocab\.json was not used"),
        ({"config": config("T5Tokenizer", pad_token="[PAD]")}, "no id for 1 token, such as '\\[PAD\\]'"),
        (
            {
                "config": config(
                    "T5Tokenizer", additional_special_tokens=[{"content": "e", "single_word": True}]
                )
            },
            "'e' has single_word",
        ),
        (
            {"config": config("MarianTokenizer"), "vocab": b'{"\xe2\x96\x81the": 0, "a": 1}'},
            "lacks 5. pieces",
        ),
    ],
)
def test_what_is_not_used_is_said(beside, says):
    with pytest.warns(TokenizerFileWarning, match=says):
        assert read(model()[0], **beside).decode(read_tokenizer({"m": model()[0]}).encode("")) == ""


def test_files_of_another_model_are_refused():
    with pytest.raises(TokenizerFileError, match="has none of the pieces"):
        read(model()[0], config=config("M2M100Tokenizer"), vocab=b'{"<x>": 0, "<y>": 1}')
    data, _ = model("bpe", bos_id=-1, eos_id=-1)
    with pytest.raises(TokenizerFileError, match="two would have the same"):
        read(data, config=config("XLMRobertaTokenizer"))
