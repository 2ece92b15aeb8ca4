"""Messages that no page sends, to the running server over its WebSocket."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.web.server.app_discovery import discover_asgi_app

from tests.support.server import ROOT, running
from tests.support.visitor import visit


@pytest.fixture(scope="module")
def hosted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    data = str(tmp_path_factory.mktemp("data"))
    with running({"BPEVIZ_HOSTED": "1", "BPEVIZ_DATA": data}) as server:
        yield server.url


def test_streamlit_finds_the_guarded_server_in_app_py() -> None:
    assert discover_asgi_app(Path(ROOT) / "app.py").import_string == "app:app"


@pytest.mark.gate
def test_a_text_longer_than_streamlit_itself_takes_is_answered_with_its_length(hosted: str) -> None:
    async def paste() -> list[str]:
        async with visit(hosted) as visitor:
            await visitor.open_page("compare")
            page = visitor.pages["compare"]
            typed = visitor._state("compare_source-4", string_value="Type a text")
            await visitor._ask(typed, page=page)
            long = visitor._state("compare_typed", string_value="word " * 5_200_000)
            await visitor._ask(typed, long, page=page)
            return visitor.errors

    (said,) = asyncio.run(paste())
    assert "This text has 26,000,000 bytes" in said.replace("\\", "")


@pytest.mark.gate
def test_a_dropped_message_leaves_the_session_as_it_was(hosted: str) -> None:
    async def send() -> list[str]:
        async with visit(hosted) as visitor:
            await visitor.open_page()
            files = BackMsg()
            files.file_urls_request.file_names.extend([""] * 100_000)
            skills = BackMsg()
            skills.backend_operation_request.install_skills.SetInParent()
            for forged in (BackMsg(clear_cache=True), files, skills):
                await visitor.socket.send(forged.SerializeToString())
            await visitor.paste_and_train("the cat in the hat " * 9)
            return visitor.errors

    assert asyncio.run(send()) == []
