"""Files as a corpus: parts that split as in their file, and the search for a word."""

import itertools
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpeviz.corpus import word_search
from bpeviz.corpus.corpus import Corpus
from bpeviz.corpus.corpus_files import CorpusFiles, Place
from bpeviz.corpus.word_search import find_word
from bpeviz.errors import CorpusError
from bpeviz.text.split_patterns import SPLIT_PATTERNS, get_split_pattern
from bpeviz.training.recipes import RECIPES
from bpeviz.training.trainer import Trainer

NAMED = [p for p in SPLIT_PATTERNS.values() if p.stretch is not None]
#: Characters that some pattern treats differently from others, and plain letters between them.
PIECES = [
    *" \n\r\t\x00\x1c\x1f\x85\xa0\u2028\u3000▁/.,'!1a",
    *(
        "the",
        " cat",
        "It's",
        "\n\n",
        "\r\n",
        "  ",
        "。",
        "猫",
        "é",
        "👩‍🚀",
        "a\nb",
        "don't ",
        "12345",
        "e\u0301",
    ),
]


def files_of(folder: Path, *contents: bytes) -> CorpusFiles:
    paths = [folder / f"{n}.txt" for n in range(len(contents))]
    for path, content in zip(paths, contents, strict=True):
        path.write_bytes(content)
    return CorpusFiles.of(paths)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("files")


def test_a_part_begins_and_ends_between_words(tmp_path: Path) -> None:
    """From byte 6 the first cut is before " in"; up to 12 bytes later the last one is before " hat"."""
    files = files_of(tmp_path, b"the cat in the hat sat")
    part = files.part(Place(0, 6), most_bytes=12)
    assert (part.place, part.text, part.byte_total) == (Place(0, 7), " in the hat", 11)


def test_a_part_from_the_start_may_be_the_whole_file(tmp_path: Path) -> None:
    files = files_of(tmp_path, "né\n".encode(), b"")
    assert files.part(Place(0, 0), most_bytes=100).text == "né\n"
    assert files.part(Place(1, 0), most_bytes=100).text == ""
    assert files.byte_total == 4


def test_the_part_with_a_place_begins_shortly_before_it(tmp_path: Path) -> None:
    text = b"word " * 10_000 + b"needle" + b" word" * 100
    files = files_of(tmp_path, text)
    part = files.part_with(Place(0, 50_000), most_bytes=10_000)
    assert 0 < part.text.index("needle") < 300
    assert part.text.encode() == text[part.place.offset :][: part.byte_total]


def test_a_place_after_a_long_word_needs_an_earlier_start(tmp_path: Path) -> None:
    files = files_of(tmp_path, b"a word " + b"x" * 5_000 + b" end")
    part = files.part_with(Place(0, 4_000), most_bytes=8_000)
    assert part.place.offset in (0, 1, 6)


@pytest.mark.parametrize("place", [Place(0, 0), Place(0, 500)])
def test_text_without_a_place_to_cut_is_an_error(tmp_path: Path, place: Place) -> None:
    files = files_of(tmp_path, b"x" * 10_000)
    with pytest.raises(CorpusError, match="can't be cut between bytes"):
        files.part(place, most_bytes=1_000)
    with pytest.raises(CorpusError, match="Choose another part"):
        files.part_with(Place(0, 5_000), most_bytes=1_000)


def test_invalid_bytes_that_are_replaced_count_as_three(tmp_path: Path) -> None:
    """Latin-1: the text of a part stays within the limit, and the parts follow each other in the file."""
    (tmp_path / "0.txt").write_bytes("é à ü word ".encode("latin-1") * 100)
    files = CorpusFiles.of([tmp_path / "0.txt"], "replace")
    place, read = Place(0, 0), ""
    while place.offset < files.byte_total:
        part = files.part(place, most_bytes=200)
        assert part.place == place
        assert len(part.text.encode()) <= 200
        place, read = Place(0, place.offset + part.byte_total), read + part.text
    assert read == "\N{REPLACEMENT CHARACTER} \N{REPLACEMENT CHARACTER} \N{REPLACEMENT CHARACTER} word " * 100


def test_a_word_after_the_last_place_to_cut_is_in_a_part(tmp_path: Path) -> None:
    files = files_of(tmp_path, b"a line\n" * 100 + b"x" * 500 + b"NEEDLE\n")
    place = find_word(files, "NEEDLE", Place(0, 0))
    assert place == Place(0, 1_200)
    assert files.part_with(place, most_bytes=10_000).text.endswith("NEEDLE\n")


def test_a_character_cut_in_two_by_the_limit_is_no_place_to_cut(tmp_path: Path) -> None:
    """A wide space begins at the limit: the line end before it belongs to the same white space."""
    text = "one two\n\u3000three four"
    files = files_of(tmp_path, text.encode())
    for most_bytes in (8, 9, 10):
        assert files.part(Place(0, 0), most_bytes).text == "one"
    assert files.part(Place(0, 0), 16).text == "one two\n\u3000three"


def test_looking_for_a_place_to_cut_costs_the_same_everywhere(tmp_path: Path) -> None:
    """Two million wide spaces, none of them a place to cut; before, this took minutes."""
    files = files_of(tmp_path, "\u3000 ".encode() * 500_000)
    with pytest.raises(CorpusError, match="can't be cut"):
        files.part(Place(0, 4), most_bytes=2_000_000)


def test_the_corpus_begins_with_the_first_file_that_is_not_empty(tmp_path: Path) -> None:
    assert files_of(tmp_path, b"", b"", b"text").beginning == Place(2, 0)
    assert files_of(tmp_path, b"", b"").beginning == Place(0, 0)


@pytest.mark.skipif(os.name == "nt", reason="names are not bytes there")
def test_a_name_that_is_no_utf8_can_be_shown(tmp_path: Path) -> None:
    path = os.fsencode(tmp_path) + b"/caf\xe9.txt"
    with open(path, "wb") as file:  # noqa: PTH123 - a path of bytes
        file.write(b"text")
    files = CorpusFiles.of([os.fsdecode(path)])
    assert files.name == "caf?.txt"
    assert files.part(Place(0, 0), 100).text == "text"


def test_a_loop_of_links_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(CorpusError, match=r"loop can't be used as a corpus"):
        CorpusFiles.of([tmp_path / "loop"])


def test_a_file_that_changed_or_is_gone_is_an_error(tmp_path: Path) -> None:
    files = files_of(tmp_path, b"one two")
    (tmp_path / "0.txt").write_bytes(b"one two three")
    with pytest.raises(CorpusError, match=r"0\.txt has changed"):
        files.part(Place(0, 0), most_bytes=100)
    (tmp_path / "0.txt").unlink()
    with pytest.raises(CorpusError, match=r"0\.txt can't be read"):
        files.part(Place(0, 0), most_bytes=100)


@pytest.mark.parametrize("name", ["missing.txt", "", "a\0b"])
def test_a_name_of_no_file_is_an_error(tmp_path: Path, name: str) -> None:
    with pytest.raises(CorpusError, match="Give the names of text files"):
        CorpusFiles.of([os.path.join(tmp_path, name)])  # noqa: PTH118 - Path takes no U+0000 apart


def test_invalid_bytes_are_refused_or_replaced(tmp_path: Path) -> None:
    files = files_of(tmp_path, b"one \xff two")
    with pytest.raises(CorpusError, match="UTF-8"):
        files.part(Place(0, 0), most_bytes=100)
    assert CorpusFiles(files.files, "replace").part(Place(0, 0), most_bytes=100).text == "one � two"


def test_lists_of_the_same_files_have_the_same_digest(tmp_path: Path) -> None:
    files = files_of(tmp_path, b"one", b"two")
    again = CorpusFiles.of([tmp_path / "0.txt", tmp_path / "1.txt"])
    assert files.digest == again.digest != CorpusFiles.of([tmp_path / "0.txt"]).digest


@pytest.mark.property
@given(st.lists(st.sampled_from(PIECES), max_size=60), st.integers(0, 200), st.integers(1, 200))
def test_a_part_splits_as_in_its_file(folder: Path, pieces: list[str], start: int, size: int) -> None:
    """For every named pattern: the pre-tokens of the part are a slice of those of the whole text."""
    text = "".join(pieces)
    data = text.encode()
    files = files_of(folder, data)
    try:
        part = files.part(Place(0, min(start, len(data))), size)
    except CorpusError:
        return
    assert data[part.place.offset :][: part.byte_total].decode() == part.text
    for pattern in NAMED:
        pre_tokens = pattern.split(text)
        ends = [0, *itertools.accumulate(len(p.encode()) for p in pre_tokens)]
        first, last = part.place.offset, part.place.offset + part.byte_total
        assert {first, last} <= set(ends), pattern.name
        assert pattern.split(part.text) == pre_tokens[ends.index(first) : ends.index(last)], pattern.name


@pytest.mark.property
@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=40), st.integers(0, 99), st.integers(1, 99))
def test_a_part_has_the_gap_ranks_of_its_text(folder: Path, pieces: list[str], start: int, size: int) -> None:
    """A part's gap ranks are the slice of those of the whole text."""
    text = "".join(pieces) * 2
    files = files_of(folder, text.encode())
    for recipe in RECIPES.values():
        pattern = get_split_pattern(recipe.split)
        if pattern.stretch is None:
            continue
        trainer = Trainer(Corpus.from_files(files.opened(), pattern), recipe, num_merges=9, min_frequency=1)
        list(trainer.steps())
        history = trainer.history()
        try:
            part = files.part(Place(0, start), size)
        except CorpusError:
            return
        of_all = history.gap_ranks(text)[part.place.offset :][: part.byte_total]
        assert history.gap_ranks(part.text).tolist() == of_all.tolist()


def test_a_word_is_found_forwards_and_backwards(tmp_path: Path) -> None:
    files = files_of(tmp_path, b"cat dog cat", b"dog cat")
    places = [Place(0, 0)]
    for _ in range(3):
        places.append(found(files, "cat", places[-1]))
    assert places == [Place(0, 0), Place(0, 8), Place(1, 4), Place(0, 0)]
    assert find_word(files, "cat", Place(0, 8), backwards=True) == Place(0, 0)
    assert find_word(files, "cat", Place(0, 0), backwards=True) == Place(1, 4)
    assert find_word(files, "bird", Place(0, 0)) is None


def found(files: CorpusFiles, word: str, place: Place) -> Place:
    at = find_word(files, word, place)
    assert at is not None
    return at


@pytest.mark.property
@given(
    texts=st.lists(st.text("ab", max_size=30), min_size=1, max_size=3),
    word=st.text("ab", min_size=1, max_size=4),
    offset=st.integers(0, 40),
    chunk=st.integers(1, 9),
    backwards=st.booleans(),
)
def test_the_search_finds_what_a_look_at_every_byte_finds(
    folder: Path, *, texts: list[str], word: str, offset: int, chunk: int, backwards: bool
) -> None:
    files = files_of(folder, *(text.encode() for text in texts))
    place = Place(0, min(offset, len(texts[0])))
    every = [
        Place(n, i) for n, text in enumerate(texts) for i in range(len(text)) if text.startswith(word, i)
    ]
    later = [p for p in every if p > place] + [p for p in every if p <= place]
    if backwards:
        later = [p for p in reversed(every) if p < place] + [p for p in reversed(every) if p >= place]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(word_search, "CHUNK_BYTES", chunk)
        assert find_word(files, word, place, backwards=backwards) == next(iter(later), None)


@pytest.mark.parametrize("word", ["", "x" * 1_001])
def test_a_word_must_have_a_sensible_length(tmp_path: Path, word: str) -> None:
    with pytest.raises(CorpusError, match="Search for a word of 1 to 1,000 bytes"):
        find_word(files_of(tmp_path, b"x"), word, Place(0, 0))


def test_a_long_search_stops(tmp_path: Path) -> None:
    clock = itertools.count(0, 15).__next__
    files = files_of(tmp_path, b"one", b"two")
    with pytest.raises(CorpusError, match=r"took more than 20 seconds, and stopped in 1\.txt"):
        find_word(files, "absent", Place(0, 0), clock=lambda: float(clock()))
