"""Ctrl+C on the command line: exit code 130, one line and no traceback, at any moment.

    starting   Python imports the whole package before it runs ``__main__``: ``end`` ends the process
    working    ``interruptible``: a KeyboardInterrupt, so that files and child processes are cleaned up
    ending     ``end`` again, also for a second Ctrl+C while the first one cleans up
    exiting    ignored: the work is done, and Python takes its own handlers away

Only the command, ``bpeviz`` or ``python -m bpeviz``, changes what Ctrl+C does. A program that imports the
package keeps its own handler.
This module is imported first and imports only what Python has loaded already: until it has run, Ctrl+C shows
a traceback. So ``_signal``, the built-in core of ``signal``.
"""

import _signal  # type: ignore[import-not-found]
import atexit
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["STOPPED", "end", "interruptible", "kill_children"]

#: The exit code of a command that was stopped, as a shell shows it.
STOPPED = 130
_COMMAND = os.getpid()


def end(*_: object) -> None:
    """End this process and the child processes that count for it, at once."""
    try:
        if os.getpid() == _COMMAND:  # not a child that was forked a moment ago
            os.write(2, b"bpeviz: stopped.\n")
            kill_children()
    finally:
        os._exit(STOPPED)


def interruptible(work: "Callable[[], int]") -> int:
    """Call ``work``. The first Ctrl+C raises KeyboardInterrupt in it; if ``work`` doesn't catch it, end."""
    if _signal.getsignal(_signal.SIGINT) is not end:  # ignored, as in the background of a shell script
        return work()
    sys.unraisablehook = _end_if_interrupted
    try:
        _signal.signal(_signal.SIGINT, _interrupt)
        code = work()
        _signal.signal(_signal.SIGINT, end)
    except KeyboardInterrupt:
        end()
    return code


def _interrupt(*_: object) -> None:
    if os.getpid() != _COMMAND:
        end()
    _signal.signal(_signal.SIGINT, end)
    if warnings := sys.modules.get("warnings"):  # Python would warn of coroutines that never ran
        warnings.simplefilter("ignore")
    raise KeyboardInterrupt


def _end_if_interrupted(unraisable: "sys.UnraisableHookArgs") -> None:
    """Python only prints what is raised while it deletes an object, but Ctrl+C there must end the process."""
    if issubclass(unraisable.exc_type, KeyboardInterrupt):
        end()
    sys.__unraisablehook__(unraisable)


def kill_children() -> None:
    """Kill those of multiprocessing, which is not imported for this, and wait until they are gone."""
    if multiprocessing := sys.modules.get("multiprocessing"):
        children = multiprocessing.active_children()
        for child in children:
            child.kill()
        for child in children:
            child.join(1)


def _ignore() -> None:
    """Python would put the system's handler in place of ours, and the system ends a process by the signal."""
    _signal.signal(_signal.SIGINT, _signal.SIG_IGN)


def _is_starting() -> bool:
    """Whether Python imports the package for the command. Then argv[0] is the script ``bpeviz``, or -m until
    Python has found the module."""
    started = "".join(sys.orig_argv[-len(sys.argv) :][:1])
    if sys.argv[:1] == ["-m"]:
        return started.endswith("bpeviz")
    return sys.argv[:1] == [started] and started.replace("\\", "/").split("/")[-1] in ("bpeviz", "bpeviz.exe")


if _is_starting() and _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
    _signal.signal(_signal.SIGINT, end)
    atexit.register(_ignore)  # registered first, so called last
