"""The page of a player: one file that asks for nothing, runs only its scripts, and holds the data."""

import base64
import gzip
import html
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from bpeviz import Corpus, Trainer, compare, load_pretrained
from bpeviz.browser.run_pack import PlayedRun, pack_run
from bpeviz.runs.run import NamedText
from bpeviz.runs.run_training import fork_run
from bpeviz.runs.samples import STANDARD_LIBRARY, read_sample
from bpeviz.standalone.making import player_of_run
from bpeviz.standalone.player import Player
from bpeviz.training.choice import Choice
from bpeviz.training.settings import TrainingSettings
from tests.support.player_page import digest, read_player_page
from tests.support.trained import LOW, run_of, trained

ADDRESS = re.compile(r"(?:https?:)?//[a-z0-9.-]+\.[a-z]{2,}", re.IGNORECASE)
SVG = "http://www.w3.org/2000/svg"


def of_fork() -> Player:
    run = run_of(NamedText("Text", LOW), TrainingSettings(num_merges=9))
    pair = next(step.pair for step in run.steps[4:] if max(step.pair) < 256)
    other = fork_run(run, Choice(3, pair), lambda share, phase: None)
    return player_of_run(run, beside=other)


PLAYERS: dict[str, Callable[[], Player]] = {
    "trainer": lambda: trained().player(LOW),
    "history": lambda: trained().history().player(LOW),
    "tokenizer": lambda: load_pretrained("gpt2").player(LOW),
    "comparison": lambda: compare(LOW, trained().tokenizer(), load_pretrained("gpt2")).player(),
    "fork": of_fork,
}


@pytest.mark.parametrize("kind", PLAYERS)
def test_the_policy_allows_the_scripts_of_the_page_and_nothing_else(kind: str) -> None:
    page = read_player_page(PLAYERS[kind]().to_html())
    directives = dict(each.strip().split(" ", 1) for each in page.policy.split(";"))
    assert directives == {
        "default-src": "'none'",
        "script-src": f"'sha256-{digest(page.scripts[0])}' 'sha256-{digest(page.program['script'])}'",
        "style-src": "'unsafe-inline'",
        "img-src": "blob: data:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    assert len(page.scripts) == 1
    assert set(page.data) == {"settings", "program", "packs"}


@pytest.mark.parametrize("kind", PLAYERS)
def test_the_page_names_no_address(kind: str) -> None:
    source = PLAYERS[kind]().to_html()
    page = read_player_page(source)
    for name, content in {
        "page": re.sub(r'<script type="application/gzip".*?</script>', "", source),
        "program": page.data["program"].decode(),
        "settings": page.data["settings"].decode(),
    }.items():
        assert not ADDRESS.findall(content.replace(SVG, "")), name
    assert not page.tags & {"link", "img", "iframe", "object", "embed", "base", "form", "template"}
    assert not [name for name, _ in page.attributes if name.startswith("on") or name in ("src", "href")]


@pytest.mark.parametrize("kind", PLAYERS)
def test_the_parts_of_the_program_hold_no_handlers_and_no_images(kind: str) -> None:
    for part in read_player_page(PLAYERS[kind]().to_html()).program["parts"].values():
        tags = read_player_page(part["html"])
        assert not [name for name, _ in tags.attributes if name.startswith("on") or name in ("src", "href")]
        assert not tags.tags & {"script", "img", "iframe", "link"}
        assert "@import" not in part["css"]
        assert {address.strip("\"'")[0] for address in re.findall(r"url\(([^)]*)\)", part["css"])} <= {"#"}


def test_the_policy_comes_before_everything_that_it_governs() -> None:
    source = trained().player(LOW).to_html()
    assert source.index("Content-Security-Policy") < min(
        source.index(tag) for tag in ("<title", "<style", "<script", "<body")
    )


def test_the_data_is_what_the_page_of_the_app_gets() -> None:
    run = run_of(NamedText("Text", LOW), TrainingSettings(num_merges=9))
    page = read_player_page(player_of_run(run, step=4).to_html())
    sizes = page.settings["packs"]
    numbered = replace(run, number=1)  # a page numbers its runs itself
    assert page.data["packs"][: sizes["player"]] == pack_run(
        PlayedRun(run=numbered, title="Text", start=4, grows=True)
    )
    assert sum(sizes.values()) == len(page.data["packs"])


def test_the_same_player_writes_the_same_page_and_another_has_its_own_name() -> None:
    player = trained().player(LOW)
    assert player.to_html() == player.to_html()
    other = trained().player(LOW)
    names = {read_player_page(each.to_html()).settings["player"] for each in (player, other)}
    assert len(names) == 2


def test_the_sample_with_500_merges_takes_less_than_200_kb() -> None:
    text = read_sample("English prose")
    trainer = Trainer(Corpus.from_text(text), "huggingface", num_merges=500)
    assert len(list(trainer.steps())) == 500
    assert 5_000 < len(text.encode()) < 8_000
    assert len(trainer.player(text).to_html().encode()) < 200_000


@pytest.mark.full
def test_a_megabyte_with_5000_merges_takes_less_than_3_mb(tmp_path: Path) -> None:
    text = read_sample(STANDARD_LIBRARY.title, 1_000_000)
    trainer = Trainer(Corpus.from_text(text), "huggingface", num_merges=5_000)
    assert len(list(trainer.steps())) == 5_000
    assert len(text.encode()) > 990_000
    path = tmp_path / "page.html"
    trainer.player(text).write_html(path)
    assert path.stat().st_size < 3_000_000
    page = read_player_page(path.read_text("utf-8"))
    assert bytes(page.pack("player")["text"]) == text.encode()
    assert len(page.rows) == 5_001


def test_the_frame_for_notebooks_holds_the_page() -> None:
    player = trained().player(LOW, height=333, caption='"quoted" & <b>')
    frame = player._repr_html_()  # type: ignore[attr-defined]
    found = re.fullmatch(r'<iframe srcdoc="([^"<]*)" ([^<]*)>[\w .]*</iframe>', frame)
    assert found
    assert html.unescape(found[1]) == player.to_html()
    assert 'sandbox="allow-scripts allow-downloads allow-modals"' in found[2]
    assert "height: 333px" in found[2]
    assert "title=" in found[2]


def test_the_page_is_compressed_without_a_date() -> None:
    source = trained().player(LOW).to_html()
    packed = re.search(r'id="packs">([^<]+)<', source)
    assert packed
    assert gzip.decompress(base64.b64decode(packed[1])) == read_player_page(source).data["packs"]
