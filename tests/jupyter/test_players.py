"""Players in a notebook: Python reads and moves them, and they need no kernel."""

import json

import pytest
from playwright.sync_api import Page, expect

from tests.jupyter.lab import Lab
from tests.jupyter.notebook_page import NotebookPage

MAKE = """\
from bpeviz import Corpus, Trainer

trainer = Trainer(Corpus.from_text("the cat in the hat and the cat on the mat"), "minbpe", num_merges=8)
steps = list(trainer.steps())
left, right, seen = trainer.player(height=400), trainer.player(height=400, step=2), []
left.observe(lambda change: seen.append(change.new), "step")
left"""
SHOW_RIGHT = "right"
READ = "print(left.step, right.step)"
SEEN = "print(seen)"
SET = "left.step = 6"
PICKED = "print(left.picked, right.picked)"
SET_ALL = "for step in range(9): left.step = step"
BOX = "import ipywidgets; ipywidgets.VBox([left])"
(LEFT, RIGHT, READING, SEEING, SETTING, PICKING, SETTING_ALL, BOXING) = range(8)


@pytest.fixture
def notebook(page: Page, lab: Lab, request: pytest.FixtureRequest) -> NotebookPage:
    """A notebook that has shown two players, at steps 0 and 2."""
    notebook = NotebookPage(page, lab, f"{request.node.name}.ipynb")
    lab.write(notebook.name, [MAKE, SHOW_RIGHT, READ, SEEN, SET, PICKED, SET_ALL, BOX])
    notebook.open()
    notebook.run(LEFT)
    notebook.run(RIGHT)
    notebook.expect_step(LEFT, 0)
    notebook.expect_step(RIGHT, 2)
    return notebook


def test_python_reads_a_persons_step_and_sets_it_for_one_player(notebook: NotebookPage) -> None:
    notebook.next_merge(LEFT)
    notebook.expect_step(LEFT, 1)
    notebook.run_until(READING, "1 2")
    notebook.run(SETTING)
    notebook.expect_step(LEFT, 6)
    notebook.next_merge(RIGHT)
    notebook.run_until(READING, "6 3")
    notebook.expect_step(LEFT, 6)
    notebook.run_until(SEEING, "[1, 6]")


def test_many_steps_in_a_row_do_not_come_back_late(notebook: NotebookPage) -> None:
    notebook.run(SETTING_ALL)
    notebook.expect_step(LEFT, 8)
    notebook.next_merge(RIGHT)
    notebook.run_until(READING, "8 3")  # what the left player said, it said before
    assert notebook.run(SEEING) == "[1, 2, 3, 4, 5, 6, 7, 8]"


def test_keys_go_to_the_player_with_the_focus_and_to_no_other(notebook: NotebookPage) -> None:
    notebook.step_field(LEFT).press("Escape")  # out of the field, in its document
    notebook.page.keyboard.press("ArrowRight")
    notebook.page.keyboard.press("ArrowRight")
    notebook.expect_step(LEFT, 2)
    notebook.page.keyboard.press("End")
    notebook.expect_step(LEFT, 8)
    notebook.expect_step(RIGHT, 2)
    notebook.run_until(READING, "8 2")


def test_python_knows_the_token_that_was_under_the_pointer_last(notebook: NotebookPage) -> None:
    assert notebook.run(PICKING) == "None None"
    notebook.token(RIGHT, "t").hover()
    notebook.run_until(
        PICKING, "None PickedToken(start=6, end=7, token_id=116, text='t', token_bytes=b't', rank=None)"
    )


def test_a_token_with_an_open_card_stays_picked(notebook: NotebookPage) -> None:
    notebook.run(SETTING)
    notebook.expect_step(LEFT, 6)
    notebook.token(LEFT, "the").click()
    notebook.token(LEFT, "n").hover()
    notebook.run_until(
        PICKING, "PickedToken(start=0, end=3, token_id=257, text='the', token_bytes=b'the', rank=1) None"
    )


def test_after_a_reload_the_player_is_at_pythons_step(notebook: NotebookPage) -> None:
    notebook.next_merge(LEFT)
    notebook.run_until(READING, "1 2")
    notebook.save()
    notebook.open()
    notebook.expect_step(LEFT, 1)
    notebook.next_merge(LEFT)
    notebook.run_until(READING, "2 2")


def test_after_a_restart_of_the_kernel_players_work_and_new_ones_are_live(notebook: NotebookPage) -> None:
    notebook.restart_kernel()
    notebook.next_merge(LEFT)
    notebook.expect_step(LEFT, 1)
    notebook.next_merge(RIGHT)
    notebook.expect_step(RIGHT, 3)
    notebook.run(LEFT)
    notebook.run(RIGHT)
    notebook.expect_step(LEFT, 0)
    notebook.next_merge(LEFT)
    notebook.run_until(READING, "1 2")
    notebook.run(SETTING)
    notebook.expect_step(LEFT, 6)
    notebook.expect_step(RIGHT, 2)


def test_a_box_of_widgets_shows_the_player_too(notebook: NotebookPage) -> None:
    notebook.run(SETTING)
    notebook.run(BOXING)
    notebook.expect_step(BOXING, 6)
    notebook.next_merge(BOXING)
    notebook.expect_step(LEFT, 7)
    notebook.run_until(READING, "7 2")


def test_a_saved_notebook_shows_players_without_a_kernel(notebook: NotebookPage) -> None:
    notebook.save()
    notebook.open_without_kernel()
    notebook.expect_step(LEFT, 0)
    notebook.next_merge(LEFT)
    notebook.expect_step(LEFT, 1)
    notebook.expect_step(RIGHT, 2)
    assert "widget" not in " ".join(notebook.page.locator(".jp-OutputArea-output").all_inner_texts())


def test_a_notebook_from_elsewhere_says_how_to_see_the_player(notebook: NotebookPage, lab: Lab) -> None:
    notebook.save()
    file = lab.folder / notebook.name
    document = json.loads(file.read_text("utf-8"))
    document["cells"][LEFT]["outputs"][0]["data"]["text/html"] += " "
    (lab.folder / "theirs.ipynb").write_text(json.dumps(document), "utf-8")
    theirs = NotebookPage(notebook.page, lab, "theirs.ipynb")
    theirs.open()
    expect(theirs.outputs(LEFT)).to_have_text("Trust this notebook to see the player.")
