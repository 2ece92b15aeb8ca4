"""The command audit: what it prints and writes, its exit status, and its errors."""

import pytest

from bpeviz import load_pretrained, train_tokenizer
from bpeviz.audit.audit import FINDINGS
from tests.unit.cli.test_cli import Result


@pytest.fixture
def trimmed(tmp_path):
    """The files of a small vocabulary and of the same one without ␣abd."""
    whole = train_tokenizer("abc ab abd abd", "huggingface", num_merges=4)
    paths = tmp_path / "whole.json", tmp_path / "left.json"
    whole.save(paths[0])
    whole.without([" abd"]).save(paths[1])
    return paths


def rows(out):
    """The figures that a report prints, by name; those of both vocabularies if there are two."""
    found = {}
    for line in out.splitlines():
        name, *rest = line.split()
        if name in FINDINGS:
            found[name] = [int(each.replace(",", "")) for each in rest if each.replace(",", "").isdigit()]
    return found


def test_it_prints_a_row_for_each_finding_and_examples(tmp_path):
    text = tmp_path / "text.txt"
    text.write_text("the cat sat")
    result = Result("audit", "gpt2", "--text", text)
    assert result.code == 0
    assert result.out.startswith("50,257 tokens in gpt2\n")
    figures = rows(result.out)
    assert (figures["unreachable"][0], figures["cuts-a-character"][0]) == (13, 344)
    assert "unreachable       13      C0 C1 F5 F6 …" in result.out
    assert set(figures) == {name for name, each in FINDINGS.items() if each.needs != "against"}


def test_a_figure_above_its_bound_is_status_1(trimmed):
    whole, left = trimmed
    bounds = "unreachable=13,moved-ids=0"
    assert Result("audit", left, "--against", left, "--fail-on", bounds).code == 0
    result = Result("audit", left, "--against", whole, "--fail-on", "moved-ids=1,removed=0")
    assert result.code == 1
    assert result.errors == "bpeviz: removed is 1, above 0.\n"


def test_json_has_the_figures_and_the_ids(trimmed):
    whole, left = trimmed
    found = Result("audit", left, "--against", whole, "--text", "-", "--json", stdin=b"abc abd").json
    assert found["figures"]["removed"] == 1 == len(found["ids"]["removed"])
    assert found["figures"]["added"] == 0
    assert found["against"]["common"] == found["tokens"] == found["against"]["tokens"] - 1
    assert [each["word"] for each in found["against"]["words"]] == ["abd"]
    assert "merged" not in found["ids"]
    assert len(found["ids"]["unreachable"]) == found["figures"]["unreachable"]


def test_the_report_is_written(tmp_path):
    report = tmp_path / "report.html"
    result = Result("audit", "gpt2", "--html", report)
    assert result.out.endswith(f"report: {report}\n")
    assert "Audit of gpt2" in report.read_text("utf-8")
    assert f"<span>{len(load_pretrained('gpt2').merges):,}</span>" in report.read_text("utf-8")


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        (["--fail-on", "never-used=3"], "--fail-on never-used needs --text."),
        (["--fail-on", "moved-ids=0"], "--fail-on moved-ids needs --against."),
        (["--fail-on", "unreachable"], "'unreachable' is no figure with a number"),
        (["--fail-on", "unreachable=x"], "'x' is not a whole number"),
        (["--html", "-"], "“-” is not the name of a file to write"),
    ],
)
def test_wrong_use_is_said_in_one_line(options, fault):
    result = Result("audit", "gpt2", *options)
    assert result.code == 2
    assert fault in result.fault
