"""The wheel in an empty environment: what it holds, its command line, and its server."""

import json
import os
import re
import signal
import subprocess
import sys
import time
import tomllib
import urllib.request
import zipfile
from email import message_from_bytes
from pathlib import Path

import pytest

import bpeviz
from tests.support.server import ROOT, address_of, free_port, running_command
from tests.support.wheel import Installed, environment

pytestmark = pytest.mark.gate

CAT = b"the cat in the hat"
#: What bpeviz/app_folder.py looks for, and where the wheel has it.
APP = {
    "app.py": "bpeviz/_app/app.py",
    ".streamlit/config.toml": "bpeviz/_app/.streamlit/config.toml",
    **{
        path.relative_to(ROOT).as_posix(): f"bpeviz/_app/{path.relative_to(ROOT).as_posix()}"
        for path in ROOT.glob("sample_texts/**/*")
        if path.is_file()
    },
}
#: Says which settings Streamlit would serve the page with.
SETTINGS = """
import json
from streamlit import config
from streamlit.web import bootstrap

def show(path, *_):
    options = config.get_config_options()
    del options["server.cookieSecret"]  # a new one at every start
    print(json.dumps([path, {name: option.value for name, option in options.items()}]))

bootstrap.run_asgi_app = show
"""


def test_the_wheel_holds_the_package_and_the_app_as_they_are_here(installed: Installed) -> None:
    package = {path.relative_to(ROOT).as_posix() for path in ROOT.glob("bpeviz/**/*") if path.is_file()}
    expected = {path: path for path in package if "__pycache__" not in path} | APP
    with zipfile.ZipFile(installed.wheel) as wheel:
        found = {name for name in wheel.namelist() if ".dist-info/" not in name}
        assert found == set(expected.values())
        assert {
            "bpeviz/py.typed",
            "bpeviz/ui/icon.svg",
            "bpeviz/browser/shared/base.css",
        } <= found
        assert all(wheel.read(there) == (ROOT / here).read_bytes() for here, there in expected.items())


def test_the_wheel_says_what_it_is_and_what_it_needs(installed: Installed) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    with zipfile.ZipFile(installed.wheel) as wheel:
        (name,) = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
        metadata = message_from_bytes(wheel.read(name))
    assert (metadata["Name"], metadata["Version"]) == ("bpeviz", bpeviz.__version__)
    assert metadata["Requires-Python"] == project["requires-python"]
    assert set(metadata.get_all("Provides-Extra", [])) == {"dask", "dev", "docs", "models", "notebook"}
    needed = [line for line in metadata.get_all("Requires-Dist", []) if "extra" not in line]
    assert len(needed) == len(project["dependencies"])


def test_what_is_imported_is_what_was_installed(installed: Installed) -> None:
    run = installed.run(installed.python, "-c", "import bpeviz; print(bpeviz.__file__)")
    assert Path(run.stdout.decode().strip()).is_relative_to(installed.scripts.parent)


@pytest.mark.parametrize("as_module", [False, True])
def test_the_command_line_works(installed: Installed, as_module: bool) -> None:
    bpeviz_ = (installed.python, "-m", "bpeviz") if as_module else (installed.command,)
    assert installed.run(*bpeviz_, "--version").stdout.decode() == f"bpeviz {bpeviz.__version__}\n"
    train = installed.run(*bpeviz_, "train", "--recipe", "minbpe", "--merges", "5", "--json", stdin=CAT)
    assert (train.returncode, train.stderr) == (0, b"")
    assert json.loads(train.stdout)["tokens"] == 10
    usage = installed.run(*bpeviz_, "app", "--help").stdout.decode()
    assert usage.startswith(
        f"usage: {'python -m bpeviz' if as_module else 'bpeviz'} app [-h] [--port N] [FILE ...]\n"
    )


def test_a_tokenizer_is_trained_and_used(installed: Installed) -> None:
    said = installed.run(
        *(installed.command, "train", "--vocab-size", "262", "--out", "cat.json", ROOT / "README.md")
    )
    assert (said.returncode, said.stderr) == (0, b"")
    ids = installed.run(installed.command, "encode", "--tokenizer", "cat.json", stdin=CAT)
    text = installed.run(installed.command, "decode", "--tokenizer", "cat.json", stdin=ids.stdout)
    assert text.stdout == CAT


def test_the_lessons_are_in_the_wheel(installed: Installed) -> None:
    program = (
        "from bpeviz.lessons.reading import lesson_files, lesson_named\n"
        "print(*map(lesson_named, lesson_files()))"
    )
    ran = installed.run(installed.python, "-c", program)
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert ran.stdout.count(b"Lesson(") == len(list((ROOT / "bpeviz" / "lessons" / "data").glob("*.toml")))


def test_parity_asks_a_library_that_the_wheel_needs_anyway(installed: Installed) -> None:
    said = parity(installed, "tiktoken-educational")
    assert (said.returncode, said.stderr) == (0, b"")
    assert said.stdout.startswith(b"Identical for all 20 merges: tiktoken ")


def test_parity_without_its_library_says_what_to_install(installed: Installed) -> None:
    """The environment is left as pip makes it from the wheel alone: this is what a person meets first."""
    said = parity(installed, "rustbpe")
    assert (said.returncode, said.stdout) == (3, b"")
    assert said.stderr.endswith(b"Install it: pip install rustbpe\n")
    assert said.stderr.count(b"\n") == 1


def parity(installed: Installed, recipe: str) -> "subprocess.CompletedProcess[bytes]":
    sample = ROOT / "sample_texts" / "english-prose.txt"
    return installed.run(installed.command, "parity", sample, "--recipe", recipe, "--merges", "20")


# the page


@pytest.mark.full
@pytest.mark.parametrize("arguments", [(), ("app",)])
def test_the_command_serves_the_page_to_this_machine_alone(
    installed: Installed, arguments: tuple[str]
) -> None:
    port = free_port()
    settings = {**environment(), "STREAMLIT_SERVER_PORT": str(port)}
    with running_command([installed.command, *arguments], port, settings, installed.folder):
        with urllib.request.urlopen(address_of(port), timeout=60) as answer:
            assert b"<title>bpeviz</title>" in answer.read()
            assert "Content-Security-Policy" in answer.headers
        assert listening_on(port) <= {"0100007F"}
        again = installed.run(installed.command, "app", "--port", str(port))
    assert (again.returncode, again.stdout) == (1, b"")
    assert again.stderr.decode() == f"bpeviz: Port {port} is in use. Give another one with --port.\n"


def listening_on(port: int) -> set[str]:
    """The addresses, as Linux writes them, at which somebody listens on a port; none on other systems."""
    tables = [path for path in map(Path, ("/proc/net/tcp", "/proc/net/tcp6")) if path.exists()]
    rows = [line.split() for path in tables for line in path.read_text().splitlines()[1:]]
    places = [row[1].split(":") for row in rows if row[3] == "0A"]
    return {address for address, number in places if int(number, 16) == port}


def test_it_is_served_with_the_settings_of_the_checkout_wherever_it_is_started(installed: Installed) -> None:
    (installed.folder / ".streamlit").mkdir()
    theirs = '[server]\naddress = "0.0.0.0"\nbaseUrlPath = "other"\nenableStaticServing = true\n'
    (installed.folder / ".streamlit" / "config.toml").write_text(theirs)
    try:
        ran = installed.run(
            installed.python, "-c", f"{SETTINGS}\nfrom bpeviz.ui.server.launch import serve\nserve(8501)"
        )
    finally:
        (installed.folder / ".streamlit" / "config.toml").unlink()
        (installed.folder / ".streamlit").rmdir()
    start = 'from streamlit.web.cli import main\nmain(["run", "app.py", "--server.port", "8501"])'
    here = subprocess.run(
        [installed.python, "-c", SETTINGS + start],
        cwd=ROOT,
        env=environment(),
        capture_output=True,
        check=True,
    )
    path, settings = json.loads(ran.stdout)
    assert Path(path).is_relative_to(installed.scripts.parent)
    assert Path(path).name == "app.py"
    moved = ran.stdout.decode().replace(str(Path(path).parent), str(ROOT))
    assert json.loads(moved) == json.loads(here.stdout)
    asked = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))
    assert settings["server.address"] == asked["server"]["address"] == "localhost"
    assert settings["server.fileWatcherType"] == asked["server"]["fileWatcherType"] == "none"


def test_a_setting_that_streamlit_refuses_is_one_line(installed: Installed) -> None:
    said = subprocess.run(
        [installed.command, "app", "--port", str(free_port())],
        cwd=installed.folder,
        env={**environment(), "STREAMLIT_SERVER_MAX_MESSAGE_SIZE": "big"},
        capture_output=True,
        check=False,
    )
    assert (said.returncode, said.stdout) == (1, b"")
    assert re.fullmatch(rb"bpeviz: Invalid value for '--server.maxMessageSize'[^\n]+\n", said.stderr)


@pytest.mark.full
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGINT to send")
def test_ctrl_c_stops_the_page(installed: Installed, tmp_path: Path) -> None:
    port = free_port()
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # what it starts must not ignore it
    try:
        with (
            (tmp_path / "stderr").open("wb") as said,
            subprocess.Popen(
                [installed.command, "app", "--port", str(port)],
                cwd=installed.folder,
                env=environment(),
                stdout=subprocess.DEVNULL,
                stderr=said,
            ) as process,
        ):
            while not answers(port):  # one that only listens may not have begun to run
                assert process.poll() is None, (tmp_path / "stderr").read_text()
                time.sleep(0.01)
            os.kill(process.pid, signal.SIGINT)
            process.wait(60)
    finally:
        signal.signal(signal.SIGINT, before)
    assert (process.returncode, (tmp_path / "stderr").read_text().strip()) == (130, "bpeviz: stopped.")


def answers(port: int) -> bool:
    try:
        urllib.request.urlopen(f"{address_of(port)}/_stcore/health").close()
    except OSError:
        return False
    return True
