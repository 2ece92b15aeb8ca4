"""The base class of every error of bpeviz.

Each package keeps its errors in a file errors.py; ``bpeviz.errors`` lists them all. An error carries the data
of what went wrong. Its message names the fault and the remedy, so that the page and the command line can
print it.
"""

__all__ = ["BpevizError", "in_short"]


class BpevizError(Exception):
    """Base of every error that bpeviz raises on purpose; ``str(error)`` is fit to show to a person.

    It comes out of another process as it was raised there.
    """

    def __reduce__(self) -> tuple[object, ...]:
        # As plain objects do it: exceptions call their __init__ again, with the message for all arguments.
        return _restored, (type(self), self.args), self.__dict__


def _restored(kind: type[BpevizError], args: tuple[object, ...]) -> BpevizError:
    return kind.__new__(kind, *args)


def in_short(value: object, limit: int = 60) -> str:
    """``value`` in at most ``limit`` characters."""
    try:
        shown = " ".join(str(value).split())
    except ValueError:  # Python writes no number of more than some thousand digits
        return "…"
    return shown if len(shown) <= limit else f"{shown[:limit]}…"
