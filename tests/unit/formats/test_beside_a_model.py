"""Files beside a SentencePiece model: added tokens and other ids, as the transformers library has them."""

import io
import json
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
    assert tokenizer.encode(text + "<mask>", allowed_special="all") == expected
    assert tokenizer.encode(text) == pieces.encode(text)
    assert len(tokenizer.gap_ranks(text, allowed_special="all")) == len(text)
    assert tokenizer.decode([size + 1, *pieces.encode("the cat")]) == "<|im_start|>the cat"


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
