"""Tokenizers saved to a disk and loaded from it: files, folders, and what goes wrong with them."""

import os
import sys
import warnings
from pathlib import Path

import pytest

from bpeviz import Tokenizer, custom_split_pattern, load_pretrained, train_tokenizer
from bpeviz.errors import TokenizerFileError, TokenizerFileWarning
from bpeviz.formats import storage
from bpeviz.formats.llms_from_scratch import NOTEBOOK_PATTERNS

TEXT = "the cat in the hat and the cat on the mat"


def trained(recipe: str, split: str) -> Tokenizer:
    return train_tokenizer(TEXT, recipe, split=split, num_merges=10)


def of_bytes() -> Tokenizer:
    return trained("tiktoken-educational", "gpt2")


def of_characters() -> Tokenizer:
    return trained("llms-from-scratch-simple", "none")


def refused(action, *arguments) -> str:
    with pytest.raises(TokenizerFileError) as caught:
        action(*arguments)
    return str(caught.value)


@pytest.mark.parametrize(
    ("file_format", "name"),
    [("huggingface", "a.json"), ("tiktoken", "gpt2-split.tiktoken"), ("minbpe", "a.model")],
)
@pytest.mark.filterwarnings("ignore::bpeviz.errors.TokenizerFileWarning")
def test_a_file_is_saved_and_loaded(tmp_path, file_format, name):
    of_bytes().save(tmp_path / name, file_format)
    assert [path.name for path in tmp_path.iterdir()] == [name]
    again = Tokenizer.load(tmp_path / name)
    assert again.merges == of_bytes().merges
    assert again.split == of_bytes().split
    assert again.encode(TEXT) == of_bytes().encode(TEXT)


@pytest.mark.parametrize(
    ("make", "file_format", "names"),
    [
        (of_bytes, "gpt2", {"vocab.json", "merges.txt", "tokenizer_config.json"}),
        (of_characters, "llms-from-scratch", {"vocab.json", "bpe_merges.txt"}),
    ],
)
@pytest.mark.filterwarnings("ignore::bpeviz.errors.TokenizerFileWarning")
def test_a_pair_is_saved_in_a_folder_that_is_made_and_loaded_from_it(tmp_path, make, file_format, names):
    folder = tmp_path / "new" / "folder"
    make().save(folder, format=file_format)
    assert {path.name for path in folder.iterdir()} == names
    assert Tokenizer.load(str(folder)).encode(TEXT) == make().encode(TEXT)


def test_a_tokenizer_json_is_what_is_saved_unless_asked_otherwise(tmp_path):
    of_bytes().save(str(tmp_path / "x"))
    assert (tmp_path / "x").read_bytes().startswith(b"{")


def test_openais_names_are_a_pair_too(tmp_path):
    load_pretrained("gpt2").after(50).save(tmp_path, "gpt2")
    (tmp_path / "vocab.json").rename(tmp_path / "encoder.json")
    (tmp_path / "merges.txt").rename(tmp_path / "vocab.bpe")
    assert Tokenizer.load(tmp_path).merges == load_pretrained("gpt2").merges[:50]


def test_the_split_pattern_of_a_file_without_one_can_be_named(tmp_path):
    with pytest.warns(TokenizerFileWarning, match=r"save it as gpt2-split\.tiktoken"):
        of_bytes().save(tmp_path / "x", "tiktoken")
    with pytest.raises(TokenizerFileError, match="its name says none"):
        Tokenizer.load(tmp_path / "x")
    assert Tokenizer.load(tmp_path / "x", split="gpt2").split.name == "gpt2"
    mine = custom_split_pattern(r"\S+|\s+")
    assert Tokenizer.load(tmp_path / "x", split=mine).split == mine


def warned(tokenizer: Tokenizer, path: Path, file_format: str) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        tokenizer.save(path, file_format)
    return [str(w.message) for w in caught]


def test_what_a_file_of_ranks_does_not_say_is_warned_about(tmp_path):
    assert warned(of_bytes(), tmp_path / "gpt2.tiktoken", "tiktoken") == []
    (message,) = warned(of_bytes(), tmp_path / "cl100k_base.tiktoken", "tiktoken")
    assert "its name stands for cl100k. Give the pattern when you load it" in message
    mine = Tokenizer(of_bytes().base, [], split=custom_split_pattern(".|\\n"), special_tokens=["<x>"])
    (message,) = warned(mine, tmp_path / "tokenizer.tiktoken", "tiktoken")
    assert "its name stands for none. Give the pattern when you load it: split=...." in message
    assert "The file holds no special tokens" in message


def test_that_minbpe_ignores_the_pattern_of_its_file_is_warned_about(tmp_path):
    (message,) = warned(of_bytes(), tmp_path / "a.model", "minbpe")
    assert "minbpe's own load() ignores the split pattern in the file" in message
    (message,) = warned(trained("minbpe-basic", "none"), tmp_path / "a.model", "minbpe")
    assert "load the file with BasicTokenizer" in message
    assert warned(trained("minbpe", "cl100k"), tmp_path / "a.model", "minbpe") == []


def test_for_which_notebook_a_pair_is_written_is_warned_about(tmp_path):
    (message,) = warned(of_characters(), tmp_path, "llms-from-scratch")
    assert "The files are for the notebook before its commit 0f35e37" in message
    (message,) = warned(of_characters().after(0), tmp_path, "llms-from-scratch")
    assert message.endswith('Without merges, load it with split="words".')
    assert warned(Tokenizer.load(tmp_path, split="lines"), tmp_path, "llms-from-scratch") == []


@pytest.mark.parametrize("split", NOTEBOOK_PATTERNS)
@pytest.mark.filterwarnings("ignore::bpeviz.errors.TokenizerFileWarning")
def test_a_pair_is_read_back_for_the_notebook_that_it_was_written_for(tmp_path, split):
    for text in ("ab ab ab", "abababab", "the cat in the hat"):
        train_tokenizer(text, "llms-from-scratch-simple", num_merges=4).save(tmp_path, "llms-from-scratch")
        asked = Tokenizer.load(tmp_path, split=split)
        asked.save(tmp_path, "llms-from-scratch")
        assert Tokenizer.load(tmp_path).split == asked.split == NOTEBOOK_PATTERNS[split]


def test_the_folder_of_a_model_is_read_by_its_tokenizer_json(tmp_path):
    of_bytes().save(tmp_path / "tokenizer.json")
    (tmp_path / "config.json").write_text("{}")
    assert Tokenizer.load(tmp_path).merges == of_bytes().merges
    (message,) = warned(load_pretrained("gpt2").after(3), tmp_path, "gpt2")
    assert "the folder also holds tokenizer.json, which is read in place of the pair" in message
    assert Tokenizer.load(tmp_path).merges == of_bytes().merges


def test_saving_replaces_what_is_there_and_nothing_else(tmp_path):
    (tmp_path / "merges.txt").write_text("old")
    (tmp_path / "other.txt").write_text("kept")
    of_bytes().save(tmp_path, "gpt2")
    assert Tokenizer.load(tmp_path).merges == of_bytes().merges
    written = ["merges.txt", "tokenizer_config.json", "vocab.json"]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([*written, "other.txt"])
    assert (tmp_path / "other.txt").read_text() == "kept"


@pytest.mark.skipif(sys.platform == "win32", reason="links need a permission there")
def test_a_link_is_written_through(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "file")
    of_bytes().save(tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert Tokenizer.load(tmp_path / "file").merges == of_bytes().merges


def test_what_cannot_be_written_leaves_the_disk_as_it_was(tmp_path):
    path = tmp_path / "there"
    path.write_text("old")
    with pytest.raises(TokenizerFileError, match="cannot hold this tokenizer"):
        of_bytes().save(path, "llms-from-scratch")
    with pytest.raises(TokenizerFileError, match="There is no format"):
        of_bytes().save(path, "onnx")
    with pytest.raises(TokenizerFileError, match="cannot hold this tokenizer"):
        of_characters().save(tmp_path / "new", "gpt2")
    assert [p.name for p in tmp_path.iterdir()] == ["there"]
    assert path.read_text() == "old"


@pytest.mark.parametrize("after", [0, 1])
def test_a_disk_that_fills_up_leaves_no_part_of_a_file(tmp_path, monkeypatch, after):
    (tmp_path / "vocab.json").write_text("old")
    synced: list[int] = []

    def fails_later(number: int) -> None:
        synced.append(number)
        if len(synced) > after:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(storage.os, "fsync", fails_later)
    assert "cannot be written (No space left on device)" in refused(of_bytes().save, tmp_path, "gpt2")
    assert [path.name for path in tmp_path.iterdir()] == ["vocab.json"]
    assert (tmp_path / "vocab.json").read_text() == "old"


def test_a_path_that_cannot_be_written_to(tmp_path):
    (tmp_path / "file").write_text("old")
    assert "it is a folder. Give the name of a file, such as tokenizer.json in it" in refused(
        of_bytes().save, tmp_path
    )
    assert "cannot be written (No such file" in refused(of_bytes().save, tmp_path / "none" / "x.json")
    assert "cannot be written (File exists)" in refused(of_bytes().save, tmp_path / "file", "gpt2")


def test_a_pipe_is_not_replaced_by_a_file(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert "would be replaced" in refused(of_bytes().save, pipe)
    assert pipe.is_fifo()
    assert list(tmp_path.iterdir()) == [pipe]


def test_a_path_that_cannot_be_read(tmp_path):
    assert "none.json: No such file" in refused(Tokenizer.load, tmp_path / "none.json")
    assert "it holds neither tokenizer.json nor a pair of files: vocab.json and merges.txt, or" in refused(
        Tokenizer.load, tmp_path
    )


@pytest.mark.filterwarnings("ignore::bpeviz.errors.TokenizerFileWarning")
def test_half_a_pair_and_too_many(tmp_path):
    of_bytes().save(tmp_path, "gpt2")
    assert "Give merges.txt" in refused(Tokenizer.load, tmp_path / "vocab.json")
    of_characters().save(tmp_path, "llms-from-scratch")
    assert "it holds more than one pair: vocab.json and merges.txt, or vocab.json and bpe_" in refused(
        Tokenizer.load, tmp_path
    )


def test_a_file_that_is_too_large_is_not_read_whole(tmp_path, monkeypatch):
    path = tmp_path / "large.json"
    with path.open("wb") as file:
        os.truncate(file.fileno(), 10**12)  # a hole, not written to the disk
    assert "at most 67,108,864 are read" in refused(Tokenizer.load, path)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="a file without end")
def test_a_file_without_end_is_not_read_for_ever():
    assert "at most 67,108,864 are read" in refused(Tokenizer.load, "/dev/zero")
