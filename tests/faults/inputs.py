"""Every input of the page, found on the page itself and in the source of it.

``discover`` walks through all pages and tries every choice that may show more fields, so new fields are
attacked too. ``declared`` reads from the source which inputs exist: one that the walk does not reach is a gap
in this suite.
"""

import ast
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.faults.client import Attacker
from tests.support.server import ROOT
from tests.support.visitor import Widget

__all__ = [
    "FORGED_KINDS",
    "TEXT_KINDS",
    "UPLOAD_KINDS",
    "Declared",
    "Input",
    "declared",
    "discover",
    "follow",
    "on_page",
    "open_input",
    "prepare",
]

#: A longer list gets only its first and its last option tried.
_MOST_OPTIONS = 6
_DEPTH = 3
#: A choice may begin a training; the walk does not wait for it.
_CANCEL = "cancel_training"
#: The one tokenizer to choose, because it has other fields than a run. Reading all of them takes long.
_WITH_SPECIAL_TOKENS = "GPT-2"

#: The kinds of widgets that each family of attacks aims at.
TEXT_KINDS = ("text_area", "text_input")
FORGED_KINDS = (
    "number_input",
    "slider",
    "selectbox",
    "radio",
    "multiselect",
    "button_group",
    "checkbox",
    "button",
    "download_button",
    "popover",
    "tab_container",
    "expandable",
    "dataframe",
    "plotly_chart",
    "bidi_component",
    "text_area",
    "text_input",
    "file_uploader",
)
UPLOAD_KINDS = ("file_uploader",)

Path_ = Sequence[tuple[str, str | bool]]


@dataclass(frozen=True)
class Input:
    """A widget by its key or label without numbers; ``path``: the choices on its page that show it."""

    name: str
    kind: str
    component: str
    page: str
    path: Path_
    trained: bool


def name_of(widget_name: str) -> str:
    """encode_ids_3 -> encode_ids_#"""
    return re.sub(r"\d+", "#", widget_name)


def on_page(visitor: Attacker, name: str) -> str | None:
    """The widget of the page that has a name without numbers."""
    return next((found for found in visitor.widgets if name_of(found) == name), None)


async def discover(visitor: Attacker) -> dict[str, Input]:
    """Every input by name: those that a new visitor sees, and those of a session with two runs."""
    found: dict[str, Input] = {}
    await _explore(visitor, found, "", (), trained=False)
    await prepare(visitor)
    for page in visitor.pages:
        await _explore(visitor, found, page, (), trained=True)
    return found


async def prepare(visitor: Attacker) -> None:
    """Train two runs on one text, so that the page shows the fields for choosing a run."""
    for merges in (20, 10):
        await visitor.train("to be or not to be" * 20, num_merges=merges)


async def open_input(visitor: Attacker, wanted: Input) -> str | None:
    """Make a new visitor's page show an input; returns the widget's name, None if it is not there."""
    if wanted.trained:
        await prepare(visitor)
    there = await follow(visitor, wanted.page, wanted.path)
    return on_page(visitor, wanted.name) if there else None


async def follow(visitor: Attacker, page: str, path: Path_) -> bool:
    """Open a page and make choices on it; returns whether all of them exist."""
    await visitor.go(page)
    await _say_what_is_on_screen(visitor)
    for name, option in path:
        widget = on_page(visitor, name)
        if widget is None:
            return False
        await visitor.set(widget, _wire(visitor.widgets[widget], option))
    return True


async def _say_what_is_on_screen(visitor: Attacker) -> None:
    """Send what the comparing component sends in a browser: only then the page draws the fields below it."""
    if comparer := visitor.widgets.get("comparer"):
        serial = re.search(rb'"serial": ?(\d+)', comparer.message.bytes)
        assert serial, "the comparer's data has no serial number"
        at = {"left": 1, "right": 1, "locked": False, "serial": int(serial[1])}
        await visitor.set("comparer", json.dumps({"at": at}))


async def _explore(
    visitor: Attacker, found: dict[str, Input], page: str, path: Path_, *, trained: bool
) -> None:
    if not await follow(visitor, page, path):
        return
    new = {name_of(name): widget for name, widget in visitor.widgets.items() if name_of(name) not in found}
    for name, widget in new.items():
        component = getattr(widget.message, "component_name", "")
        found[name] = Input(name, widget.kind, component, page, path, trained)
    if _CANCEL in visitor.widgets:
        await visitor.press(_CANCEL)
    if len(path) < _DEPTH:
        for name, widget in new.items():
            for option in _options(visitor, widget):
                await _explore(visitor, found, page, (*path, (name, option)), trained=trained)
            await _reset(visitor, name, widget)


async def _reset(visitor: Attacker, name: str, widget: Widget) -> None:
    """Undo a choice, so that the next findings do not depend on it."""
    there = on_page(visitor, name)
    options = _options(visitor, widget)
    if there and options:
        await visitor.set(there, _wire(visitor.widgets[there], options[0]))


def _options(visitor: Attacker, widget: Widget) -> list[str | bool]:
    """The choices that may show other fields; the one that the page begins with comes first."""
    message = widget.message
    match widget.kind:
        case "checkbox":
            return [message.default, not message.default]
        case "popover" if message.id:
            return [False, True]
        case "tab_container":
            return list(visitor.labels[widget.id])
        case "button_group":
            return _some([option.content for option in message.options], list(message.default))
        case "selectbox":
            options = list(message.options)
            if widget.id.split("-", 2)[-1].startswith("side-"):
                options = [option for option in options if option == _WITH_SPECIAL_TOKENS]
            if "_source" in widget.id:  # the samples have the same fields
                options = [option for option in options if not option.startswith("Sample: ")]
            return _some(options, [message.default])
    return []


def _some(options: list[str], defaults: Sequence[int]) -> list[str | bool]:
    """The options to try; the one that the page begins with comes first."""
    chosen = [options[i] for i in defaults if i < len(options)]
    tried = options if len(options) <= _MOST_OPTIONS else options[-1:]
    return [*chosen[:1], *(option for option in tried if option not in chosen)]


def _wire(widget: Widget, option: str | bool) -> object:
    return [option] if widget.kind == "button_group" else option


# --- the source ------------------------------------------------------------------------------------------

_FIELDS = frozenset(
    {
        *("text_input", "text_area", "number_input", "chat_input", "data_editor", "file_uploader"),
        *("slider", "select_slider", "selectbox", "multiselect", "pills", "segmented_control", "radio"),
        *("checkbox", "toggle", "feedback", "color_picker", "camera_input", "audio_input"),
        *("date_input", "time_input", "datetime_input"),
    }
)


@dataclass(frozen=True)
class Declared:
    """A call in the source that makes a field; ``names``: patterns of its key and its label."""

    where: str
    names: tuple[str, ...]

    def is_among(self, found: Mapping[str, Input]) -> bool:
        components = {f"component {each.component}" for each in found.values()}
        return any(re.fullmatch(name, each) for name in self.names for each in (*found, *components))


def declared() -> Iterator[Declared]:
    """Every field and component that the source of the page makes."""
    for path in [ROOT / "app.py", *sorted((ROOT / "bpeviz" / "ui").rglob("*.py"))]:
        yield from _declared_in(path)


def _declared_in(path: Path) -> Iterator[Declared]:
    tree = ast.parse(path.read_text("utf-8"))
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        for call in ast.walk(function):
            if not isinstance(call, ast.Call):
                continue
            where = f"{path.relative_to(ROOT)}, {function.name}"
            called = ast.unparse(call.func).rpartition(".")[2]
            if isinstance(call.func, ast.Attribute) and called in _FIELDS:
                yield Declared(where, tuple(_names(call, function, tree)))
            elif called == "mount_part":
                yield Declared(where, (f"component .*bpeviz_{_pattern(call.args[0], function, tree)}",))


def _names(call: ast.Call, function: ast.FunctionDef, tree: ast.Module) -> Iterator[str]:
    keys = [keyword.value for keyword in call.keywords if keyword.arg == "key"]
    for node in keys or call.args[:1]:
        yield name_of(_pattern(node, function, tree))


def _pattern(node: ast.expr, function: ast.FunctionDef, tree: ast.Module) -> str:
    """A pattern of the values of a string in the source: f"{slot}_file" -> .*_file"""
    match node:
        case ast.Constant(value=str(text)):
            return re.escape(text)
        case ast.JoinedStr(values=values):
            return "".join(re.escape(v.value) if isinstance(v, ast.Constant) else ".*" for v in values)
        case ast.Name(id=name):
            return (
                "|".join(_pattern(value, function, tree) for value in _values_of(name, function, tree)) or "-"
            )
    return ".*"


def _values_of(name: str, function: ast.FunctionDef, tree: ast.Module) -> Iterator[ast.expr]:
    """The values of a name in a function: those assigned to it, or passed by calls in the file."""
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and [ast.unparse(target) for target in node.targets] == [name]:
            yield node.value
    places = [argument.arg for argument in function.args.args]
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    for call in (each for each in calls if ast.unparse(each.func) == function.name):
        if name in places:
            yield call.args[places.index(name)]
        yield from (keyword.value for keyword in call.keywords if keyword.arg == name)
