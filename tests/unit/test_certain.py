"""No test outside ``.ci/full`` uses a clock, memory, signals to processes or random numbers without a seed.

Their answer would depend on what else the machine does. A test is looked at together with all that it uses of
its own module, of its conftest.py and of ``tests``.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.conftest import QUICK
from tests.support.paths import ROOT


class Place(NamedTuple):
    """A name at the top of a module."""

    module: str
    name: str


UNCERTAIN = re.compile(
    r"""time\.sleep|asyncio\.sleep(?!\(0\))|\bmonotonic\b|perf_counter|process_time|wait_for_timeout
    |os\.kill|tracemalloc|\bresource\b|/proc/
    |(?<!np\.)\brandom\.(?!Random\b)|\bRandom\(\)|default_rng\(\)|urandom""",
    re.VERBOSE,
)
#: What may look at a clock: it waits for an event, for as long as no machine takes. A visitor also tells how
#: long a step took, which only tests of ``.ci/full`` ask for.
WAITS = {
    Place("tests.support.server", "_wait_for"),
    Place("tests.support.visitor", "Visitor"),
    Place("tests.support.waiting", "wait_for"),
}
#: Where tests are that the gate may run.
FOLDERS = (*QUICK, "browser", "parity")


@cache
def definitions(module: str) -> dict[str, ast.stmt]:
    """The statements at the top of a module of ``tests`` that define a name, by name."""
    found: dict[str, ast.stmt] = {}
    if not module.startswith("tests.") or not path_of(module).exists():
        return found
    for statement in ast.parse(path_of(module).read_text("utf-8")).body:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found[statement.name] = statement
        elif isinstance(statement, ast.Assign | ast.AnnAssign):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            found |= {name.id: statement for name in targets if isinstance(name, ast.Name)}
        elif isinstance(statement, ast.Import | ast.ImportFrom):
            found |= {(name.asname or name.name): statement for name in statement.names}
    return found


def path_of(module: str) -> Path:
    return (ROOT / module.replace(".", "/")).with_suffix(".py")


def used_by(module: str, statement: ast.AST) -> set[Place]:
    """What a statement names that ``tests`` defines. A parameter names a fixture."""
    found: set[Place] = set()
    for node in ast.walk(statement):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            found |= defined(imported_module(module, node.value.id), node.attr)
        elif name := getattr(node, "id", None) or getattr(node, "arg", None):
            found |= defined(module, name)
    return found


def defined(module: str, name: str) -> set[Place]:
    """The place in ``tests`` where a name of a module is defined, if it is one; conftest.py has fixtures."""
    statement = definitions(module).get(name)
    if isinstance(statement, ast.ImportFrom):
        names = {each.asname or each.name: each.name for each in statement.names}
        return defined(str(statement.module), names[name])
    if statement is not None and not isinstance(statement, ast.Import):
        return {Place(module, name)}
    package, _, own = module.rpartition(".")
    return defined(f"{package}.conftest", name) if own.startswith("test_") else set()


def imported_module(module: str, name: str) -> str:
    """The module of ``tests.support`` that a name stands for, if it is one."""
    statement = definitions(module).get(name)
    if not isinstance(statement, ast.ImportFrom) or statement.module != "tests.support":
        return ""
    return next(f"tests.support.{each.name}" for each in statement.names if name in (each.asname, each.name))


def uncertain(module: str, test: ast.AST) -> set[str]:
    """What a test uses, here or in what it calls, that depends on more than its code."""
    found = set(UNCERTAIN.findall(ast.unparse(test)))
    waiting, seen = used_by(module, test), set(WAITS)
    while waiting := waiting - seen:
        place = waiting.pop()
        seen.add(place)
        statement = definitions(place.module)[place.name]
        found |= {f"{'.'.join(place)}: {use}" for use in UNCERTAIN.findall(ast.unparse(statement))}
        waiting |= used_by(place.module, statement)
    return found


def marks(*nodes: ast.AST) -> set[str]:
    """The marks of pytest that these statements or decorators name."""
    return set(re.findall(r"pytest\.mark\.(\w+)", " ".join(map(ast.unparse, nodes))))


def certain_tests(folder: str) -> Iterator[tuple[str, ast.FunctionDef]]:
    """The tests of a folder that run outside ``.ci/full``."""
    for path in sorted((ROOT / "tests" / folder).rglob("test_*.py")):
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        of_all = marks(*filter(None, [definitions(module).get("pytestmark")]))
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                # a decorator that has a name is looked up
                named = (definitions(module).get(getattr(d, "id", ""), d) for d in node.decorator_list)
                own = of_all | marks(*named)
                if "full" not in own and (folder in QUICK or "gate" in own):
                    yield module, node


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_test_of_the_gate_depends_on_time_memory_or_chance(folder):
    tests = list(certain_tests(folder))
    assert len(tests) > 20
    found = {
        f"{module}::{test.name}": uncertain(module, test) for module, test in tests if module != __name__
    }
    assert {name: why for name, why in found.items() if why} == {}


def test_only_files_of_tests_mark_tests_for_the_gate():
    """``.ci/run`` looks for the mark in them, and so does this file."""
    others = [path for path in (ROOT / "tests").rglob("*.py") if not path.name.startswith("test_")]
    assert len(others) > 20
    assert [path for path in others if "mark.gate" in path.read_text("utf-8")] == []


@pytest.mark.parametrize(
    "code",
    [
        "def test_x(): time.sleep(1)",
        "def test_x(page): page.wait_for_timeout(1)",
        "def test_x(): assert random.random() < 2",
        "def test_x(): Random().choice([1])",
        "def test_x(): Path('/proc/self/stat')",
        "def test_x(monkeypatch): monkeypatch.setattr('time.monotonic', print)",
    ],
)
def test_what_is_uncertain_is_found(code):
    assert uncertain("tests.conftest", ast.parse(code))


def test_what_a_test_uses_of_other_modules_is_looked_at_too():
    module = "tests.unit.training.test_in_worker"
    assert uncertain(module, ast.parse("def test_x(): assert still_run([1]) == []"))
    assert not uncertain(module, ast.parse("def test_x(): random.Random(1).choice(values(1))"))
