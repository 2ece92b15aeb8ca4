"""Merges in files: each format by hand, and what is no merges."""

import json
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpeviz import Corpus, Trainer
from bpeviz.errors import TokenizerFileError
from bpeviz.merge_check.reading import PICKLE_LINES, read_merges
from tests.support.texts import TIGHT_TEXT

SPACES = " " * 300_000
WANTED = ((b" ", b"t"), (b" t", b"h"), (b"\xc3", b"\xa9"))


def read(text: str | bytes, name: str = "merges.txt") -> tuple[tuple[bytes, bytes], ...]:
    data = text.encode() if isinstance(text, str) else text
    return read_merges({name: data}).halves


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("merges.txt", "#version: 0.2\nĠ t\nĠt h\nÃ ©\n"),
        ("merges.txt", "Ġ t\r\nĠt h\r\nÃ ©"),
        ("merges.txt", "Ġ\tt\nĠt\th\nÃ\t©\n"),
        ("merges.txt", "Ġ\tt\t12\nĠt\th\t9\nÃ\t©\t3\n"),
        ("merges.txt", "Ġ t 12\nĠt h 9\nÃ © 3\n"),
        ("merges.csv", "left,right\nĠ,t\nĠt,h\nÃ,©\n"),
        ("merges.csv", "rank,left,right,count\n0,Ġ,t,9\n1,Ġt,h,8\n2,Ã,©,7\n"),
        ("merges.csv", "0,Ġ,t\n1,Ġt,h\n2,Ã,©\n"),
        ("pasted", "left,right\nĠ,t\nĠt,h\nÃ,©\n"),
        ("merges.json", '[["Ġ", "t"], ["Ġt", "h"], ["Ã", "©"]]'),
        ("merges.json", '["Ġ t", "Ġt h", "Ã ©"]'),
        ("merges.json", '{"merges": ["Ġ t", "Ġt h", "Ã ©"]}'),
        ("merges.json", "[[[32],[116]], [[32,116],[104]], [[195],[169]]]"),
        ("tokenizer.json", '{"model": {"type": "BPE", "merges": [["Ġ", "t"], ["Ġt", "h"], ["Ã", "©"]]}}'),
        ("merges.txt", "[(b' ', b't'), (b' t', b'h'), (b'\\xc3', b'\\xa9')]"),
        ("merges.txt", "{(b' ', b't'): 256, (b' t', b'h'): 257, (b'\\xc3', b'\\xa9'): 258}"),
        ("merges.txt", "b' ' b't'\nb' t' b'h'\nb'\\xc3' b'\\xa9'\n"),
        (
            "merges.txt",
            "OrderedDict([((b' ', b't'), 256), ((b' t', b'h'), 257), ((b'\\xc3', b'\\xa9'), 258)])",
        ),
        (
            "merges.txt",
            "defaultdict(<class 'int'>, {(b' ', b't'): 1, (b' t', b'h'): 2, (b'\\xc3', b'\\xa9'): 3})",
        ),
        ("merges.json", r"""{"(b' ', b't')": 256, "(b' t', b'h')": 257, "(b'\\xc3', b'\\xa9')": 258}"""),
        ("merges.txt", "Ġ t\nĠt h\nÃ ©\n".encode("utf-16")),
        ("merges.txt", "(b' ', b't')\n(b' t', b'h'),\n(b'\\xc3', b'\\xa9')\n"),
    ],
)
def test_each_way_to_write_merges(name, text):
    assert read(text, name) == WANTED


def test_raw_spaces_in_a_text_are_parts_of_tokens():
    assert read("  t\n t h\n   \n th e") == (
        (b" ", b"t"),
        (b" t", b"h"),
        (b" ", b" "),
        (b" th", b"e"),
    )


def test_gpt2s_characters_are_known_without_a_space_among_them():
    assert read("#version: 0.2\nÃ ©\n") == ((b"\xc3", b"\xa9"),)


@pytest.mark.parametrize(
    ("text", "halves"),
    [
        ("(\t(\n((\t:\n", [(b"(", b"("), (b"((", b":")]),
        ("( b\n  t\n", [(b"(", b"b"), (b" ", b"t")]),
        ("[ ]\n", [(b"[", b"]")]),
        ("{ '\n{' a\n", [(b"{", b"'"), (b"{'", b"a")]),
        ("- -\n", [(b"-", b"-")]),
        (", a\n,a ,\n", [(b",", b"a"), (b",a", b",")]),
    ],
)
def test_merges_that_begin_as_a_format_are_merges(text, halves):
    assert read(text) == tuple(halves)


IDS = ((b"116", b"104"), (b"256", b"101"))


@pytest.mark.parametrize(
    "text",
    [
        "Merged (116, 104) into 256\nMerged (256, 101) into 257\n",
        "(116, 104)\n(256, 101)\n",
        '{"(116, 104)": 256, "(256, 101)": 257}',
        "{(116, 104): 256, (256, 101): 257}",
        "dict_keys([(116, 104), (256, 101)])",
    ],
)
def test_ids_as_trainers_print_them(text):
    assert read(text) == IDS


MINBPE_LOG = (
    "merge 1/2: (116, 104) -> 256 (b'th') had 6 occurrences\n"
    "merge 2/2: (256, 101) -> 257 (b'the') had 6 occurrences\nready\n"
)


def test_minbpes_log_is_read_as_bytes():
    assert read(MINBPE_LOG) == ((b"t", b"h"), (b"th", b"e"))


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (MINBPE_LOG.partition("\n")[2].encode(), "from its first merge on"),
        (b"Counter({(b't', b'h'): 6, (b'h', b'e'): 5})", "Counter of Python"),
        (b"- [t, h]\n- [th, e]\n", "YAML"),
        (b"merges:\n  - t h\n  - th e\n", "YAML"),
        ("t h\nth e\n".encode("utf-16-be"), "UTF-16"),
        (b"t,h\nth,e\n", "left,right"),
    ],
)
def test_what_is_not_read_is_refused_by_what_it_is(data, says):
    with pytest.raises(TokenizerFileError, match=says):
        read(data)


def test_raw_characters_that_are_not_gpt2s_stay():
    assert read("é t\nét 日\n") == (("é".encode(), b"t"), ("ét".encode(), "日".encode()))


def test_ids_are_kept_as_digits():
    assert read("[[104, 101], [256, 32]]") == ((b"104", b"101"), (b"256", b"32"))
    assert read('[{"pair": [104, 101], "new_id": 256}]') == ((b"104", b"101"),)


def test_a_minbpe_model_is_read_by_its_ids():
    assert read("minbpe v1\n\n0\n104 101\n256 32\n", "t.model") == ((b"h", b"e"), (b"he", b" "))


def test_the_merges_beside_a_vocabulary():
    files = {"vocab.json": b'{"a": 0, "b": 1}', "merges.txt": b"#version: 0.2\na b\n"}
    assert read_merges(files).halves == ((b"a", b"b"),)


def test_a_metaspace_is_a_space():
    text = json.dumps({"model": {"merges": ["▁ t"]}, "decoder": {"type": "Metaspace"}}, ensure_ascii=False)
    assert read(text, "tokenizer.json") == ((b" ", b"t"),)


@pytest.mark.parametrize("protocol", range(6))
def test_a_pickle_is_never_opened_and_the_error_has_the_lines_that_turn_it_into_text(protocol, tmp_path):
    data = pickle.dumps([(b"a", b"b")], protocol=protocol)
    with pytest.raises(TokenizerFileError) as caught:
        read(data, "merges.pkl")
    assert PICKLE_LINES in str(caught.value)
    assert len(PICKLE_LINES.splitlines()) == 3


def test_the_three_lines_make_a_text_that_is_read(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for merges in ([(b" ", b"t")], {(b" ", b"t"): 256}):
        (tmp_path / "merges.pkl").write_bytes(pickle.dumps(merges))
        exec(PICKLE_LINES, {})
        assert read((tmp_path / "merges.txt").read_bytes()) == ((b" ", b"t"),)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n\n",
        "word\n",
        "[]",
        "[1, 2]",
        '["a"]',
        '[["a"]]',
        "[[true, 1]]",
        "{}",
        "[(b'a',)]",
        "[(open, 1)]",
        '{"model": {"merges": [7]}}',
        "b'a' b'b' b'c'\n",
        "a,b\nc\n",
        "\x00\x01",
        b"\xff\xfe\x00",
        "[" * 3000,
    ],
)
def test_what_is_no_merges_is_refused_with_a_remedy(text):
    with pytest.raises(TokenizerFileError, match=r"\."):
        read(text)


def test_python_text_over_the_limit_is_refused_before_it_is_read():
    with pytest.raises(TokenizerFileError, match="4,000,000"):
        read("[" + "(b'a', b'b')," * 400_000 + "]")


@given(text=TIGHT_TEXT)
def test_merges_of_a_trainer_come_back_from_every_text(text):
    trainer = Trainer(Corpus.from_text(text), "minbpe-basic", num_merges=20)
    pairs = [step.pair for step in trainer.steps()]
    halves = tuple((trainer.token_bytes(left), trainer.token_bytes(right)) for left, right in pairs)
    if halves:
        assert read(repr(list(halves))) == halves
        assert read("".join(f"{left!r} {right!r}\n" for left, right in halves)) == halves
        assert read(json.dumps([[list(left), list(right)] for left, right in halves])) == halves


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(data):
    try:
        merges = read_merges({"x": data})
    except TokenizerFileError:
        return
    assert all(left and right for left, right in merges.halves)


@pytest.mark.parametrize(
    "text",
    [
        "a" + " " * 300_000 + "b",
        "'a'" + " " * 300_000,
        "'a'," + " " * 300_000 + "x",
        "[" * 200_000 + "(",
        "(" * 9_000 + ".",
    ],
)
def test_long_lines_take_no_time_of_their_square(text):
    with pytest.raises(TokenizerFileError, match=r"\."):
        read(text)


@pytest.mark.parametrize("text", ["[(0xffffffffffff, 1)]", "[[99999999999999999999, 1]]", "[[-1, 2]]"])
def test_numbers_that_are_no_ids_are_refused(text):
    with pytest.raises(TokenizerFileError, match="no pair"):
        read(text)


def test_a_table_without_a_heading_may_begin_with_a_and_b():
    assert read("a,b\nab,c\n", "own.csv") == ((b"a", b"b"), (b"ab", b"c"))
