"""Tokenizers in the Hugging Face cache of this machine."""

import os
from pathlib import Path

import pytest

from bpeviz.errors import TokenizerFileError
from bpeviz.formats import source
from bpeviz.formats.hub_cache import cache_folder, cached_tokenizers, read_cached


@pytest.fixture(autouse=True)
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    (tmp_path / "hub").mkdir()
    return tmp_path / "hub"


def add(
    cache: Path, model: str, name: str = "tokenizer.json", commit: str = "abc", data: bytes = b"{}"
) -> Path:
    """A file as huggingface_hub keeps it: a link to a blob."""
    folder = cache / f"models--{model.replace('/', '--')}"
    blob, file = folder / "blobs" / f"{commit}-{name}", folder / "snapshots" / commit / name
    for path in (blob, file):
        path.parent.mkdir(parents=True, exist_ok=True)
    blob.write_bytes(data)
    file.symlink_to(os.path.relpath(blob, file.parent))
    return file


def test_models_are_listed_by_name_with_the_file_to_read(cache: Path) -> None:
    files = {
        "deepseek-ai/DeepSeek-V3": add(cache, "deepseek-ai/DeepSeek-V3"),
        "gpt2": add(cache, "gpt2"),
        "mistralai/M": add(cache, "mistralai/M", "tekken.json"),
        "org/Old": add(cache, "org/Old", "tokenizer.model"),
        "Zeta/v3": add(cache, "Zeta/v3", "tokenizer.model.v3"),
    }
    add(cache, "gpt2", "tokenizer.model")
    add(cache, "no/tokenizer", "config.json")
    (cache / "datasets--a--b").mkdir()
    (cache / "models--empty").mkdir()
    (cache / "models--a-file").write_text("")
    assert cached_tokenizers() == files
    assert list(cached_tokenizers()) == list(files)
    assert read_cached("gpt2", files["gpt2"]) == b"{}"


def test_the_commit_of_main_is_read_or_else_the_latest(cache: Path) -> None:
    old, new = add(cache, "m", commit="old"), add(cache, "m", commit="new")
    os.utime(old.parent, (1, 1))
    assert cached_tokenizers()["m"] == new
    refs = cache / "models--m" / "refs"
    refs.mkdir()
    (refs / "main").write_text("old")
    assert cached_tokenizers()["m"] == old
    for odd in ("../../x", "", "gone", "é"):
        (refs / "main").write_text(odd, "utf-8")
        assert cached_tokenizers()["m"] == new


def test_a_link_out_of_the_cache_is_not_followed(cache: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret.json"
    secret.write_text("secret")
    link = cache / "models--m" / "snapshots" / "abc" / "tokenizer.json"
    link.parent.mkdir(parents=True)
    link.symlink_to(secret)
    with pytest.raises(TokenizerFileError, match="is a link to another place"):
        read_cached("m", cached_tokenizers()["m"])


def test_a_cache_behind_a_link_works(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add(cache, "m", data=b"x")
    (tmp_path / "link").symlink_to(cache)
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "link"))
    assert read_cached("m", cached_tokenizers()["m"]) == b"x"


def test_a_folder_that_may_not_be_read_hides_no_other(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add(cache, "mine")
    add(cache, "theirs")
    is_file = Path.is_file

    def refuse(path: Path) -> bool:
        if "theirs" in str(path):
            raise PermissionError(13, "Permission denied")
        return is_file(path)

    monkeypatch.setattr(Path, "is_file", refuse)
    assert list(cached_tokenizers()) == ["mine"]


def test_a_file_that_is_gone_or_too_large_says_so(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = add(cache, "m", data=b"12345")
    monkeypatch.setattr(source, "MAX_FILE_BYTES", 3)
    assert read_cached("m", file) == b"1234"
    file.unlink()
    with pytest.raises(TokenizerFileError, match="m: its file in the cache can't be read"):
        read_cached("m", file)


@pytest.mark.parametrize(
    ("environment", "folder"),
    [
        ({"HF_HUB_CACHE": "/a", "HF_HOME": "/b"}, "/a"),
        ({"HF_HOME": "/b", "XDG_CACHE_HOME": "/c"}, "/b/hub"),
        ({"XDG_CACHE_HOME": "/c"}, "/c/huggingface/hub"),
        ({}, "~/.cache/huggingface/hub"),
    ],
)
def test_the_folder_is_that_of_huggingface_hub(
    environment: dict[str, str], folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HF_HUB_CACHE", "HF_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert cache_folder() == Path(folder).expanduser()
    assert cached_tokenizers() == {} or environment == {}


def test_no_cache_is_no_tokenizer(cache: Path) -> None:
    cache.rmdir()
    assert cached_tokenizers() == {}
