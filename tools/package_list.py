"""The list of packages in docs/architecture.md, from the first lines of their docstrings.

``python -m tools.package_list`` writes it; a test compares.
"""

import ast
import re

from tests.support.paths import ROOT
from tests.unit.test_imports import PACKAGE, PACKAGES

PAGE = ROOT / "docs" / "architecture.md"
BEGIN = "<!-- The packages: python -m tools.package_list -->\n"
END = "<!-- The end of the packages. -->"


def package_list() -> str:
    """Return a line for each package and each file beside them, from the bottom up."""
    lines = [f"{place:<30}{_first_line(place)}\n" for name in PACKAGES for place in _places(name)]
    return f"\n```\n{''.join(lines)}```\n\n"


def _places(name: str) -> list[str]:
    """ui -> bpeviz/ui/"""
    if (PACKAGE / f"{name}.py").exists():
        return [f"bpeviz/{name}.py"]
    inside = [f"{name}/{path.parent.name}" for path in sorted((PACKAGE / name).glob("*/__init__.py"))]
    return [f"bpeviz/{each}/" for each in [name, *inside] if each == name or each not in PACKAGES]


def _first_line(place: str) -> str:
    path = ROOT / place
    path = path / "__init__.py" if path.is_dir() else path
    docstring = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
    return docstring.split("\n")[0].removesuffix(".").replace("``", "")


def page_with_packages(page: str) -> str:
    """Return the page with the list of today between its marks."""
    return re.sub(f"(?<={BEGIN}).*?(?={END})", lambda _: package_list(), page, flags=re.DOTALL)


if __name__ == "__main__":
    PAGE.write_text(page_with_packages(PAGE.read_text("utf-8")), "utf-8")
