"""The attacks reach every input: each is found on the page, and each kind is attacked."""

import re

from tests.faults.inputs import FORGED_KINDS, TEXT_KINDS, UPLOAD_KINDS, Input, declared

#: Inputs that need what the walk does not do: a training in the background, a file of ranks without a split
#: pattern (test_uploads has some), an uploaded tokenizer, a seventh one, deleted sessions, and a large
#: corpus, whose fields test_large_corpora attacks; a guess needs the address of a lesson's stop, and the
#: second text of Watch merges after those of a tokenizer. That of Vocabulary is read in the same way.
SELDOM = (
    *("bpeviz_training_bar", "brought_split", "uploaded_name", "replaced", "show_deleted", "guess"),
    *("'second_text", "part_file", "part_start", "part_megabytes", "part_word"),
)


def test_every_input_in_the_source_is_found_on_the_page(inputs: dict[str, Input]) -> None:
    seldom = re.compile("|".join(SELDOM))
    missing = [d for d in declared() if not d.is_among(inputs) and not seldom.search(str(d.names))]
    assert missing == [], "tests/faults/inputs.py has to learn how to get there"


def test_every_kind_of_input_is_attacked(inputs: dict[str, Input]) -> None:
    kinds = {each.kind for each in inputs.values()}
    assert kinds <= {*TEXT_KINDS, *UPLOAD_KINDS, *FORGED_KINDS}
