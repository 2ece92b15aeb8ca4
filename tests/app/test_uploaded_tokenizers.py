"""Uploaded tokenizers are saved with the session: what a reload finds; what a hostile document can't do."""

import json
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from streamlit.testing.v1 import AppTest

from bpeviz.errors import SavedSessionError, SessionTooLargeError, TokenizerFileError
from bpeviz.limits import limits
from bpeviz.sessions.document import MOST_DOCUMENT_BYTES
from bpeviz.sessions.document_json import read_document, write_document
from bpeviz.sessions.packed_file import PackedFile
from bpeviz.sessions.store import SessionStore, text_digest
from bpeviz.ui.compare.add_tokenizer import tokenizer_upload
from bpeviz.ui.kit.pick_side import picked_side
from bpeviz.ui.kit.tokenizer_sources import get_side, side_names
from bpeviz.ui.session import saving
from bpeviz.ui.session.describe import describe, files_of
from bpeviz.ui.session.opening import fit, read_session_file, write_session_file
from bpeviz.ui.session.put_back import put_back
from bpeviz.ui.session.saving_state import Digests, SessionToOpen
from bpeviz.ui.session.session import Session
from bpeviz.ui.session.tokenizers import MOST_UPLOADED, UploadedTokenizer
from tests.support.app_test import (
    address_of,
    captions,
    drawn,
    opened,
    plain,
    press,
    shown_run,
    state_of,
)
from tests.support.tokenizer_files import as_file, minbpe_model, pair, ranks, tiny

RANKS = ranks({b"ab": 256}, "mine.tiktoken")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("BPEVIZ_DATA", str(tmp_path))
    yield tmp_path
    saving._open.cache_clear()


def add(state: Session, files: dict[str, bytes], split: str | None = None) -> str:
    uploaded = UploadedTokenizer.of(files, split)
    return state.tokenizers.add(uploaded, uploaded.read())


def with_files() -> AppTest:
    """A page with two uploaded tokenizers, both picked."""
    app = opened()
    tokenizers = state_of(app).tokenizers
    tokenizers.picked = {
        "left": add(state_of(app), RANKS, "rustbpe"),
        "right": add(state_of(app), as_file(tiny())),
    }
    return app.run()


def again(state: Session) -> Session:
    """A new session from the document of another."""
    document, texts = describe(state, Digests())
    files = files_of(state, document)
    read = read_document(write_document(document), {**texts, **files})
    assert read == document
    new = Session()
    put_back(new, read, texts, [], files)
    return new


def test_uploaded_tokenizers_are_there_after_a_reload_and_read_when_they_are_used() -> None:
    app = with_files()
    state = state_of(opened(session=address_of(app)))
    assert list(side_names(state).values())[1:3] == ["mine.tiktoken", "tokenizer.json"]
    assert [picked_side(state, slot) for slot in ("left", "right")] == ["file-1", "file-2"]
    assert state.tokenizers.opened == {}
    left, right = (get_side(state, picked_side(state, slot)) for slot in ("left", "right"))
    assert left.tokenizer.split.name == "rustbpe"
    assert left.tokenizer.encode("abab") == [256, 256]
    assert right.tokenizer.encode("ab ab") == [4, 5]
    assert list(state.tokenizers.opened) == ["file-1", "file-2"]


def test_a_pair_is_saved_with_what_is_beside_it() -> None:
    state = Session()
    files = pair({"a": 0, "b": 1, "ab": 2}, "a b\n")
    files |= as_file({"tokenizer_class": "GPT2Tokenizer"}, "tokenizer_config.json")
    files |= as_file({"<x>": 7}, "added_tokens.json") | as_file(
        {"eos_token": "<x>"}, "special_tokens_map.json"
    )
    key = add(state, files)
    assert again(state).tokenizers.open(key).special_tokens == {"<x>": 7}


def test_a_reload_saves_nothing_and_stays_at_its_address() -> None:
    app = with_files()
    saved_id = address_of(app)
    before = saving.store().load(saved_id)
    reloaded = opened(session=saved_id)
    assert address_of(reloaded) == saved_id
    assert saving.store().load(saved_id) == before
    assert [each.saved_id for each in saving.store().recent(2)] == [saved_id]


def test_a_removed_tokenizer_is_gone_after_a_reload() -> None:
    state = Session()
    first, second = add(state, RANKS, "gpt2"), add(state, as_file(tiny()))
    state.tokenizers.picked = {"left": first, "right": second}
    app = drawn(tokenizer_upload, state, state=state)
    app.button(key=f"remove-{first}").click().run()
    assert list(state.tokenizers.files) == [second]
    assert state.tokenizers.picked == {"right": second}
    assert list(again(state).tokenizers.files) == [second]


def names_of(app: AppTest) -> list[Any]:
    """The fields of the names of uploaded tokenizers."""
    return [field for field in app.text_input if field.label == "Name"]


def test_tokenizers_of_one_name_get_numbers_and_can_be_renamed() -> None:
    state = Session()
    (data,) = as_file(tiny()).values()
    keys = [add(state, {"tokenizer.json": data + b" " * n}) for n in range(3)]
    names = ["tokenizer.json", "tokenizer.json (2)", "tokenizer.json (3)"]
    assert [side_names(state)[key] for key in keys] == names
    app = drawn(tokenizer_upload, state, state=state)
    names_of(app)[1].set_value("Mine").run()
    names_of(app)[2].set_value("Mine").run()
    assert [side_names(again(state))[key] for key in keys] == ["tokenizer.json", "Mine", "Mine (2)"]
    assert [field.value for field in names_of(app)] == ["tokenizer.json", "Mine", "Mine (2)"]


def test_the_same_files_with_another_split_pattern_replace_the_first() -> None:
    state = Session()
    state.tokenizers.rename(add(state, RANKS, "gpt2"), "Mine")
    add(state, RANKS, "o200k")
    (key,) = state.tokenizers.files
    assert side_names(state)[key] == "Mine"
    assert get_side(again(state), key).tokenizer.split.name == "o200k"


def test_a_new_tokenizer_replaces_the_oldest_of_six() -> None:
    state = Session()
    keys = [add(state, minbpe_model(f"97 {n}")) for n in range(98, 100 + MOST_UPLOADED)]
    assert list(state.tokenizers.files) == keys[-MOST_UPLOADED:]


def test_all_tokenizers_of_a_session_have_a_limit_of_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    state = Session()
    first = add(state, as_file(tiny()))
    size = len(state.tokenizers.open(first).vocabulary)
    few = replace(limits(), max_tokens=2 * size - 1)
    monkeypatch.setattr("bpeviz.ui.session.tokenizers.limits", lambda: few)
    assert add(state, as_file(tiny())) == first  # the same one
    other = {"b.json": as_file(tiny())["tokenizer.json"] + b" "}
    with pytest.raises(
        TokenizerFileError, match=rf"would have {2 * size:,} tokens together; the limit is {2 * size - 1:,}"
    ):
        add(state, other)
    assert list(state.tokenizers.files) == [first]
    state.tokenizers.files["file-9"] = UploadedTokenizer.of(other, None)  # as from a saved session
    with pytest.raises(TokenizerFileError, match="tokens together"):
        state.tokenizers.open("file-9")
    state.tokenizers.remove(first)
    assert state.tokenizers.open("file-9").n_vocab == size


def test_what_does_not_fit_is_not_saved_and_everything_else_is(monkeypatch: pytest.MonkeyPatch) -> None:
    app = opened()
    key = add(state_of(app), RANKS, "gpt2")
    size = state_of(app).tokenizers.files[key].byte_total + shown_run(state_of(app)).corpus.byte_total
    small = replace(limits(), session_bytes=MOST_DOCUMENT_BYTES + size + 4)
    monkeypatch.setattr("bpeviz.ui.session.describe.limits", lambda: small)
    add(state_of(app), as_file(tiny()))
    state_of(app).form.typed = "text"
    app.run()
    app.run()
    assert "Too large to save with this session: tokenizer.json." in plain(app.info[0].value)
    new = state_of(opened(session=address_of(app)))
    assert list(new.tokenizers.files) == [key]
    assert new.form.typed == "text"
    drawn_again = drawn(tokenizer_upload, state_of(app), state=state_of(app))
    assert "a reload loses it" in captions(drawn_again)
    press(app, "Close")
    assert not app.run().info
    # A longer text takes its room too.
    state_of(app).form.typed = "longer" * 1_000
    app.run()
    assert state_of(opened(session=address_of(app))).form.typed == "longer" * 1_000
    assert state_of(opened(session=address_of(app))).tokenizers.files == {}


def test_a_store_without_room_for_the_files_saves_everything_else(monkeypatch: pytest.MonkeyPatch) -> None:
    save = SessionStore.save

    def small(self: SessionStore, saved_id: str, title: str, state: str, texts: Any, **more: Any) -> None:
        if json.loads(state)["tokenizers"]:
            raise SessionTooLargeError(2_000_000, 1_000_000)
        save(self, saved_id, title, state, texts, **more)

    monkeypatch.setattr(SessionStore, "save", small)
    app = with_files()
    state_of(app).form.typed = "text"
    app.run()
    assert "Too large to save with this session: mine.tiktoken, tokenizer.json." in plain(app.info[0].value)
    assert state_of(app).saving.fault == ""
    assert state_of(opened(session=address_of(app))).form.typed == "text"
    assert list(state_of(app).tokenizers.files) == ["file-1", "file-2"]
    add(state_of(app), minbpe_model("97 98"))
    state_of(app).form.typed = "more"
    app.run()
    assert state_of(opened(session=address_of(app))).form.typed == "more"
    assert len(state_of(app).tokenizers.files) == 3


def test_a_session_file_carries_the_tokenizers_to_another_machine() -> None:
    state = Session()
    key = add(state, RANKS, "o200k")
    to_open = read_session_file(write_session_file(state))
    new = Session()
    put_back(new, to_open.document, to_open.texts, [], to_open.files)
    assert get_side(new, key).tokenizer.split.name == "o200k"
    saved_id = saving.save_uploaded(to_open, "title")
    assert list(state_of(opened(session=saved_id)).tokenizers.files) == [key]


def test_a_session_file_that_would_be_too_large_to_open_leaves_the_tokenizers_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    state = Session()
    add(state, RANKS, "o200k")
    written = write_session_file(state)
    small = replace(limits(), max_upload_bytes=len(written) - 1)
    monkeypatch.setattr("bpeviz.ui.session.opening.limits", lambda: small)
    assert read_session_file(write_session_file(state)).document.tokenizers == {}


def test_a_copy_has_the_tokenizers() -> None:
    app = with_files()
    copy = state_of(opened(session=saving.save_copy(state_of(app))))
    assert list(copy.tokenizers.files) == ["file-1", "file-2"]


# --- documents of strangers ------------------------------------------------------------------------------


def document_with(change: Callable[[Any], object]) -> bytes:
    """The file of a session with an uploaded tokenizer, with something changed in it."""
    state = Session()
    add(state, RANKS, "gpt2")
    file = json.loads(write_session_file(state))
    change(file)
    return json.dumps(file).encode()


def uploaded(file: Any) -> Any:
    return file["document"]["tokenizers"]["file-1"]


@pytest.mark.parametrize(
    "change",
    [
        lambda file: file["files"].clear(),
        lambda file: file["files"].update({"0" * 64: "AAAA"}),
        lambda file: file["files"].update({"x": "AAAA"}),
        lambda file: file["document"]["tokenizers"].update({"../x": uploaded(file)}),
        lambda file: file["document"]["tokenizers"].update({"gpt2": uploaded(file)}),
        lambda file: uploaded(file).update(files=[]),
        lambda file: uploaded(file).update(files=uploaded(file)["files"] * 7),
        lambda file: uploaded(file).update(name="x" * 201),
        lambda file: uploaded(file).update(split=7),
        lambda file: uploaded(file)["files"][0].update(byte_total=-1),
        lambda file: uploaded(file)["files"][0].update(digest="x"),
        lambda file: file["document"].update(typed=uploaded(file)["files"][0]["digest"]),
    ],
    ids=range(12),
)
def test_a_document_that_nobody_could_have_saved_is_refused(change: Callable[[Any], object]) -> None:
    with pytest.raises(SavedSessionError):
        read_session_file(document_with(change))


def refused(packed: bytes, byte_total: int, split: str | None = None) -> str:
    """What the page says about a saved tokenizer when it is used."""
    file = PackedFile("x.tiktoken", byte_total, packed)
    state = Session()
    state.tokenizers.files["file-1"] = UploadedTokenizer("x", (file,), split)
    new = again(state)
    assert list(new.tokenizers.files) == ["file-1"]
    with pytest.raises(Exception, match=r".") as caught:
        get_side(new, "file-1")
    assert new.tokenizers.opened == {}
    return str(caught.value)


def test_what_was_packed_is_checked_when_it_is_used() -> None:
    bomb = zlib.compress(bytes(50_000_000), 9)
    damaged = "x.tiktoken: its saved copy is damaged. Remove it and upload it again."
    assert refused(bomb, 1_000) == damaged
    assert refused(bomb, 50_000_001) == damaged
    assert refused(bomb[:-4], 50_000_000) == damaged
    assert refused(b"no zlib", 7) == damaged
    assert refused(b"", 0) == damaged
    assert "empty" in refused(zlib.compress(b""), 0)
    content = RANKS["mine.tiktoken"]
    assert "There is no split pattern named 'x'" in refused(zlib.compress(content), len(content), "x")


def test_a_packed_file_never_unpacks_more_than_it_says() -> None:
    file = PackedFile("x", 10, zlib.compress(bytes(10_000_000)))
    with pytest.raises(TokenizerFileError):
        file.content()
    assert PackedFile.of("x", b"abc").content() == b"abc"


def test_what_this_server_does_not_take_is_left_out_and_stays_saved() -> None:
    state = Session()
    keys = [add(state, minbpe_model(f"97 {n}")) for n in range(98, 98 + MOST_UPLOADED)]
    document, _ = describe(state, Digests())
    files = files_of(state, document)
    assert document.tokenizers
    saved = document.tokenizers
    large = msgspec.structs.replace(saved[keys[0]].files[0], byte_total=limits().max_upload_bytes + 1)
    odd = {keys[0]: msgspec.structs.replace(saved[keys[0]], name="large", files=(large,))}
    more = {f"file-{n}": saved[keys[1]] for n in range(100, 110)}
    written = write_document(msgspec.structs.replace(document, tokenizers={**saved, **odd, **more}))
    saved_id = "A" * 22
    saving.store().save(saved_id, "title", written, {d: (lambda p=p: p) for d, p in files.items()})
    app = opened(session=saved_id)
    assert "Uploaded tokenizers left out: large, " in plain(app.info[0].value)
    assert len(state_of(app).tokenizers.files) == MOST_UPLOADED
    assert keys[0] not in state_of(app).tokenizers.files
    state_of(app).form.typed = "text"
    app.run()
    assert address_of(app) != saved_id
    kept = saving.store().load(saved_id)
    assert kept is not None
    assert kept.document == written


def test_packed_files_of_more_than_a_session_may_take_are_left_out() -> None:
    packed = bytes(limits().session_bytes // 2)
    file = PackedFile("x", 1, packed)
    state = Session()
    state.tokenizers.files = {f"file-{n}": UploadedTokenizer(f"{n}", (file,)) for n in (1, 2)}
    document, _ = describe(state, Digests())
    assert list(document.tokenizers or {}) == ["file-1"]
    tokenizer = (document.tokenizers or {})["file-1"]
    both = msgspec.structs.replace(document, tokenizers={"file-1": tokenizer, "file-2": tokenizer})
    kept, words = fit(SessionToOpen(both, {}, files={text_digest(packed): packed}))
    assert list(kept.document.tokenizers or {}) == ["file-1"]
    assert "left out: 1." in words
