"""Join a script with all that it imports.

The scripts are ES modules. The script of a part runs from a blob, and that of a standalone page inside that:
relative imports work in neither. See docs/javascript.md.
"""

import re
from graphlib import TopologicalSorter
from pathlib import Path

__all__ = ["join_modules"]

_IMPORT = re.compile(r'^import \{([^}]*)\} from "(\.[^"]*)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?!default )", re.MULTILINE)


def join_modules(entry: Path) -> str:
    """Join a module with all that it imports to one module without imports.

    Each file comes once, after those that it imports. All names share one scope, so no two files of a
    component may declare the same name; nothing is renamed or imported whole. Raises CycleError if modules
    import each other.
    """
    sources: dict[Path, str] = {}
    imports: dict[Path, list[Path]] = {}
    waiting = [entry.resolve()]
    while waiting:
        path = waiting.pop()
        if path in sources:
            continue
        sources[path] = path.read_text("utf-8")
        imports[path] = [(path.parent / found[2]).resolve() for found in _IMPORT.finditer(sources[path])]
        waiting += imports[path]
    order = TopologicalSorter(imports).static_order()
    return "\n".join(_EXPORT.sub("", _IMPORT.sub("", sources[path])) for path in order)
