"""Properties that are computed once."""

import re
from threading import Event, Thread

from bpeviz.cached import cached_property
from tests.support.paths import ROOT


class Slow:
    def __init__(self) -> None:
        self.began, self.go_on, self.computed = Event(), Event(), 0

    @cached_property
    def value(self) -> int:
        """The value."""
        self.began.set()
        assert self.go_on.wait(10)
        self.computed += 1
        return self.computed


def test_a_value_is_computed_once() -> None:
    slow = Slow()
    slow.go_on.set()
    assert [slow.value, slow.value, slow.computed] == [1, 1, 1]
    assert Slow.value.__doc__ == "The value."


def test_one_object_does_not_hold_up_another() -> None:
    slow, other = Slow(), Slow()
    other.go_on.set()
    thread = Thread(target=lambda: slow.value)
    thread.start()
    assert slow.began.wait(10)
    seen: list[int] = []
    second = Thread(target=lambda: seen.append(other.value))
    second.start()
    second.join(5)
    waited = list(seen)
    slow.go_on.set()
    thread.join(10)
    assert (waited, slow.value) == ([1], 1)


def test_the_package_uses_no_other_one() -> None:
    sources = {path: path.read_text("utf-8") for path in (ROOT / "bpeviz").rglob("*.py")}
    importing = [
        path.name
        for path, source in sources.items()
        if re.search(r"^from functools import .*cached_", source, re.M)
    ]
    assert importing == []
