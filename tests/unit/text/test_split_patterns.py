"""Split patterns: worked examples, tiktoken's own patterns, and what can be wrong with a custom pattern."""

import threading
from contextlib import closing
from types import SimpleNamespace

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st
from tiktoken_ext import openai_public

from bpeviz import SPLIT_PATTERNS, custom_split_pattern, split
from bpeviz.errors import SplitPatternError
from bpeviz.text import split_patterns
from bpeviz.text.split_patterns import MAX_PATTERN_LENGTH, SplitPattern, get_split_pattern
from bpeviz.workers.pool import Pool
from tests.support.inline_workers import work_with
from tests.support.paths import SAMPLE_TEXTS, TINY_TEXTS
from tests.support.texts import ANY_TEXT, BORDERS_OF_SPLITTING, TIGHT_TEXT

NAMED = pytest.mark.parametrize("name", SPLIT_PATTERNS)

#: Texts in which the parts of the patterns meet: words, digits, contractions, punctuation, white space.
PIECES = [*"aÉ日ǅ1٣!/_ \n\t\u00a0\u0301", "'s", "'S", "'ll", "'x", "  ", "\r\n"]
PIECEWISE = st.lists(st.sampled_from(PIECES), max_size=25).map("".join)


# --- the named patterns --------------------------------------------------------------------------------


def test_a_space_before_a_word_belongs_to_it():
    assert split("the cat in the hat", "gpt2") == ["the", " cat", " in", " the", " hat"]


def test_of_several_spaces_only_the_last_belongs_to_the_word():
    for name in ("gpt2", "cl100k", "o200k", "rustbpe"):
        assert split("a   b", name) == ["a", "  ", " b"]


def test_a_contraction_is_separate_in_gpt2():
    assert split("the cat's hat", "gpt2") == ["the", " cat", "'s", " hat"]
    assert split("THE CAT'S", "gpt2") == ["THE", " CAT", "'", "S"]  # lower case only


def test_a_contraction_of_either_case_is_separate_in_cl100k():
    assert split("CAT'S", "cl100k") == ["CAT", "'S"]


def test_a_contraction_belongs_to_its_word_in_o200k():
    assert split("cat's HAT'S", "o200k") == ["cat's", " HAT'S"]


def test_digits_go_in_threes_in_cl100k_and_together_in_gpt2():
    assert split("year 12345", "gpt2") == ["year", " 12345"]
    assert split("year 12345", "cl100k") == ["year", " ", "123", "45"]


def test_case_splits_words_in_o200k():
    assert split("HelloWorld", "o200k") == ["Hello", "World"]
    assert split("HelloWorld", "cl100k") == ["HelloWorld"]


def test_line_ends_stay_with_punctuation_in_cl100k():
    assert split("a.\n\nb", "cl100k") == ["a", ".\n\n", "b"]
    assert split("a.\n\nb", "gpt2") == ["a", ".", "\n", "\n", "b"]


def test_words_and_white_space_alternate():
    assert split(" the  cat\n", "whitespace") == [" ", "the", "  ", "cat", "\n"]


def test_a_space_begins_a_word_in_sentencepiece_and_so_does_the_character_it_writes_for_one():
    assert split("  the▁cat  \tin\r\n\nthe ", "sentencepiece") == [
        *(" ", " the", "▁cat", " ", " \tin\r", "\n\n", "the", " ")
    ]
    assert split("a\x00b\x1f\x00 c", "sentencepiece") == ["a", "\x00", "b", "\x1f\x00", " c"]


def test_nothing_is_split_by_none():
    assert split("the cat in the hat", "none") == ["the cat in the hat"]


@NAMED
def test_empty_text_has_no_pre_tokens(name):
    assert split("", name) == []


@NAMED
@given(text=ANY_TEXT | TIGHT_TEXT | PIECEWISE)
def test_the_pre_tokens_joined_are_the_text(name, text):
    pre_tokens = split(text, name)
    assert "".join(pre_tokens) == text
    assert "" not in pre_tokens


def tiktoken_patterns() -> dict[str, str]:
    """The patterns of tiktoken's encodings, without their vocabularies, which it would download."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(openai_public, "load_tiktoken_bpe", lambda *args, **kwargs: {})
        return {
            "gpt2": openai_public.r50k_pat_str,
            "cl100k": openai_public.cl100k_base()["pat_str"],
            "o200k": openai_public.o200k_base()["pat_str"],
        }


TIKTOKEN = pytest.mark.parametrize(
    ("name", "theirs"), tiktoken_patterns().items(), ids=["gpt2", "cl100k", "o200k"]
)


@TIKTOKEN
@given(text=ANY_TEXT | TIGHT_TEXT | PIECEWISE)
def test_any_text_splits_as_by_the_pattern_of_tiktoken(name, theirs, text):
    assert split(text, name) == regex.findall(theirs, text)


@TIKTOKEN
@pytest.mark.parametrize("path", SAMPLE_TEXTS, ids=lambda path: path.name)
def test_sample_texts_split_as_by_the_pattern_of_tiktoken(name, theirs, path):
    text = path.read_text("utf-8")
    assert len(split(text, name)) > 100 or path in TINY_TEXTS
    assert split(text, name) == regex.findall(theirs, text)


def test_a_pattern_name_that_does_not_exist_is_refused():
    with pytest.raises(SplitPatternError, match="gpt2, cl100k, o200k") as caught:
        split("text", "gpt5")
    assert caught.value.pattern == "gpt5"


def test_a_split_pattern_is_returned_unchanged():
    pattern = custom_split_pattern(".")
    assert get_split_pattern(pattern) is pattern
    assert split("ab", pattern) == ["a", "b"]


# --- a person's own pattern ----------------------------------------------------------------------------


def refused(pattern: str, text: str = "") -> SplitPatternError:
    with pytest.raises(SplitPatternError) as caught:
        custom_split_pattern(pattern).split(text)
    assert caught.value.pattern == pattern
    return caught.value


def test_a_custom_pattern_splits():
    pattern = custom_split_pattern(r"\d|\D+")
    assert (pattern.name, pattern.covers_any_text) == ("custom", False)
    assert pattern.split("ab12c") == ["ab", "1", "2", "c"]


def test_the_groups_of_a_custom_pattern_do_not_matter():
    pattern = custom_split_pattern(r"(the)|(?P<word>\w(\w*))|(\s)")
    assert pattern.split("the cat in the hat") == ["the", " ", "cat", " ", "in", " ", "the", " ", "hat"]


def test_an_empty_custom_pattern_is_refused():
    assert "empty" in str(refused(""))


def test_a_custom_pattern_that_is_too_long_is_refused():
    longest = "[" + "a" * (MAX_PATTERN_LENGTH - 2) + "]"
    assert custom_split_pattern(longest).split("aa") == ["a", "a"]
    assert "501 characters" in str(refused(longest + "+"))


@pytest.mark.parametrize(
    "pattern", ["(", "[a", "a**", r"\p{Nothing}", "a{99999999999}", "(?P<a>.)(?P<a", "*"]
)
def test_a_custom_pattern_that_does_not_compile_is_refused(pattern):
    assert "does not compile" in str(refused(pattern))


@pytest.mark.parametrize("pattern", ["a*", "|a", "(?:)", "a?", r"\s*"])
def test_a_custom_pattern_that_matches_nothing_at_all_is_refused_at_once(pattern):
    with pytest.raises(SplitPatternError, match="matches the empty string"):
        custom_split_pattern(pattern)


@pytest.mark.parametrize(
    "pattern",
    [
        "(?:(?:(?:(?:a{99}){99}){99}){99}){99}",
        "((((((a?){100}){100}){100}){100}){100}){100}b",
        "(?:ab){99999999}",
        "a{9999999,}",
        "(?:" * 60 + "a?" + "){2}" * 60,
        "(?x)(?:ab){ 1 0 0 0 0 0 0 }",
        "(?x)(?:ab){1#\n000000}",
        "a{#(?:ab){1000000}\n",
    ],
)
def test_repetitions_that_would_take_all_memory_are_refused_before_they_are_compiled(pattern):
    with (
        closing(Pool()) as pool,  # limits need real processes
        work_with(pool),
        pytest.raises(SplitPatternError, match=r"does not compile in the memory there is .* repetitions"),
    ):
        custom_split_pattern(pattern)


@pytest.mark.parametrize(
    "pattern", [r"\p{N}{1,3}|.", "[0-9a-f]{64}|.", r"(?:\w{4}\s?){2,5}|.", ".{1,9999}", "{|."]
)
def test_repetitions_of_common_patterns_are_taken(pattern):
    assert custom_split_pattern(pattern).split("12") in (["12"], ["1", "2"])


@pytest.mark.parametrize(("pattern", "at"), [(r"\b|\w+", 0), (r"a|(?=b)|b", 1), (r"[^c]+|(?<=b)", 2)])
def test_a_custom_pattern_that_matches_nothing_in_the_text_is_refused(pattern, at):
    error = refused(pattern, "abc")
    assert f"matches the empty string at character {at}." in str(error)


@pytest.mark.parametrize(
    ("text", "first", "last", "missed"),
    [
        ("the cat", 3, 3, "' '"),
        ("é日 cat", 5, 5, "' '"),  # é is 2 bytes, 日 is 3
        ("é🙂🙂cat", 2, 9, "'🙂🙂'"),
        (" cat", 0, 0, "' '"),
        ("cat. ", 3, 4, "'. '"),
        ("a" + "." * 30, 1, 30, repr("." * 20) + " …"),
    ],
)
def test_bytes_left_uncovered_are_named_by_their_offset(text, first, last, missed):
    error = refused(r"\w+", text)
    assert error.byte_offset == first
    assert f"leaves bytes {first} to {last} uncovered: {missed}." in str(error)


def test_the_first_bytes_left_uncovered_are_named():
    assert refused("[ab]+", "ab-ab-ab").byte_offset == 2


@given(
    text=ANY_TEXT | TIGHT_TEXT,
    pattern=st.sampled_from([r"\w+|\s+", "[^a]+", r"\S|\s+", r"(?s:.)", r"[ab]+|é"]),
)
def test_a_custom_pattern_covers_the_text_or_says_where_it_does_not(text, pattern):
    try:
        pre_tokens = custom_split_pattern(pattern).split(text)
    except SplitPatternError as error:
        before = text.encode()[: error.byte_offset].decode()  # whole characters, or this would fail
        assert "".join(regex.findall(pattern, before)) == before
        assert regex.match(pattern, text, pos=len(before)) is None
    else:
        assert "".join(pre_tokens) == text


def test_a_pattern_that_reads_backwards_does_not_put_the_text_out_of_order():
    """(?r) matches from the end of the text."""
    assert custom_split_pattern(r"(?r)\w+|\W+").split("ab cd") == ["ab", " ", "cd"]


@pytest.mark.full
def test_a_pattern_has_a_time_limit_that_does_not_affect_equality():
    pattern = custom_split_pattern(r"(a|aa)+$", timeout=0.1)
    for timeout, says in ((None, r"more than 0\.1 seconds"), (0.2, r"more than 0\.2 seconds")):
        with pytest.raises(SplitPatternError, match=says) as caught:
            pattern.split("a" * 40 + "b", timeout=timeout)
        assert caught.value.byte_offset is None
    assert pattern == custom_split_pattern(r"(a|aa)+$")


@pytest.mark.full
def test_a_named_pattern_that_takes_too_long_is_stopped_too(monkeypatch):
    def never_ends(*args, **kwargs):
        raise TimeoutError

    monkeypatch.setattr(
        "bpeviz.text.split_patterns._compile", lambda pattern: SimpleNamespace(findall=never_ends)
    )
    with pytest.raises(SplitPatternError, match="more than 2 seconds"):
        split("text", "gpt2", timeout=2)


@pytest.mark.full
def test_a_search_blocks_other_threads_only_briefly_and_then_restarts_beside_them(monkeypatch):
    clock, searches = [5.0], []

    def never_ends(text, **bounds):
        clock[0] += bounds["timeout"]
        searches.append(bounds)
        raise TimeoutError

    monkeypatch.setattr(
        "bpeviz.text.split_patterns._compile", lambda pattern: SimpleNamespace(findall=never_ends)
    )
    monkeypatch.setattr("bpeviz.text.split_patterns.time.process_time", lambda: clock[0])
    for timeout in (2, 0.125):
        with pytest.raises(SplitPatternError):
            split("text", "gpt2", timeout=timeout)
    assert searches == [
        {"timeout": 0.25, "concurrent": False},
        {"timeout": 1.75, "concurrent": True},
        {"timeout": 0.125, "concurrent": False},
    ]


@pytest.mark.full
def test_the_parts_of_a_long_text_share_one_time_limit(monkeypatch):
    clock, searches = [5.0], []

    def slow(text, *, timeout, concurrent):
        searches.append((timeout, concurrent))
        clock[0] += 0.75
        return [text]

    monkeypatch.setattr("bpeviz.text.split_patterns._compile", lambda pattern: SimpleNamespace(findall=slow))
    monkeypatch.setattr("bpeviz.text.split_patterns.time.process_time", lambda: clock[0])
    monkeypatch.setattr("bpeviz.text.split_patterns.PART_CHARACTERS", 3)
    with pytest.raises(SplitPatternError, match="more than 2 seconds"):
        split("the cat in the hat on the mat", "gpt2", timeout=2)
    assert len(searches) == 3


@pytest.mark.parametrize("pattern", [SPLIT_PATTERNS["cl100k"], custom_split_pattern(r"\w+|\W+")])
@pytest.mark.full
def test_a_thread_that_computes_does_not_make_a_search_time_out(pattern):
    """If the search let the thread run at every match, it would take more than its 10 seconds."""
    done = threading.Event()

    def compute() -> None:
        while not done.is_set():
            sum(range(1_000))

    busy = threading.Thread(target=compute)
    busy.start()
    try:
        assert len(pattern.split("the cat in the hat. " * 4_000)) > 16_000
    finally:
        done.set()
        busy.join()


@NAMED
@given(text=BORDERS_OF_SPLITTING)
def test_a_long_text_is_split_the_same_in_parts_and_at_once(name, text):
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr("bpeviz.text.split_patterns.PART_CHARACTERS", 3)
        in_parts = split(text, name)
    assert in_parts == split(text, name)


@pytest.mark.parametrize("pattern", ["(?R)|.", "(a|(?R))", "((?1))|.", "(?P<x>(?&x))", "(?P<x>(?P>x))"])
def test_a_pattern_that_calls_itself_is_refused_before_it_takes_all_memory(pattern):
    with pytest.raises(SplitPatternError, match="calls itself"):
        custom_split_pattern(pattern)


@pytest.mark.parametrize("pattern", [r"(?i:a)|.", r"(?:a)|.", r"(?P<x>a)|(?P=x)|.", r"(?=a)a|."])
def test_other_groups_are_no_recursion(pattern):
    assert custom_split_pattern(pattern).split("aab") == ["a", "a", "b"]


def test_a_pattern_built_by_hand_is_checked_like_a_custom_one():
    with pytest.raises(SplitPatternError, match="leaves bytes 2 to 3 uncovered"):
        SplitPattern("mine", r"\w+").split("ab, cd")


def test_running_out_of_memory_is_an_error(monkeypatch):
    monkeypatch.setattr(
        "bpeviz.text.split_patterns._compile", lambda _: SimpleNamespace(finditer=exhausted_search)
    )
    with pytest.raises(SplitPatternError, match="too much memory"):
        SplitPattern("mine", ".").split("a")


def exhausted_search(*_args, **_options):
    raise MemoryError


def test_another_time_limit_does_not_compile_the_pattern_again(monkeypatch):
    pattern = custom_split_pattern(r"within|\w+|\W")
    assert pattern.split("a b") == ["a", " ", "b"]
    monkeypatch.setattr(split_patterns, "_compile", lambda _: pytest.fail("it is compiled again"))
    limited = pattern.within(0.2)
    assert (limited, limited.timeout_seconds, limited.split("a b")) == (pattern, 0.2, ["a", " ", "b"])
