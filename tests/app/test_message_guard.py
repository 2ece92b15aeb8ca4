"""Messages from a browser: the page's messages pass, others are dropped, long values are cut."""

import asyncio
import json
from collections.abc import Sequence
from types import SimpleNamespace

import pytest
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import DecodeError
from starlette.types import Message
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState

from bpeviz.limits import Limits, read_limits
from bpeviz.ui.server import message_guard, message_reports
from bpeviz.ui.server.long_text import byte_length
from bpeviz.ui.server.message_guard import (
    _TO_TEXT,
    MOST_FILES,
    MOST_OTHER_BYTES,
    MOST_PARSED_BYTES,
    MOST_VALUE_BYTES,
    MOST_WIDGETS,
    NO_MESSAGE,
    RequestedFiles,
    bounded,
)
from bpeviz.ui.server.message_reports import MOST_PARTS, SELECTION
from tests.support.widget_values import VALUE_FIELDS, full

LOCAL, HOSTED = read_limits({}), read_limits({"BPEVIZ_HOSTED": "1"})


def rerun(**texts: str) -> BackMsg:
    message = BackMsg()
    for name, text in texts.items():
        message.rerun_script.widget_states.widgets.add(id=name, string_value=text)
    return message


def sent(message: BackMsg) -> BackMsg:
    data = bounded(message.SerializeToString(), HOSTED)
    assert data is not None
    return BackMsg.FromString(data)


def test_what_the_page_sends_passes_unchanged() -> None:
    message = rerun(pasted="the cat in the hat", other="")
    message.rerun_script.query_string = "session=abc"
    message.rerun_script.widget_states.widgets.add(id="player", json_value=json.dumps({"step": 3}))
    heartbeat, stop, files, download = BackMsg(), BackMsg(), BackMsg(), BackMsg()
    heartbeat.app_heartbeat, stop.stop_script = True, True
    files.file_urls_request.file_names.append("a.txt")
    download.backend_operation_request.deferred_file.file_id = "abc"
    for each in (message, heartbeat, stop, files, download):
        assert sent(each) == each


@pytest.mark.parametrize("most", [LOCAL, HOSTED])
def test_a_text_as_long_as_the_limit_passes_and_a_longer_one_is_cut(most: Limits) -> None:
    limit = most.max_text_bytes
    for length in (limit, limit + 1, 3 * limit):
        data = bounded(rerun(pasted="a" * length).SerializeToString(), most)
        assert data is not None
        (state,) = BackMsg.FromString(data).rerun_script.widget_states.widgets
        assert byte_length(state.string_value) == length
        assert len(state.string_value) == length if length == limit else len(state.string_value) < limit + 100


def test_of_24_mb_a_hosted_server_keeps_2() -> None:
    data = bounded(rerun(pasted="word " * 4_800_000, other="x").SerializeToString(), HOSTED)
    assert data is not None
    assert len(data) < HOSTED.max_text_bytes + 1_000


def test_clearing_caches_and_other_commands_are_dropped() -> None:
    for command in ("clear_cache", "set_run_on_save", "load_git_info", "debug_shutdown_runtime"):
        message = BackMsg()
        setattr(message, command, True)
        assert bounded(message.SerializeToString(), LOCAL) is None
    for operation in ("install_skills", "dismiss_skills_nudge"):
        message = BackMsg()
        getattr(message.backend_operation_request, operation).SetInParent()
        assert bounded(message.SerializeToString(), LOCAL) is None
    assert bounded(BackMsg().SerializeToString(), LOCAL) is None


def test_a_command_after_another_is_dropped_too() -> None:
    """Only the last of several kinds in one message counts."""
    clear = BackMsg(clear_cache=True)
    assert bounded(rerun(a="b").SerializeToString() + clear.SerializeToString(), LOCAL) is None


def test_too_many_fields_or_files_are_dropped() -> None:
    files = BackMsg()
    files.file_urls_request.file_names.extend([""] * MOST_FILES)
    assert sent(files) == files
    files.file_urls_request.file_names.append("")
    assert bounded(files.SerializeToString(), HOSTED) is None
    fields = rerun(**{f"field-{i}": "" for i in range(MOST_WIDGETS + 1)})
    assert bounded(fields.SerializeToString(), HOSTED) is None


def test_values_that_are_no_text_have_a_limit() -> None:
    message = rerun(pasted="the cat")
    add = message.rerun_script.widget_states.widgets.add
    add(id="json", json_value="[" * (MOST_OTHER_BYTES + 1))
    add(id="bytes", bytes_value=bytes(MOST_OTHER_BYTES + 1))
    add(id="trigger", json_trigger_value="9" * (MOST_OTHER_BYTES + 1))
    add(id="x" * (MOST_OTHER_BYTES + 1), string_value="")
    add(id="choices").string_array_value.data.extend(["a"] * MOST_OTHER_BYTES)
    kept = sent(message).rerun_script.widget_states
    assert kept.widgets[0].string_value == "the cat"
    assert kept.ByteSize() < 100


@pytest.mark.parametrize(
    "report",
    ["9" * 5_000, '"' + "9" * 5_000 + '"', "null", '{"at": ' + "9" * 5_000 + "}", "[" * 100_000, "{"],
)
@pytest.mark.parametrize("kind", ["json_value", "json_trigger_value"])
def test_a_report_that_streamlit_cannot_read_is_left_out(kind: str, report: str) -> None:
    """Streamlit would fail again at every later message of the session."""
    message = rerun(pasted="the cat")
    message.rerun_script.widget_states.widgets.add(id="player", **{kind: report})
    assert [state.id for state in sent(message).rerun_script.widget_states.widgets] == ["pasted"]


@pytest.mark.parametrize("field", ["query_string", "page_name", "fragment_id"])
def test_an_address_has_a_limit(field: str) -> None:
    message = rerun(a="b")
    setattr(message.rerun_script, field, "x" * (MOST_OTHER_BYTES + 1))
    assert bounded(message.SerializeToString(), LOCAL) is None


def test_all_fields_together_have_a_limit() -> None:
    many = rerun(**{f"field-{i}": "a" * 1_900_000 for i in range(5)})
    assert bounded(many.SerializeToString(), HOSTED) is None


def test_what_is_no_message_reaches_streamlit_which_closes_the_connection() -> None:
    hidden = BackMsg(clear_cache=True).SerializeToString()
    for data in (b"\xff\xff", b"\xff" * 20_000_000, hidden + b"\xff" * MOST_OTHER_BYTES):
        handed_on = bounded(data, LOCAL)
        assert handed_on is not None
        with pytest.raises(DecodeError):
            BackMsg.FromString(handed_on)


@pytest.mark.parametrize("kind", ["widgets", "choices", "files", "other"])
def test_a_message_of_many_small_parts_is_never_parsed(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Parsed, 25 MB of empty parts take a gigabyte and seconds."""
    message, times = rerun(a="b"), MOST_PARSED_BYTES
    states = message.rerun_script.widget_states
    if kind == "widgets":
        data = message.SerializeToString() + _at(_TO_TEXT[:2], b"\x0a\x00" * times)
    elif kind == "choices":
        states.widgets.add().string_array_value.data.extend([""] * times)
        data = message.SerializeToString()
    elif kind == "files":
        part = WidgetState.DESCRIPTOR.fields_by_name["file_uploader_state_value"].number
        data = _at((*_TO_TEXT[:3], part), b"\x0a\x00" * times)
    else:
        data = b"\x08\x01" * times
    parsed = []
    monkeypatch.setattr(message_guard, "BackMsg", lambda: parsed.append(1))
    assert bounded(data, LOCAL) == NO_MESSAGE
    assert parsed == []


def _at(numbers: Sequence[int], data: bytes) -> bytes:
    """A part of a message, inside the fields with these numbers."""
    for number in reversed(numbers):
        length, written = len(data), bytearray()
        while length >= 0x80:
            written.append(length & 0x7F | 0x80)
            length >>= 7
        key = number << 3 | 2
        tag = bytes([key]) if key < 0x80 else bytes([key & 0x7F | 0x80, key >> 7])
        data = tag + bytes([*written, length]) + data
    return data


def test_a_message_with_the_longest_text_is_cut_and_a_longer_one_is_not_parsed() -> None:
    for length, parsed in ((49_999_000, True), (50_000_001, False)):
        taken = bounded(rerun(pasted="a" * length).SerializeToString(), LOCAL)
        assert taken is not None
        assert (taken != NO_MESSAGE) == parsed
        assert len(taken) < 9_000_000


def test_many_fields_beside_long_texts_pass() -> None:
    texts = {f"text-{i}": "é" * 1_000_000 for i in range(3)}
    message = rerun(**texts, **{f"field-{i}": "x" * 1_000 for i in range(900)})
    data = message.SerializeToString()
    assert bounded(data, LOCAL) == data


def report(value: str, key: str = f"bars{SELECTION}") -> BackMsg:
    message = BackMsg()
    message.rerun_script.widget_states.widgets.add(id=f"$$ID-0-{key}", string_value=value)
    return message


@pytest.mark.parametrize(
    "picked",
    [
        {"points": [{"x": 1, "customdata": [3]}], "point_indices": [0], "box": [], "lasso": []},
        {"rows": [7], "columns": [], "cells": []},
        {"rows": [], "columns": ["a"], "cells": [[0, "a"]]},
        {},
    ],
)
def test_what_a_chart_or_a_table_reports_passes(picked: object) -> None:
    message = report(json.dumps({"selection": picked}))
    assert sent(message) == message


@pytest.mark.parametrize(
    "value",
    [
        *("", "5", "-1.5", "null", "true", '"selection"', "[]", '["selection"]', "{", "{}", "1" * 5_000),
        *('{"selection": 5}', '{"selection": []}', '{"selection": {"rows": 5}}', "[" * 100_000),
        *('{"selection": {"points": [5]}}', '{"selection": {"rows": ["a"]}}', '{"selection": null}'),
        '{"selection": {"cells": [[0]]}}',
    ],
)
def test_any_other_report_of_a_chart_or_a_table_is_left_out(value: str) -> None:
    assert not sent(report(value)).rerun_script.widget_states.widgets
    text = report(value, "text")
    assert sent(text) == text  # for a person may type it


@pytest.mark.parametrize("field", VALUE_FIELDS, ids=lambda field: field.name)
def test_a_value_of_each_type_is_short_unless_it_is_one_of_four(field: FieldDescriptor) -> None:
    """Also one of a type that a new Streamlit adds."""
    long = {"string_value", "json_value", "json_trigger_value", "file_uploader_state_value"}
    message, size = rerun(pasted="the cat"), MOST_VALUE_BYTES + 1_000
    message.rerun_script.widget_states.widgets.append(full(field, size, json.dumps(["x" * size])))
    kept = sent(message).rerun_script.widget_states.ByteSize()
    assert kept > MOST_VALUE_BYTES or field.name not in long
    assert kept < MOST_VALUE_BYTES or field.name in long


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The reports that are parsed."""
    found: list[str] = []

    def loads(report: str) -> object:
        found.append(report)
        return json.loads(report)

    monkeypatch.setattr(message_reports, "json", SimpleNamespace(loads=loads))
    return found


NESTED = "[[[[[[[[[[]]]]]]]]]],"


@pytest.mark.parametrize("key", [SELECTION, ""], ids=["selections", "texts"])
def test_fields_that_are_too_long_together_are_not_looked_at(parsed: list[str], key: str) -> None:
    many = rerun(**{f"x{i}{key}": NESTED * (1_999_900 // len(NESTED)) for i in range(14)})
    assert bounded(many.SerializeToString(), HOSTED) is None
    assert parsed == []


@pytest.mark.parametrize(
    "report", [f"[{NESTED * 11_000}0]", f"[{'0,' * 100_000}0]", f"[{'{},' * 70_000}0]", '"",' * 80_000]
)
def test_a_report_of_many_parts_is_left_out_unparsed(parsed: list[str], report: str) -> None:
    message = rerun(pasted="the cat")
    message.rerun_script.widget_states.widgets.add(id="player", json_value=report)
    assert [state.id for state in sent(message).rerun_script.widget_states.widgets] == ["pasted"]
    assert parsed == []


def test_the_parts_of_all_reports_of_a_message_are_counted_together(parsed: list[str]) -> None:
    message = BackMsg()
    for number in range(900):
        message.rerun_script.widget_states.widgets.add(id=f"{number}", json_value=f"[{'0,' * 99}0]")
    kept = sent(message).rerun_script.widget_states.widgets
    assert [state.id for state in kept] == [f"{number}" for number in range(MOST_PARTS // 100)]
    assert len(parsed) == len(kept)


@pytest.mark.parametrize("text", ['[{,"' * 40_000, "\\" * 100_000, '{"a": ["b,"]}\n' * 9_000])
def test_a_text_in_a_report_may_hold_anything(text: str) -> None:
    message = BackMsg()
    message.rerun_script.widget_states.widgets.add(id="box", json_value=json.dumps({"typed": {"text": text}}))
    assert len(message.rerun_script.widget_states.widgets[0].json_value) < MOST_OTHER_BYTES
    assert sent(message) == message


def asked(request: str) -> bytes:
    message = BackMsg()
    message.backend_operation_request.request_id = request
    message.backend_operation_request.deferred_file.file_id = "file"
    return message.SerializeToString()


def answered(request: str) -> Message:
    message = ForwardMsg()
    message.backend_operation_response.request_id = request
    return {"type": "websocket.send", "bytes": message.SerializeToString()}


def test_a_connection_is_made_one_file_after_the_other() -> None:
    async def ask() -> list[bool]:
        files = RequestedFiles()
        await files.wait_for_turn(asked("1"))
        second = asyncio.ensure_future(files.wait_for_turn(asked("2")))
        await files.wait_for_turn(rerun(a="b").SerializeToString())  # only files wait
        found = []
        for sent in (ForwardMsg(), answered("0"), {"type": "websocket.close"}, answered("1")):
            files.note(sent if isinstance(sent, dict) else {"bytes": sent.SerializeToString()})
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            found.append(second.done())
        return found

    assert asyncio.run(ask()) == [False, False, False, True]
