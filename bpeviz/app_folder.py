"""Where app.py is, with its settings in .streamlit and the sample texts.

In a checkout it is the top folder. The wheel has a copy of the three in bpeviz/_app, made when it is built
(``force-include`` in pyproject.toml), so there is one original of each.
"""

from pathlib import Path

__all__ = ["APP_FOLDER"]

_PACKAGE = Path(__file__).parent
_INSTALLED = _PACKAGE / "_app"

APP_FOLDER = _INSTALLED if _INSTALLED.is_dir() else _PACKAGE.parent
