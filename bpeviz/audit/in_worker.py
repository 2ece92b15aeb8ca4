"""An audit in a worker: it takes seconds, in which a server answers other visitors."""

from collections.abc import Callable
from dataclasses import replace

import msgspec

from bpeviz.audit.audit import VocabularyAudit, audit_tokenizer
from bpeviz.audit.report import audit_html
from bpeviz.errors import TokenizerError
from bpeviz.tokenizer.parts import TokenizerParts
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.workers import workers
from bpeviz.workers.task import Limit, OnEvent, Task, WorkerError, why_it_ended

__all__ = ["AUDIT", "REPORT", "audit_in_worker", "report_in_worker"]

#: The largest tokenizers with 10 MB of text take a quarter of both.
LIMIT = Limit(seconds=120.0, memory_bytes=4 * 2**30)
#: So many of the words whose tokens change are sent back.
MOST_WORDS = 200

_SMALLER = "Give a shorter text, or a smaller vocabulary."


class _Request(msgspec.Struct, frozen=True):
    tokenizer: TokenizerParts
    text: str | None
    against: TokenizerParts | None


class _ReportRequest(msgspec.Struct, frozen=True):
    found: VocabularyAudit
    name: str
    tokenizer: TokenizerParts
    text: str | None
    against_name: str
    against: TokenizerParts | None


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

    def told(step: str) -> None:
        nonlocal now
        now = step
        on_wait(now)

    request = _Request(
        TokenizerParts.of(tokenizer), text, None if against is None else TokenizerParts.of(against)
    )
    try:
        return workers().run(
            AUDIT, request, LIMIT, lambda queued: on_wait("Waiting for its turn" if queued else now), told
        )
    except WorkerError as error:
        raise TokenizerError(". ".join(why_it_ended(error.why, "The audit", _SMALLER))) from None


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
        audit,
        name,
        TokenizerParts.of(tokenizer),
        text,
        earlier_name,
        None if earlier is None else TokenizerParts.of(earlier),
    )
    try:
        return workers().run(REPORT, request, LIMIT)
    except WorkerError as error:
        raise TokenizerError(". ".join(why_it_ended(error.why, "The report", _SMALLER))) from None


def _report(request: _ReportRequest, _tell: OnEvent) -> str:
    earlier = None if request.against is None else request.against.tokenizer(isolated=False)
    return audit_html(
        request.found,
        request.tokenizer.tokenizer(isolated=False),
        request.name,
        text=request.text,
        against=None if earlier is None else (request.against_name, earlier),
    )


REPORT = Task("bpeviz.audit.in_worker:REPORT", _ReportRequest, str, _report, kind="long")


def _work(request: _Request, tell: OnEvent) -> VocabularyAudit:
    # this process is a worker within limits, so the library of a visitor's file runs here
    earlier = None if request.against is None else request.against.tokenizer(isolated=False)
    found = audit_tokenizer(
        request.tokenizer.tokenizer(isolated=False), request.text, against=earlier, on_step=tell
    )
    difference = found.difference
    if difference is None or difference.words is None:
        return found
    words = replace(difference.words, words=difference.words.words[:MOST_WORDS])
    return replace(found, difference=replace(difference, words=words))


AUDIT = Task("bpeviz.audit.in_worker:AUDIT", _Request, VocabularyAudit, _work, event=str, kind="long")
