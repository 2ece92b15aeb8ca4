"""The audit on the vocabulary page, and the seam on the encode page, without a browser."""

import pytest
from streamlit.testing.v1 import AppTest

from bpeviz import load_pretrained
from bpeviz.audit.audit import FINDINGS, audit_tokenizer
from bpeviz.limits import Limits
from bpeviz.runs.run import Run
from bpeviz.sessions.page_fields import read_page, write_page
from bpeviz.ui.encode.page import encode_page
from bpeviz.ui.session.session import Session
from bpeviz.ui.vocabulary.page import vocabulary_page
from bpeviz.ui.vocabulary.state import AUDIT, VocabularyFields, VocabularyState
from tests.support.app_test import drawn, plain, shown_run, with_run

GPT2 = "gpt2"


TEXT = "the cat in the hat then sat " * 4


def opened(finding: str = "", earlier: str = "") -> AppTest:
    """The audit of a small run; ``earlier`` is the key of another vocabulary."""
    state = with_run(TEXT, num_merges=12, recipe="minbpe")
    fields = state.pages.of(VocabularyState)
    fields.panel, fields.finding = AUDIT, finding
    if earlier:
        fields.saved.against_earlier = True
        state.tokenizers.picked["earlier"] = earlier
    return drawn(vocabulary_page, state)


def run_of_page(app: AppTest) -> Run:
    state: Session = app.session_state["session"]
    return shown_run(state)


def fields_of(app: AppTest) -> VocabularyState:
    state: Session = app.session_state["session"]
    return state.pages.of(VocabularyState)


def said(app: AppTest) -> str:
    return "\n".join(plain(each.value) for each in (*app.markdown, *app.caption))


def table_of(app: AppTest, column: str):
    return next(each.value for each in app.dataframe if column in each.value)


def test_each_figure_is_that_of_the_audit() -> None:
    app = opened()
    table = table_of(app, "finding")
    found = audit_tokenizer(run_of_page(app).tokenizer, TEXT)
    assert dict(zip(table["finding"], table["tokens"], strict=True)) == {
        FINDINGS[name].title: count for name, count in found.figures.items()
    }
    assert "earlier" not in table


def test_a_picked_finding_shows_its_tokens_in_the_table() -> None:
    app = opened("unreachable")
    assert len(table_of(app, "merge")) == 13
    assert "Unreachable: No text is ever encoded to them." in said(app).replace("*", "")
    assert "13 of 268" in said(app)


def test_an_earlier_vocabulary_is_a_second_column() -> None:
    app = opened("moved-ids", GPT2)
    table = table_of(app, "finding")
    assert table["earlier"].notna().sum() == len(table) - 3
    assert "in common with GPT-2" in said(app)
    moved = table_of(app, "id before").to_numpy().tolist()
    here, gpt2 = run_of_page(app).tokenizer, load_pretrained(GPT2)
    assert len(moved) > 200
    for before, now in moved:
        assert gpt2.token_bytes(before) == here.token_bytes(now)
    assert "change" in table_of(app, "word")


def test_a_cancelled_audit_waits_for_a_button(monkeypatch: pytest.MonkeyPatch) -> None:
    app = opened()
    state: Session = app.session_state["session"]
    fields = state.pages.of(VocabularyState)
    fields.cancelled = next(key for key in app.session_state["session_cache"]._entries if key[0] == "audit")
    app.run()
    assert not any("finding" in each.value for each in app.dataframe)
    app.button(key="audit_run").click().run()
    assert any("finding" in each.value for each in app.dataframe)


def test_a_long_text_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bpeviz.ui.vocabulary.audit_panel.limits", lambda: Limits(max_audited_bytes=10))
    app = opened()
    assert "texts of up to 10 bytes" in said(app)
    assert FINDINGS["never-used"].title not in table_of(app, "finding")["finding"].tolist()


def test_a_token_has_a_text_and_its_places() -> None:
    app = opened()
    run = run_of_page(app)
    token = run.tokenizer.token_to_id(" the")
    fields_of(app).picked = f"run-{run.number}", (token,)
    app.run()
    assert "A text that has it: “␣the”" in said(app)
    assert "␣the␣hat" in said(app).replace("*", "")


def test_the_choice_is_saved_only_if_it_is_made() -> None:
    texts: dict[str, str] = {}
    plain_fields = write_page(VocabularyFields(), lambda text: "")
    assert "against_earlier" not in str(plain_fields)
    chosen = VocabularyFields(against_earlier=True)
    assert read_page(write_page(chosen, lambda text: ""), VocabularyFields, texts) == chosen


# --- the seam ------------------------------------------------------------------------------------------


def encoded(text: str, tokenizer: str = "cl100k_base") -> AppTest:
    state = Session()
    state.tokenizers.picked["encode"] = tokenizer
    app = drawn(encode_page, state)
    return app.text_area(key="encode_text").set_value(text).run()


def test_the_end_of_a_text_is_open() -> None:
    app = encoded("http:")
    assert "1 token is settled. Open: :" in said(app).replace("*", "")
    assert "in 324 ways" in said(app)


def test_an_edit_shows_the_tokens_that_it_changes() -> None:
    app = encoded("the weather is fine", GPT2)
    app.slider(key=f"encode_edit_at_{len('the weather is fine')}").set_value(6).run()
    app.text_input(key="encode_edit").set_value("x").run()
    # by hand: the | weather| is| fine  ->  the | we|x|ather| is| fine
    assert [load_pretrained(GPT2).decode([i]) for i in load_pretrained(GPT2).encode("the wexather")] == [
        *("the", " we", "x", "ather"),
    ]
    assert "1 token of 4 changes: ␣weather → ␣we | x | ather" in said(app).replace("*", "")


def test_a_tokenizer_of_characters_says_why_it_has_no_seam() -> None:
    state = with_run(recipe="course", num_merges=3)
    state.tokenizers.picked["encode"] = f"run-{shown_run(state).number}"
    app = drawn(encode_page, state)
    app.text_area(key="encode_text").set_value("the cat").run()
    assert not app.exception
    assert "The seam is for tokenizers of bytes" in said(app)
