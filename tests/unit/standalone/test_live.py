"""The live player without a browser: what Python sends, and what it takes from the browser."""

import gc
import json
import subprocess
import sys
import weakref
from typing import Any

import comm
import numpy as np
import pytest
from anywidget import AnyWidget
from comm.base_comm import BaseComm

from bpeviz import Corpus, Trainer
from bpeviz.errors import PlayerError
from bpeviz.standalone.live import LivePlayer, PickedToken
from bpeviz.standalone.player import Player
from tests.support.paths import ROOT

THE = {"start": 0, "end": 3, "id": 257, "text": "the", "bytes": "746865", "rank": 1}
TOKEN = PickedToken(0, 3, 257, "the", b"the", 1)

WITHOUT = """
import sys
sys.modules["anywidget"] = None
from bpeviz import BpevizError, Corpus, Trainer
player = Trainer(Corpus.from_text("the cat in the hat"), "minbpe", num_merges=3).player()
player.step = 2
print(type(player).__name__, player.step)
for use in (lambda: player.picked, lambda: player.observe(print, "step")):
    try:
        use()
    except BpevizError as error:
        print("Install bpeviz[notebook]" in str(error))
"""


class Notebook(BaseComm):
    """The kernel's end of a connection with a notebook, which remembers what is sent."""

    sent: list[dict[str, Any]]

    def publish_msg(self, msg_type: str, data: Any = None, *_: object, **__: object) -> None:
        self.sent = [*getattr(self, "sent", []), {"type": msg_type, **(data or {})}]

    def hear(self, **data: object) -> None:
        """Pass on a message of the browser."""
        self.handle_msg({"content": {"data": {"buffer_paths": [], **data}}, "buffers": []})


def make(step: int | None = None) -> LivePlayer:
    player = Trainer(Corpus.from_text("the cat in the hat " * 3), "minbpe", num_merges=5).player(step=step)
    assert isinstance(player, LivePlayer)
    return player


@pytest.fixture
def player(monkeypatch: pytest.MonkeyPatch) -> LivePlayer:
    """A player in a notebook."""
    monkeypatch.setattr(comm, "create_comm", Notebook)
    return make(step=2)


def test_with_the_extra_a_player_is_an_anywidget(player: LivePlayer) -> None:
    assert isinstance(player, Player)
    assert isinstance(player, AnyWidget)
    assert (player.step, player.last, player.picked) == (2, 5, None)


def test_without_the_extra_the_player_is_static_and_says_what_to_install() -> None:
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", WITHOUT], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.split() == ["Player", "2", "True", "True"]


def test_a_notebook_gets_the_static_page(player: LivePlayer) -> None:
    player.step = 4
    data, _ = player._repr_mimebundle_()
    assert set(data) == {"text/html", "text/plain"}
    assert f'data-bpeviz-player="{player.id}"' in data["text/html"]
    assert data["text/html"] == player._repr_html_()
    assert data["text/plain"] == repr(player)


def test_the_state_of_the_widget_has_no_page(player: LivePlayer) -> None:
    opened = player.comm.sent[0]
    assert opened["type"] == "comm_open"
    state = opened["state"]
    assert (state["step"], state["picked"], state["player_id"]) == (2, None, player.id)
    assert len(json.dumps(state)) - len(state["_esm"]) < 2_000


def test_a_front_end_that_draws_the_widget_gets_the_page_when_it_asks(player: LivePlayer) -> None:
    player.comm.hear(method="custom", content={"ask": "everything"})
    player.comm.hear(method="custom", content=["ask"])
    before = len(player.comm.sent)
    player.comm.hear(method="custom", content={"ask": "iframe"})
    (answer,) = player.comm.sent[before:]
    assert answer["content"] == {"iframe": player._repr_html_()}


def test_a_step_that_python_sets_goes_to_the_browser(player: LivePlayer) -> None:
    player.step = np.int64(3)
    assert type(player.step) is int
    assert player.comm.sent[-1]["state"] == {"step": 3}


@pytest.mark.parametrize("step", [-1, 6, 1.0, "1", None, True, 10**30])
def test_a_step_that_the_player_does_not_have_is_refused(player: LivePlayer, step: Any) -> None:
    with pytest.raises(PlayerError, match="from 0 to 5") as caught:
        player.step = step
    assert f"option step can't be {step!r}." in str(caught.value)
    assert player.step == 2


def test_a_player_does_not_open_at_a_step_that_it_does_not_have() -> None:
    with pytest.raises(PlayerError, match="from 0 to 5"):
        make(step=6)


def test_a_step_of_the_browser_is_read_and_observed(player: LivePlayer) -> None:
    seen: list[tuple[int, int]] = []
    player.observe(lambda change: seen.append((change.old, change.new)), "step")
    player.comm.hear(method="update", state={"step": 4})
    player.comm.hear(method="update", state={"step": 4})
    assert (player.step, seen) == (4, [(2, 4)])
    assert [said["method"] for said in player.comm.sent[1:]] == ["echo_update", "echo_update"]


def test_a_picked_token_is_read_and_observed(player: LivePlayer) -> None:
    seen: list[object] = []
    player.observe(lambda change: seen.append(change.new), "picked")
    player.comm.hear(method="update", state={"picked": THE})
    assert player.picked == TOKEN
    assert player.get_state(["picked"]) == {"picked": THE}
    player.comm.hear(method="update", state={"picked": {**THE, "rank": None, "id": None}})
    player.comm.hear(method="update", state={"picked": None})
    assert seen == [TOKEN, PickedToken(0, 3, None, "the", b"the", None), None]


@pytest.mark.parametrize(
    "state",
    [
        [],
        {"step": 6},
        {"step": -1},
        {"step": True},
        {"step": 1.5},
        {"step": "1"},
        {"step": None},
        {"step": 10**400},
        {"picked": 5},
        {"picked": {}},
        {"picked": {**THE, "bytes": "xy"}},
        {"picked": {**THE, "bytes": "7"}},
        {"picked": {**THE, "start": -1}},
        {"picked": {**THE, "text": None}},
        {"picked": {**THE, "rank": "1"}},
        {"step": 3, "picked": 5},
        {"_esm": "alert(1)", "player_id": "other", "last": 9, "_view_module": "other"},
    ],
    ids=repr,
)
def test_the_browser_changes_nothing_else(player: LivePlayer, state: Any) -> None:
    before = player.get_state()
    player.comm.hear(method="update", state=state)
    assert player.get_state() == before
    assert player.last == 5


def test_nobody_picks_a_token_from_python(player: LivePlayer) -> None:
    with pytest.raises(Exception, match="read-only"):
        player.picked = TOKEN


def test_a_closed_player_can_still_be_shown(player: LivePlayer) -> None:
    player.close()
    assert player.comm is None
    player.step = 3
    assert player._repr_mimebundle_()[0]["text/html"] == player._repr_html_()


def test_outside_a_notebook_nothing_keeps_a_player() -> None:
    player = weakref.ref(make())
    gc.collect()
    assert player() is None


def test_a_static_player_has_no_picked_token() -> None:
    live = make()
    static = Player(live._content_at, last=5, step=None, options=live._options)
    with pytest.raises(PlayerError, match=r"bpeviz\[notebook\]"):
        _ = static.picked
