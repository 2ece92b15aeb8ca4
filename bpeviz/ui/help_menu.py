"""The help menu: what the page is, the words it uses, and how to report a problem."""

import platform

import streamlit as st

from bpeviz import __version__
from bpeviz.app_folder import APP_FOLDER
from bpeviz.glossary import GLOSSARY
from bpeviz.limits import limits
from bpeviz.ui.kit.tour import tour_button
from bpeviz.ui.kit.words import escape

__all__ = ["help_menu"]

MENU = "help_menu"


def help_menu() -> None:
    """Show the button; its content is made once it is open."""
    menu = st.popover("Help", icon=":material/help:", key=MENU, on_change="rerun", type="tertiary")
    if menu.open:
        with menu:
            _about()
            with st.expander("What the words mean"):
                st.markdown(
                    "\n".join(f"- **{escape(term)}**: {escape(GLOSSARY[term])}" for term in _sorted())
                )


def _about() -> None:
    st.markdown("**bpeviz** shows how language models learn to cut text into tokens.")
    st.markdown("On “Watch”, press **?** for all keys. “Learn” has short lessons.")
    tour_button("tour_help")
    st.caption("Your text stays on the machine that runs this page.")
    st.markdown("**About**")
    st.caption(
        f"Version {__version__}, Streamlit {st.__version__}, Python {platform.python_version()}  \n"
        f"Documentation: {escape(_documentation())}  \n"
        "Licence: MIT"
    )
    st.markdown("**Report a problem**")
    st.caption(
        "Tell the person who runs this page what you did, and these versions. A downloaded session "
        "(“Sessions”, then “Download”) helps to repeat it."
    )


def _documentation() -> str:
    """Return where the documentation is: a checkout has a folder, an installed package has none."""
    if (APP_FOLDER / "docs").is_dir():
        return f"the folder {APP_FOLDER / 'docs'}" if not limits().hosted else "the folder docs of the source"
    return "README.md in the package’s description; in a terminal, bpeviz --help"


def _sorted() -> list[str]:
    return sorted(GLOSSARY, key=str.lower)
