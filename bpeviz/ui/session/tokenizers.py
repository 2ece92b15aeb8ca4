"""The tokenizers that a person picked and uploaded."""

from dataclasses import dataclass, field
from typing import Annotated

from bpeviz.storage.work_document import Few, Name
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.ui.session.saved_fields import Restoring, SavedAs, Saving, run_key

__all__ = ["TokenizersState"]


def _save_keys(picked: dict[str, str], saving: Saving) -> dict[str, str]:
    return {field: key for field, old in picked.items() if (key := run_key(old, saving.places))}


def _restore_keys(saved: dict[str, str], restoring: Restoring) -> dict[str, str]:
    return {field: key for field, old in saved.items() if (key := run_key(old, restoring.numbers))}


KEYS = SavedAs(Annotated[dict[Name, Name], Few], _save_keys, _restore_keys, name="sides")


@dataclass
class TokenizersState:
    """``picked``: the key of the picked tokenizer, by field; ``files``: the name and tokenizer of each file,
    by key."""

    picked: Annotated[dict[str, str], KEYS] = field(default_factory=dict)
    files: dict[str, tuple[str, Tokenizer]] = field(default_factory=dict)
