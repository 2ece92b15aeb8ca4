"""Start the page's server in this process, as ``streamlit run app.py`` does."""

import os
import socket
import threading
import time
import webbrowser
from pathlib import Path

import streamlit as st
from click import Abort, ClickException
from streamlit.web.cli import main as streamlit

from bpeviz.app_folder import APP_FOLDER
from bpeviz.corpus.corpus_files import CorpusFiles
from bpeviz.errors import ServerSettingError
from bpeviz.ui.server.hosting import start_with

__all__ = ["serve"]

_LONGEST_START_SECONDS = 60


def serve(port: int, files: CorpusFiles | None = None, query: str = "") -> int:
    """Serve the page on a port until somebody stops it, and return Streamlit's exit code.

    Every session can train on ``files``. Opens the page in a browser, with ``query`` after its address,
    unless Streamlit's setting ``server.headless`` is on. Changes the current folder. Raises
    ServerSettingError, and KeyboardInterrupt after Ctrl+C.
    """
    start_with(files)
    _enter_app_folder()
    threading.Thread(target=_open_browser, args=(port, query), daemon=True).start()
    try:
        streamlit.main(
            ["run", "app.py", "--server.port", str(port)], prog_name="streamlit", standalone_mode=False
        )
    except Abort:  # Streamlit's command line turns Ctrl+C into this
        raise KeyboardInterrupt from None
    except ClickException as error:
        raise ServerSettingError(error.format_message()) from None
    except SystemExit as end:  # Streamlit has printed why
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    return 0


def _enter_app_folder() -> None:
    """Change to the app's folder: Streamlit also reads settings in the current one, maybe another app's."""
    if data := os.environ.get("BPEVIZ_DATA"):
        os.environ["BPEVIZ_DATA"] = str(Path(data).expanduser().absolute())
    os.chdir(APP_FOLDER)


def _open_browser(port: int, query: str = "") -> None:
    """Open the page when the server listens; the browser waits for the rest."""
    ends = time.monotonic() + _LONGEST_START_SECONDS
    while time.monotonic() < ends:
        try:
            socket.create_connection(("localhost", port), timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            if not st.get_option("server.headless"):
                webbrowser.open(f"http://localhost:{port}{query and '/' + query}")
            return
