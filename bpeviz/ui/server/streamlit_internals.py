"""The parts of Streamlit that the page needs and that have no public name, all in one place.

- The id of the session of this script, and whether it is still connected: a training must end when its
  visitor has left, and an upload counts for its session.
- Dropping what a session holds when it ends: Streamlit keeps the last one in memory.
- The exception that ends a script when somebody clicks: a training in the script must notice it.
- The messages of the browser and the uploaded files: their sizes are checked before Streamlit keeps them.

A new version of Streamlit may change any of these; tests/app and tests/faults notice.
"""

from collections.abc import Callable

from streamlit import runtime
from streamlit.navigation.page import StreamlitPage
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFile

__all__ = [
    "BackMsg",
    "ClientState",
    "ForwardMsg",
    "MemoryUploadedFileManager",
    "StreamlitPage",
    "UploadedFile",
    "WidgetState",
    "WidgetStates",
    "forgetter",
    "served_session",
]


def served_session() -> str | None:
    """Return the id of the session of this script; None without a server, as in tests."""
    context = get_script_run_ctx(suppress_warning=True)
    return context.session_id if context is not None and runtime.exists() else None


def forgetter() -> Callable[[], None]:
    """Return a function that drops everything that this session holds; call it when the session has ended."""
    context = get_script_run_ctx()
    if context is None:
        return lambda: None
    state, fragments = context.session_state._state, context.fragment_storage

    def forget() -> None:
        # before the rest: clearing the state would read these values, and forged ones cannot be read
        state._new_widget_state.states.clear()
        state._new_widget_state.widget_metadata.clear()  # the callbacks of widgets
        state.clear()
        fragments.clear()

    return forget
