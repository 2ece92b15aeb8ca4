"""An audit in a worker: it takes seconds, in which a server answers other visitors."""

from collections.abc import Callable
from dataclasses import replace

import msgspec

from bpeviz.analysis.word_changes import WordChanges
from bpeviz.audit.audit import VocabularyAudit, audit_tokenizer
from bpeviz.audit.difference import VocabularyDifference
from bpeviz.audit.report import audit_html
from bpeviz.audit.uses import Uses
from bpeviz.errors import TokenizerError
from bpeviz.tokenizer.parts import TokenizerParts
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.workers import workers
from bpeviz.workers.messages import Array
from bpeviz.workers.task import Ending, Limit, OnEvent, Task, WorkerError

__all__ = ["AUDIT", "REPORT", "audit_in_worker", "report_in_worker"]

#: The largest tokenizers with 10 MB of text take a quarter of both.
LIMIT = Limit(seconds=120.0, memory_bytes=4 * 2**30)
#: So many of the words whose tokens change are sent back.
MOST_WORDS = 200

_WHY: dict[Ending, str] = {
    "time": f"takes more than {LIMIT.seconds:g} seconds. Give a shorter text, or a smaller vocabulary.",
    "memory": "needs too much memory. Give a shorter text, or a smaller vocabulary.",
    "crashed": "ended early, because its process crashed. Try again, and report it if that happens again.",
    "not started": "couldn't start, probably because memory ran out. Try again in a moment.",
}


class _Request(msgspec.Struct, frozen=True):
    tokenizer: TokenizerParts
    text: str | None
    against: TokenizerParts | None


class _ReportRequest(msgspec.Struct, frozen=True):
    found: "_Found"
    name: str
    tokenizer: TokenizerParts
    text: str | None
    against_name: str
    against: TokenizerParts | None


class _Report(msgspec.Struct, frozen=True):
    html: str


class _Step(msgspec.Struct, frozen=True):
    """What comes next."""

    said: str


class _Uses(msgspec.Struct, frozen=True):
    token_total: int
    final: Array
    steps: Array


class _Difference(msgspec.Struct, frozen=True):
    moved: Array
    added: Array
    removed: Array
    common: int
    words: WordChanges | None


class _Found(msgspec.Struct, frozen=True):
    """A VocabularyAudit."""

    token_total: int
    ids: dict[str, Array]
    families: int
    uses: _Uses | None
    against: "_Found | None"
    difference: _Difference | None


def audit_in_worker(
    tokenizer: Tokenizer,
    text: str | None,
    *,
    against: Tokenizer | None = None,
    on_wait: Callable[[str], object],
) -> VocabularyAudit:
    """Return what ``audit_tokenizer`` finds. ``on_wait`` is called several times a second with what is done
    now; what it raises ends the worker. Raises what ``audit_tokenizer`` raises, and TokenizerError if the
    worker needs too much or ends early."""
    now = "Starting"

    def told(step: _Step) -> None:
        nonlocal now
        now = step.said
        on_wait(now)

    request = _Request(
        TokenizerParts.of(tokenizer), text, None if against is None else TokenizerParts.of(against)
    )
    try:
        found = workers().run(
            AUDIT, request, LIMIT, lambda queued: on_wait("Waiting for its turn" if queued else now), told
        )
    except WorkerError as error:
        raise TokenizerError(f"The audit {_WHY[error.why]}") from None
    return _audit_of(found)


def report_in_worker(
    audit: VocabularyAudit,
    tokenizer: Tokenizer,
    name: str,
    *,
    text: str | None = None,
    against: tuple[str, Tokenizer] | None = None,
) -> str:
    """Return the report that ``audit_html`` makes. Raises TokenizerError if the worker needs too much."""
    earlier_name, earlier = against or ("", None)
    request = _ReportRequest(
        _message_of(audit),
        name,
        TokenizerParts.of(tokenizer),
        text,
        earlier_name,
        None if earlier is None else TokenizerParts.of(earlier),
    )
    try:
        return workers().run(REPORT, request, LIMIT).html
    except WorkerError as error:
        raise TokenizerError(f"The report {_WHY[error.why]}") from None


def _report(request: _ReportRequest, _tell: OnEvent) -> _Report:
    earlier = None if request.against is None else request.against.tokenizer(isolated=False)
    html = audit_html(
        _audit_of(request.found),
        request.tokenizer.tokenizer(isolated=False),
        request.name,
        text=request.text,
        against=None if earlier is None else (request.against_name, earlier),
    )
    return _Report(html)


REPORT = Task("bpeviz.audit.in_worker:REPORT", _ReportRequest, _Report, _report, kind="long")


def _work(request: _Request, tell: OnEvent) -> _Found:
    # this process is a worker within limits, so the library of a visitor's file runs here
    earlier = None if request.against is None else request.against.tokenizer(isolated=False)
    return _message_of(
        audit_tokenizer(
            request.tokenizer.tokenizer(isolated=False),
            request.text,
            against=earlier,
            on_step=lambda step: tell(_Step(step)),
        )
    )


AUDIT = Task("bpeviz.audit.in_worker:AUDIT", _Request, _Found, _work, event=_Step, kind="long")


def _message_of(audit: VocabularyAudit) -> _Found:
    uses, difference = audit.uses, audit.difference
    return _Found(
        audit.token_total,
        {name: Array.of(ids) for name, ids in audit.ids.items()},
        audit.families,
        _Uses(uses.token_total, Array.of(uses.final), Array.of(uses.steps)) if uses else None,
        _message_of(audit.against) if audit.against else None,
        _difference_message(difference) if difference else None,
    )


def _difference_message(difference: VocabularyDifference) -> _Difference:
    words = difference.words
    return _Difference(
        Array.of(difference.moved.ravel()),
        Array.of(difference.added),
        Array.of(difference.removed),
        difference.common,
        replace(words, words=words.words[:MOST_WORDS]) if words else None,
    )


def _audit_of(found: _Found) -> VocabularyAudit:
    uses, difference = found.uses, found.difference
    return VocabularyAudit(
        found.token_total,
        {name: ids.array() for name, ids in found.ids.items()},
        found.families,
        Uses(uses.token_total, uses.final.array(), uses.steps.array()) if uses else None,
        _audit_of(found.against) if found.against else None,
        _difference_of(difference) if difference else None,
    )


def _difference_of(message: _Difference) -> VocabularyDifference:
    return VocabularyDifference(
        message.moved.array().reshape(-1, 2),
        message.added.array(),
        message.removed.array(),
        message.common,
        message.words,
    )
