"""Unicode scripts: the script of each character of a text, by the Script property.

    "the 灯台"  ->  Latin Latin Latin Common Han Han

The tables are those of the regex package. A character without a known script, or of a script newer than the
names below, is Unknown. Script extensions and languages are ignored: Han is Han in any language.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt
import regex

__all__ = ["COMMON", "INHERITED", "SCRIPTS", "UNKNOWN", "scripts_of"]

#: The names of the Unicode Character Database; the most common ones first, so that they are found soonest.
_LISTED = """
    Latin Han Hiragana Katakana Cyrillic Arabic Devanagari Hangul Greek Hebrew Thai Bengali Tamil Telugu
    Armenian Georgian Gujarati Gurmukhi Kannada Malayalam Oriya Sinhala Lao Tibetan Myanmar Khmer Ethiopic
    Mongolian Adlam Ahom Anatolian_Hieroglyphs Avestan Balinese Bamum Bassa_Vah Batak Bhaiksuki Bopomofo
    Brahmi Braille Buginese Buhid Canadian_Aboriginal Carian Caucasian_Albanian Chakma Cham Cherokee
    Chorasmian Coptic Cuneiform Cypriot Cypro_Minoan Deseret Dives_Akuru Dogra Duployan Egyptian_Hieroglyphs
    Elbasan Elymaic Garay Glagolitic Gothic Grantha Gunjala_Gondi Gurung_Khema Hanifi_Rohingya Hanunoo Hatran
    Imperial_Aramaic Inscriptional_Pahlavi Inscriptional_Parthian Javanese Kaithi Kawi Kayah_Li Kharoshthi
    Khitan_Small_Script Khojki Khudawadi Kirat_Rai Lepcha Limbu Linear_A Linear_B Lisu Lycian Lydian Mahajani
    Makasar Mandaic Manichaean Marchen Masaram_Gondi Medefaidrin Meetei_Mayek Mende_Kikakui Meroitic_Cursive
    Meroitic_Hieroglyphs Miao Modi Mro Multani Nabataean Nag_Mundari Nandinagari New_Tai_Lue Newa Nko Nushu
    Nyiakeng_Puachue_Hmong Ogham Ol_Chiki Ol_Onal Old_Hungarian Old_Italic Old_North_Arabian Old_Permic
    Old_Persian Old_Sogdian Old_South_Arabian Old_Turkic Old_Uyghur Osage Osmanya Pahawh_Hmong Palmyrene
    Pau_Cin_Hau Phags_Pa Phoenician Psalter_Pahlavi Rejang Runic Samaritan Saurashtra Sharada Shavian Siddham
    SignWriting Sogdian Sora_Sompeng Soyombo Sundanese Sunuwar Syloti_Nagri Syriac Tagalog Tagbanwa Tai_Le
    Tai_Tham Tai_Viet Takri Tangsa Tangut Thaana Tifinagh Tirhuta Todhri Toto Tulu_Tigalari Ugaritic Vai
    Vithkuqi Wancho Warang_Citi Yezidi Yi Zanabazar_Square
"""
_NAMES = _LISTED.split()

CODE_POINTS: Final = 0x110000
COMMON: Final = 0
INHERITED: Final = 1
UNKNOWN: Final = 2
#: The name of every script by its number.
SCRIPTS: Sequence[str] = ("Common", "Inherited", "Unknown", *(name.replace("_", " ") for name in _NAMES))


def scripts_of(code_points: npt.NDArray[np.uint32]) -> npt.NDArray[np.int16]:
    """Return the script of each character, as its place in SCRIPTS; each distinct one is looked up once."""
    occurs = np.zeros(CODE_POINTS, np.bool_)
    occurs[code_points] = True
    distinct = np.flatnonzero(occurs)
    found = np.full(len(distinct), UNKNOWN, np.int16)
    characters = distinct.astype("<u4").tobytes().decode("utf-32-le")
    for match in _one_script().finditer(characters, concurrent=False):
        # group 1 is Common, SCRIPTS[0]; group 2 is Inherited; then those of _NAMES, as Unknown has none
        group = match.lastindex or 0
        found[match.start() : match.end()] = group - 1 if group <= UNKNOWN else group
    script_of = np.empty(CODE_POINTS, np.int16)
    script_of[distinct] = found
    scripts: npt.NDArray[np.int16] = script_of[code_points]
    return scripts


@lru_cache(maxsize=1)
def _one_script() -> regex.Pattern[str]:
    """Return a pattern for a run of characters of one script; the number of the matching group is the
    script."""
    return regex.compile("|".join(rf"(\p{{Script={name}}}+)" for name in ("Common", "Inherited", *_NAMES)))
