"""Errors of lessons."""

from bpeviz.base_error import BpevizError

__all__ = ["LessonError"]


class LessonError(BpevizError):
    """A lesson ``file`` with a mistake in ``field``; ``why`` is a sentence with the remedy."""

    def __init__(self, file: str, field: str, why: str) -> None:
        super().__init__(f"Lesson {file}, {field}: {why}")
        self.file = file
        self.field = field
        self.why = why
