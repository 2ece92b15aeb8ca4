"""What a person does and reads in a notebook, by name."""

import re
import time
from contextlib import suppress

from playwright.sync_api import FrameLocator, Locator, Page, expect

from tests.jupyter.lab import Lab
from tests.support.waiting import wait_for

__all__ = ["NotebookPage"]

NO_KERNELS = {"default": "", "kernelspecs": {}}
EXECUTED = re.compile(r"^\[\d+\]:?$")


class NotebookPage:
    """A notebook that is open in JupyterLab; cells count from 0."""

    def __init__(self, page: Page, lab: Lab, name: str) -> None:
        self.page, self.lab, self.name = page, lab, name

    def open(self) -> None:
        self.page.goto(self.lab.address(self.name))
        expect(self.cell(0)).to_be_visible()
        # Keys that come earlier ask which kernel to start.
        expect(self.page.locator("#jp-main-statusbar")).to_contain_text("Python 3 (ipykernel) | Idle")

    def cell(self, number: int) -> Locator:
        return self.page.locator(".jp-Notebook .jp-CodeCell").nth(number)

    def outputs(self, number: int) -> Locator:
        return self.cell(number).locator(".jp-OutputArea-output")

    def run(self, number: int) -> str:
        """Execute a cell, and return the text of its outputs."""
        prompt = self.cell(number).locator(".jp-InputArea-prompt")
        before = prompt.inner_text()
        until = time.monotonic() + 60
        while prompt.inner_text() == before:  # JupyterLab may lose the keys while it connects to the kernel
            assert time.monotonic() < until
            self.cell(number).locator(".cm-content").click()
            self.page.keyboard.press("Control+Enter")
            with suppress(AssertionError):
                expect(prompt).not_to_have_text(before, timeout=5_000)
        expect(prompt).to_have_text(EXECUTED)
        return "\n".join(self.outputs(number).all_inner_texts()).strip()

    def run_until(self, number: int, text: str) -> None:
        """Execute a cell until it prints a text: what a browser says takes a moment to reach Python."""
        until = time.monotonic() + 60
        while (found := self.run(number)) != text and time.monotonic() < until:
            self.page.wait_for_timeout(100)
        assert found == text

    def player(self, number: int) -> FrameLocator:
        """The document of the player that a cell shows."""
        return self.outputs(number).locator("iframe").content_frame

    def expect_step(self, number: int, step: int) -> None:
        expect(self.step_field(number)).to_have_value(str(step))

    def step_field(self, number: int) -> Locator:
        return self.player(number).get_by_label("Merges made")

    def next_merge(self, number: int) -> None:
        self.player(number).get_by_role("button", name="Next merge", exact=True).click()

    def token(self, number: int, text: str) -> Locator:
        """The first token of a text in the player that a cell shows."""
        return self.player(number).locator(".tok").filter(has_text=re.compile(f"^{text}$")).first

    def open_without_kernel(self) -> None:
        """Open the notebook again after its kernel has ended, as on a machine that has none."""
        headers, sessions = {"Authorization": f"token {self.lab.token}"}, f"{self.lab.url}/api/sessions"
        for session in self.page.request.get(sessions, headers=headers).json():
            self.page.request.delete(f"{sessions}/{session['id']}", headers=headers)
        self.page.route("**/api/kernelspecs*", lambda route: route.fulfill(json=NO_KERNELS))
        self.page.goto(self.lab.address(self.name))
        self.page.get_by_role("button", name="Select Kernel").click()
        expect(self.cell(0)).to_be_visible()

    def restart_kernel(self) -> None:
        self.page.get_by_role("button", name="Restart the kernel", exact=True).click()
        self.page.get_by_role("button", name="Confirm Kernel Restart").click()

    def save(self) -> None:
        """Save the notebook, and wait until the file holds what the page shows."""
        file = self.lab.folder / self.name
        before = file.stat().st_mtime_ns
        self.page.keyboard.press("Control+s")

        def is_whole() -> bool:
            """Jupyter empties the file, then writes into it."""
            return file.stat().st_mtime_ns != before and file.read_text("utf-8").endswith("}\n")

        wait_for(self.page, is_whole, "the notebook is saved")
