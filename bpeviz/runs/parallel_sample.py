"""The parallel sample: the same 12 sentences in many languages, to see what each language costs.

Written and translated for this project. Each language has a file in ``sample_texts/parallel``, a sentence a
line.
"""

from dataclasses import dataclass
from functools import cache

from bpeviz.app_folder import APP_FOLDER

__all__ = ["LANGUAGES", "Language", "parallel_sentences"]

_FOLDER = APP_FOLDER / "sample_texts" / "parallel"


@dataclass(frozen=True)
class Language:
    """A language of the sample: its BCP 47 ``code``, its English ``name``, and its ``script``.

    The script is a value of Unicode's Script property, or Japanese for Han, Hiragana and Katakana together.
    """

    code: str
    name: str
    script: str


LANGUAGES: dict[str, Language] = {
    code: Language(code, name, script)
    for code, name, script in (
        ("en", "English", "Latin"),
        ("de", "German", "Latin"),
        ("nl", "Dutch", "Latin"),
        ("sv", "Swedish", "Latin"),
        ("fr", "French", "Latin"),
        ("es", "Spanish", "Latin"),
        ("pt", "Portuguese", "Latin"),
        ("it", "Italian", "Latin"),
        ("pl", "Polish", "Latin"),
        ("cs", "Czech", "Latin"),
        ("hu", "Hungarian", "Latin"),
        ("fi", "Finnish", "Latin"),
        ("tr", "Turkish", "Latin"),
        ("vi", "Vietnamese", "Latin"),
        ("id", "Indonesian", "Latin"),
        ("sw", "Swahili", "Latin"),
        ("ru", "Russian", "Cyrillic"),
        ("uk", "Ukrainian", "Cyrillic"),
        ("el", "Greek", "Greek"),
        ("ka", "Georgian", "Georgian"),
        ("hy", "Armenian", "Armenian"),
        ("he", "Hebrew", "Hebrew"),
        ("ar", "Arabic", "Arabic"),
        ("fa", "Persian", "Arabic"),
        ("ur", "Urdu", "Arabic"),
        ("am", "Amharic", "Ethiopic"),
        ("hi", "Hindi", "Devanagari"),
        ("mr", "Marathi", "Devanagari"),
        ("bn", "Bengali", "Bengali"),
        ("gu", "Gujarati", "Gujarati"),
        ("ta", "Tamil", "Tamil"),
        ("te", "Telugu", "Telugu"),
        ("th", "Thai", "Thai"),
        ("zh", "Chinese", "Han"),
        ("ja", "Japanese", "Japanese"),
        ("ko", "Korean", "Hangul"),
    )
}


@cache
def parallel_sentences(code: str) -> tuple[str, ...]:
    """Return the sentences in the language with a ``code`` of LANGUAGES, in the same order for every
    language."""
    return tuple((_FOLDER / f"{LANGUAGES[code].code}.txt").read_text("utf-8").splitlines())
