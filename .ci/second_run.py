"""Run the tests in Chromium that failed once more, each alone, with a new server and a new browser.

    .ci/second_run.py LASTFAILED    the file in which pytest lists the tests that failed
    .ci/second_run.py --report      prints the tests that failed once and then passed

A test that passes now is unstable: a defect to mend in the next change. Exit status 0 if all pass and they
are at most two. Traces and pictures of the first failures are in test-results/first-run, the names of
unstable tests in test-results/unstable.json.
"""

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

MOST_UNSTABLE = 2
RESULTS = Path("test-results")
UNSTABLE = RESULTS / "unstable.json"


def passes(test: str) -> bool:
    """Run one test in a process of pytest."""
    print(f"== a second run, alone: {test}", flush=True)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", test]
    return subprocess.run(command, check=False).returncode == 0


def run_again(failed: Sequence[str], passes: Callable[[str], bool] = passes) -> int:
    """Run the failed tests again and write down which of them are unstable; the exit status."""
    if not 0 < len(failed) <= MOST_UNSTABLE:
        print(f"{len(failed)} tests failed; at most {MOST_UNSTABLE} get a second run.")
        return 1
    keep_first_results()
    unstable = [test for test in failed if passes(test)]
    UNSTABLE.write_text(json.dumps(unstable, indent=1), "utf-8")
    return 0 if unstable == list(failed) else 1


def keep_first_results() -> None:
    RESULTS.mkdir(exist_ok=True)
    first = RESULTS.rename("first-run")
    RESULTS.mkdir()
    first.rename(RESULTS / "first-run")


def report() -> None:
    for test in json.loads(UNSTABLE.read_text("utf-8")) if UNSTABLE.exists() else ():
        print(f"unstable: {test}")


if __name__ == "__main__":
    if sys.argv[1] == "--report":
        report()
    else:
        sys.exit(run_again(list(json.loads(Path(sys.argv[1]).read_text("utf-8")))))
