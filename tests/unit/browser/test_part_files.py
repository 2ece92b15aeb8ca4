"""The files of parts: what the browser keeps, and the few lines that Streamlit sends in their place."""

import re

import pytest

from bpeviz.browser.part_files import PartFile, part_file, part_loader
from bpeviz.browser.parts import PARTS


@pytest.mark.parametrize("name", PARTS)
def test_a_file_has_all_of_its_part_and_streamlit_sends_a_few_lines(name: str) -> None:
    file = part_file(name)
    assert file.content.count("export default ") == 1
    assert file.content.count("export const html = ") == 1
    assert part_loader(name).count(f'"{file.path}"') == 1
    assert len(part_loader(name)) < 1_000


def test_the_name_of_a_file_follows_from_what_is_in_it() -> None:
    names = {part_file(name).name for name in PARTS}
    assert len(names) == len(PARTS)
    assert all(re.fullmatch(r"[a-z_]+\.[0-9a-f]{16}\.js", name) for name in names)
    assert PartFile("player.0.js", "").path == "parts/player.0.js"
