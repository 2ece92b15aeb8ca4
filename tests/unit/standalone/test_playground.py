"""The page of the playground: one file that asks for nothing, and holds what its trainer needs."""

import gzip
import json
import re
from typing import Any

import pytest

from bpeviz import RECIPES, load_pretrained
from bpeviz.browser.trainer_table import trainer_table
from bpeviz.standalone.playground import (
    BESIDE,
    INSTALL,
    NEEDS_THE_PROGRAM,
    write_playground,
    write_playground_folder,
)
from tests.support.paths import ROOT
from tests.support.player_page import FigurePage, digest, read_pack, read_player_page
from tests.unit.standalone.test_page import ADDRESS, SVG

MOST_BYTES = 1_500_000


@pytest.fixture(scope="module")
def source() -> str:
    return write_playground()


@pytest.fixture(scope="module")
def page(source: str) -> FigurePage:
    return read_player_page(source)


def given_to(page: FigurePage) -> dict[str, Any]:
    """What Python gives the page besides GPT-2's merges."""
    found: dict[str, Any] = json.loads(page.data["packs"][: page.settings["packs"]["playground"]])
    return found


def test_the_licence_of_gpt2s_merges_is_in_it(page: FigurePage) -> None:
    assert "Copyright (c) 2019 OpenAI" in given_to(page)["licence"]
    assert page.settings["packs"]["gpt2"] > 4 * 50_000


def test_the_policy_allows_its_scripts_a_worker_and_no_connection(page: FigurePage) -> None:
    directives = dict(each.strip().split(" ", 1) for each in page.policy.split(";"))
    assert directives == {
        "default-src": "'none'",
        "script-src": f"'sha256-{digest(page.scripts[0])}' 'sha256-{digest(page.program['script'])}'",
        "style-src": "'unsafe-inline'",
        "img-src": "blob: data:",
        "worker-src": "blob:",
        "connect-src": "'none'",
        "base-uri": "'none'",
        "form-action": "'none'",
    }


def test_in_a_folder_it_may_ask_its_own_server_for_the_tokenizers_beside_it() -> None:
    files = write_playground_folder()
    page = read_player_page(files.pop("index.html").decode())
    assert "connect-src 'self'" in page.policy
    assert f"'sha256-{digest(page.program['script'])}'" in page.policy
    assert given_to(page)["beside"] == [*BESIDE]
    assert "Copyright (c) 2022 OpenAI, Shantanu Jain" in given_to(page)["licence"]
    assert [*files] == [f"{name}.gz" for name in BESIDE]
    for name in BESIDE:
        pack = read_pack(gzip.decompress(files[f"{name}.gz"]))
        known = load_pretrained(name)
        assert [*zip(pack["lefts"], pack["rights"], strict=True)] == [pair for pair, _ in known.paired]
        assert [made for _, made in known.paired] == [*range(256, 256 + len(known.paired))]
        assert [known.token_bytes(i)[0] for i in range(256)] == trainer_table()["byte_order"]


def test_it_names_no_address_and_asks_for_nothing(source: str, page: FigurePage) -> None:
    without_data = re.sub(r'<script type="application/gzip".*?</script>', "", source)
    program = page.data["program"].decode()
    assert not ADDRESS.findall((without_data + program).replace(SVG, ""))
    assert not re.findall(r"\b(?:fetch|XMLHttpRequest|WebSocket|EventSource|sendBeacon)\b", program)
    assert not page.tags & {"link", "img", "iframe", "object", "embed", "base", "form", "template"}


def test_it_is_small_and_always_the_same(source: str) -> None:
    assert len(source.encode()) < MOST_BYTES
    assert write_playground() == source


def test_it_holds_the_table_and_the_samples(page: FigurePage) -> None:
    given = given_to(page)
    assert given["table"] == json.loads(json.dumps(trainer_table()))
    assert list(given["table"]["recipes"]) == list(RECIPES)
    samples = {sample["title"]: sample["text"] for sample in given["samples"]}
    assert samples["aaabdaaabac"] == "aaabdaaabac"
    assert given["first"] in samples


def test_it_says_how_to_install_the_program_as_the_readme_does(page: FigurePage) -> None:
    given = given_to(page)
    assert (given["install"], given["needs"]) == (INSTALL, [*NEEDS_THE_PROGRAM])
    assert f"\n{INSTALL}\n" in (ROOT / "README.md").read_text("utf-8")


def test_without_javascript_it_says_what_it_needs(page: FigurePage) -> None:
    assert page.title == "bpeviz playground"
    assert any(said.startswith("This page needs JavaScript") for said in page.paragraphs)


def test_the_page_that_the_readme_links_is_a_playground(page: FigurePage) -> None:
    """It is written again before a release: bpeviz playground --out docs/playground.html."""
    saved = read_player_page((ROOT / "docs/playground.html").read_text("utf-8"))
    assert saved.title == page.title
    assert "connect-src 'none'" in saved.policy
    assert given_to(saved)["table"]["recipes"].keys() == RECIPES.keys()
