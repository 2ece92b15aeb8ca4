"""Where a session is saved."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field

from bpeviz.sessions.document import SavedRun, SavedSession
from bpeviz.sessions.store import text_digest

__all__ = ["Digests", "SavingState", "SessionToOpen"]


class Digests:
    """The digests of the texts saved last: long texts are not hashed at every click."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[str, int]] = {}
        self._used: dict[str, tuple[str, int]] = {}

    def of(self, text: str) -> str:
        """Return the digest of a text, in UTF-8."""
        if text not in self._used:
            self._used[text] = self._known.get(text) or _digest_and_size(text)
        return self._used[text][0]

    def collect_texts(self) -> dict[str, str]:
        """Return the texts saved since the last call, by digest; forget all others."""
        self._known, self._used = self._used, {}
        return {digest: text for text, (digest, _) in self._known.items()}

    @property
    def byte_total(self) -> int:
        """The bytes of the texts that the last ``collect_texts`` returned."""
        return sum(size for _, size in self._known.values())


def _digest_and_size(text: str) -> tuple[str, int]:
    data = text.encode("utf-8", "surrogatepass")
    return text_digest(data), len(data)


@dataclass(frozen=True)
class SessionToOpen:
    """A saved session to restore: its ``document``, its ``texts`` and packed ``files`` by digest.

    - ``saved_id``, ``stored``: its id and the document saved under it, both empty if it is not saved;
    - ``is_copy``: others own it, so changes are saved under a new id;
    - ``skipped_runs``: the places of the runs that this server doesn't take.
    """

    document: SavedSession
    texts: Mapping[str, str]
    saved_id: str = ""
    stored: str = ""
    is_copy: bool = False
    skipped_runs: frozenset[int] = frozenset()
    files: Mapping[str, bytes] = field(default_factory=dict)

    @property
    def runs(self) -> dict[int, SavedRun]:
        """The runs to train again, by their place in the document."""
        return {place: run for place, run in enumerate(self.document.runs) if place not in self.skipped_runs}


@dataclass
class SavingState:
    """Where this session is saved, and what is being restored.

    - ``address_read``: whether the session has read its address;
    - ``saved_id``: the id it is saved under, empty until there is something to save;
    - ``own``: whether this browser began it, so that it opens it again when the person comes back;
    - ``leaves``: whether the person left a saved session for this new one;
    - ``copy_of``: the id of the saved session that this one is an unchanged copy of;
    - ``stored``: the document last saved; before the first change, the one that it began with, without what a
      person may look at;
    - ``digests``: of its texts;
    - ``to_open``: the saved session to restore; ``tried``: whether that started; ``ended_server``: whether a
      server ended while it worked on it; ``left_out``: what this server doesn't take of it, in words;
    - ``deleted``: the id of the saved session deleted last, which can be restored; ``deleted_state``: its
      document, if it was the one on the page;
    - ``opened``: the session file uploaded last, and the id it was saved under;
    - ``notice``: a message to the person;
    - ``unsaved``: the names of the uploaded tokenizers that are too large to be saved;
    - ``fault``: why saving failed; ``retry_at``: when to try again, in seconds of time.monotonic();
    - ``link``: the id of the copy made last, for a link; ``link_of``: the document it is a copy of;
    - ``lock``: of saving. At a click Streamlit starts the next script of a session while the last
      one may still be saving.
    """

    address_read: bool = False
    saved_id: str = ""
    own: bool = False
    leaves: bool = False
    copy_of: str = ""
    stored: str = ""
    digests: Digests = field(default_factory=Digests)
    to_open: SessionToOpen | None = None
    tried: bool = False
    ended_server: bool = False
    left_out: str = ""
    deleted: str = ""
    deleted_state: str = ""
    opened: tuple[str, str] | None = None
    notice: str = ""
    unsaved: tuple[str, ...] = ()
    fault: str = ""
    retry_at: float = 0.0
    link: str = ""
    link_of: str = ""
    lock: threading.RLock = field(default_factory=threading.RLock, repr=False, compare=False)

    @property
    def shown_id(self) -> str:
        """The id of the saved session that the page shows or restores; empty if there is none."""
        return self.to_open.saved_id if self.to_open else self.saved_id or self.copy_of
