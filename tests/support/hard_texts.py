"""Texts that are hard on tokenizers, always the same: every script, every assigned character, emoji, code,
white space, digits, contractions, control characters, normal forms, and what looks like a special token.

``hard_texts`` is the whole list; ``random_text`` joins pieces of it. Nothing is copied from anywhere: the
sentences were written for this project, the rest is generated.
"""

import random
import sys
import unicodedata
from collections.abc import Callable, Iterator
from functools import cache
from itertools import product

__all__ = [
    "CODE",
    "SENTENCES",
    "SPECIAL_LOOK_ALIKES",
    "WHITE_SPACE",
    "assigned_characters",
    "hard_texts",
    "pieces",
    "random_text",
    "some_hard_texts",
]

SEED = 20261123
#: How many characters of the list of all characters are in one text; more if they are private, which all
#: libraries treat the same.
CHUNK, PRIVATE_CHUNK = 64, 1_024
FORMS = ("NFC", "NFD", "NFKC", "NFKD")

WHITE_SPACE = (
    *" \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006",
    *"\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000",
    "\r\n",
)
#: No white space to Unicode, but some libraries remove or replace them.
INVISIBLE = "\u200b\u200c\u200d\u200e\u2060\ufeff\u00ad\u034f\u061c\u180e\u2800\u3164\ufe0f\ufffc\ufffd"

SPECIAL_LOOK_ALIKES = (
    *("<|endoftext|>", "<|endofprompt|>", "<|fim_prefix|>", "<|im_start|>", "<|im_end|>", "<|endoftext|"),
    *("<|begin_of_text|>", "<|eot_id|>", "<|start|>", "<|return|>", "<|startoftranscript|>", "<|0.00|>"),
    *("<|en|>", "<s>", "</s>", "<unk>", "<pad>", "<bos>", "<eos>", "<mask>", "<start_of_turn>", "[INST]"),
    *(
        "[/INST]",
        "[IMG]",
        "[TOOL_CALLS]",
        "[PREFIX]",
        "[REF]",
        "[REFERENCE_DOC_1]",
        "[control_8]",
        "[UNK]",
        "[CLS]",
        "[SEP]",
        "[MASK]",
    ),
    *("<EOT>", "<META>", "<META_START>", "<SOS>", "<0xE4>", "<0x0A>", "<0x00>", "▁", "▁▁", "▁a", "a▁", "Ġ"),
    *(
        "Ċ",
        "Ġthe",
        "ĠĠ",
        "##",
        "##ing",
        "</w>",
        "@@",
        "<extra_id_0>",
        "<｜begin▁of▁sentence｜>",
        "<｜User｜>",
    ),
    *(
        "<｜fim▁hole｜>",
        "<｜▁pad▁｜>",
        "<think>",
        "</think>",
        "<tool_call>",
        "<S>",
        "<ｓ>",
        "< s >",
        "⁇",
        " ⁇ ",
    ),
)

SENTENCES = (
    "The cat sat on the mat; the dog didn't mind at all.",
    "Did you know? Prices rose by 12.5% in 2024, to $1,299.00 (or £1,050)!",
    "She'd said they'll come, but we've never seen 'em… “Really?” – ‘Yes.’",
    "Die Straßenbahn fährt über die große Brücke, nicht wahr?",
    "L’élève a mangé une crêpe à l'école où l’on dort déjà.",
    "El niño pingüino soñó: ¿dónde está mañana? ¡Aquí!",
    "A avó não põe açúcar no pão de manhã.",
    "Quanto costa? Perché l'università è più lontana così.",
    "Łódź leży blisko; zażółć gęślą jaźń, proszę.",
    "Příliš žluťoučký kůň běžel po řece.",
    "Az öreg tűzoltó hűvös őszi estén ült.",
    "Şişli'de ışık İstanbul’u aydınlatır, değil mi?",
    "Rødgrød med fløde på et lille bord i Ålborg.",
    "Það er köttur í húsinu og æðarfugl á ströndinni.",
    "Tiếng Việt có nhiều dấu: ngày mai trời đẹp lắm.",
    "Кошка спит на окне, а собака её ждёт; съешь ещё булку.",
    "Щедрий господар подав ґречний обід, її м'яч упав.",
    "Η γάτα κοιμάται στο παράθυρο· ο σκύλος περιμένει. Ἐν ἀρχῇ ἦν.",
    "החתול ישן על החלון, והכלב מחכה. שָׁלוֹם!",
    "القطة تنام على النافذة، والكلب ينتظر. السَّلَامُ عَلَيْكُم؟",
    "گربه روی پنجره می‌خوابد و سگ منتظر است.",
    "بلی کھڑکی پر سوتی ہے اور کتا انتظار کرتا ہے۔",
    "बिल्ली खिड़की पर सोती है और कुत्ता इंतज़ार करता है।",
    "বিড়াল জানালায় ঘুমায় আর কুকুর অপেক্ষা করে।",
    "ਬਿੱਲੀ ਖਿੜਕੀ ਤੇ ਸੌਂਦੀ ਹੈ।",
    "બિલાડી બારી પર સૂએ છે.",
    "பூனை சன்னலில் தூங்குகிறது; நாய் காத்திருக்கிறது.",
    "పిల్లి కిటికీ మీద నిద్రపోతుంది.",
    "ಬೆಕ್ಕು ಕಿಟಕಿಯ ಮೇಲೆ ಮಲಗುತ್ತದೆ.",
    "പൂച്ച ജനാലയിൽ ഉറങ്ങുന്നു.",
    "පූසා ජනේලයේ නිදාගනී.",
    "แมวนอนบนหน้าต่าง และสุนัขรออยู่",
    "ແມວນອນຢູ່ປ່ອງຢ້ຽມ",
    "ကြောင်က ပြတင်းပေါက်မှာ အိပ်တယ်။",
    "ឆ្មាគេងនៅលើបង្អួច។",
    "ཞི་མི་སྒེའུ་ཁུང་ལ་ཉལ།",
    "კატა ფანჯარაზე ძინავს, ძაღლი ელოდება.",
    "Կատուն քնում է պատուհանին։",
    "ድመቷ መስኮቱ ላይ ትተኛለች።",
    "猫在窗台上睡觉，狗在等它。今天是2024年3月15日。",
    "貓在窗台上睡覺，狗在等牠。",
    "猫は窓で眠り、犬は待っている。カタカナとｶﾅ。「はい」！",
    "고양이는 창문에서 자고 개는 기다린다.",
    "Муур цонхон дээр унтдаг.  ᠮᠣᠩᠭᠣᠯ",
    "ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ",
    "ᐃᓄᒃᑎᑐᑦ ᐅᖃᐅᓯᖅ",
    "ߒߞߏ ߞߊ߲",
    "ⵜⴰⵎⴰⵣⵉⵖⵜ ⴷ ⵜⵓⵜⵍⴰⵢⵜ",
    "Paka analala dirishani, mbwa anasubiri.",
    "Ọ̀rọ̀ Yorùbá ní àmì ohùn.",
)

CODE = (
    'def f(x: int = 3) -> str:\n\t"""Doc\'s."""\n    return f"{x!r:>10}" if x >= 0 else None  # ok\n\n\n',
    "for (let i = 0; i < n; ++i) {\r\n  a[i] = b?.c ?? `${d}_${e}`;\r\n}\r\n",
    '#include <stdio.h>\nint main(void)\n{\n\tprintf("%d\\n", 0xFFu << 2);\n\treturn 0;\n}\n',
    'fn main() {\n    let v: Vec<&\'a str> = vec!["a"; 3];\n    println!("{:?}", v.iter().map(|s| s));\n}',
    "SELECT id, COUNT(*) AS n FROM \"t\" WHERE x != 'it''s' GROUP BY 1 HAVING n>=10;--c",
    '<div class="a b" data-x=\'{"k":[1,2.5e-3,null]}\'>&nbsp;&lt;p&gt;</div>\n<!-- -->',
    "$ git commit -m 'x' && cat *.txt | grep -E \"^[a-z]+$\" > /dev/null 2>&1 || exit 1",
    r"\begin{align*} \frac{\partial u}{\partial t} &= \alpha\nabla^2 u \\ \end{align*} % $x_i^{2}$",
    "package main\n\nfunc (s *S) Get(k string) (v int, err error) {\n\treturn s.m[k], nil\n}\n",
    "public static <T extends Comparable<? super T>> void sort(List<T> l) { l.forEach(A::b); }",
    '{"a": [1, -2.50, 3e10, true, null], "b\\u00e9": {"c": "\\n"}, "": []}\n',
    "key: value\nlist:\n  - a\n  - b: |\n      text\n    c: !!int '3'\n---\n...\n",
    'main :: IO ()\nmain = mapM_ (putStrLn . (++ "!") . show) $ filter ((== 0) . (`mod` 2)) [1..10]\n',
    "| a | b |\n|---|:-:|\n| `x` | **y** |\n\n# Title\n\n- [ ] item\n  1. sub\n\n```py\nx\n```\n",
    "@media (max-width:600px){.a>b::after{content:'\\201C';color:#FFF !important}}",
    "https://example.org/a_b/c-d.html?q=1&r=%20x#frag me@mail.example C:\\dir\\file.txt 192.168.0.1 ::1",
    "diff --git a/x b/x\n@@ -1,3 +1,4 @@\n-old\n+new\n \n",
    "=IF(A1>10,\"x\",'y'!$B$2) ; 100% ; a+++b ; x**2//3 ; !!! ??? ... ---- ==== #### ////",
)

SUFFIXES = (
    "s",
    "t",
    "re",
    "ve",
    "m",
    "ll",
    "d",
    "S",
    "T",
    "RE",
    "VE",
    "M",
    "LL",
    "D",
    "Re",
    "vE",
    "lL",
    "ſ",
    "",
)
APOSTROPHES = "'’ʼ＇`‘′"
EMOJI = (
    *(
        "😀",
        "👍🏽",
        "👩\u200d🚀",
        "👨\u200d👩\u200d👧\u200d👦",
        "🧑🏿\u200d🤝\u200d🧑🏻",
        "❤️",
        "❤",
        "☺️",
        "🏳️\u200d🌈",
        "🏴\u200d☠️",
    ),
    *(
        "1️⃣",
        "#️⃣",
        "*⃣",
        "🇩🇪",
        "🇯🇵🇺🇸",
        "🇽",
        "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
        "👁️\u200d🗨️",
        "🫠",
        "🤷🏻\u200d♀️",
        "⚡",
        "©️",
        "™",
        "ℹ️",
        "㊗️",
        "🔟",
        "🥲",
        "🧿",
    ),
    *("🏃🏾\u200d♂️\u200d➡️", "🐻\u200d❄️", "🐈\u200d⬛", "😶\u200d🌫️", "\u200d", "️", "🏻", "⃣"),
)
#: Characters that a compatibility form changes, and letters in parts.
SENSITIVE = (
    *"ﬁﬂﬃﬆﬀŉĳǆǅẛſ½⅓⑩①㊀㋿㍿㎏℡™№ℌΩKÅ²₃ªº…‥｡｢ﾞﾟ￥＄ＡｂＣ１２！　ﷺﷲﻻﷴﺍﺎﭐﻼﹰﹶאָשׁיִךְ゛ﾊﾟﾎﾞ",
    *(
        "각",
        "\u1100\u1161\u11a8",
        "\u1100\u1161",
        "가\u11a8",
        "\u1112\u119e\u11ab",
        "ㄱㅏㄱ",
        "ﾡﾢ",
        "Å",
        "A\u030a",
        "\u212b",
    ),
    *(
        "é",
        "e\u0301",
        "ệ",
        "e\u0323\u0302",
        "e\u0302\u0323",
        "q\u0307\u0323",
        "q\u0323\u0307",
        "\u0344",
        "\u0308\u0301",
    ),
    *(
        "ö\u0304",
        "ȫ",
        "ǭ",
        "\u0f71\u0f72",
        "\u0f73",
        "क\u093c",
        "\u0958",
        "ড়",
        "ো",
        "\u09c7\u09be",
        "が",
        "か\u3099",
        "ぱ",
    ),
    *(
        "İ",
        "i\u0307",
        "ı",
        "I",
        "ẞ",
        "ß",
        "ΣΑΣ",
        "ς",
        "ﬓ",
        "Ǆ",
        "ŉ",
        "ΐ",
        "\u2126",
        "豈",
        "兀",
        "𝐀𝑏𝟗",
        "𝔘",
        "\u0340\u0341",
    ),
    *(
        "…",
        "《",
        "﹏",
        "︰",
        "\ufdfa",
        "\u3300",
        "\u33ff",
        "⼀",
        "⺟",
        "㌔",
        "ｶﾞ",
        "ヷ",
        "\U0001f100",
        "🄰",
        "\U0002f800",
    ),
)
WORDS = (
    "cat",
    "don",
    "WE",
    "I",
    "l",
    "Straße",
    "日本",
    "ка",
    "x1",
    "été",
    "हि",
    "a_b",
    "東京",
    "9",
    "naïve",
    "İ",
    "no",
)


@cache
def assigned_characters() -> str:
    """Every assigned character in order of its number, private ones included; no surrogates."""
    return "".join(
        c for c in map(chr, range(sys.maxunicode + 1)) if unicodedata.category(c) not in ("Cn", "Cs")
    )


@cache
def hard_texts() -> tuple[str, ...]:
    """All texts, each once, with the empty one; the same in every run on one Python."""
    kinds: tuple[Callable[[random.Random], Iterator[str]], ...] = (
        *(_short, _sentences, _scripts, _emoji, _code, _white_space, _digits, _contractions, _control),
        *(_normal_forms, _look_alikes, _long_words, _every_character, _between, _mixed),
    )
    found: dict[str, None] = {}
    for number, kind in enumerate(kinds):
        found |= dict.fromkeys(kind(random.Random(SEED + number)))
    return tuple(found)


def some_hard_texts() -> tuple[str, ...]:
    """Some 500 of the hard texts, of every kind."""
    return hard_texts()[::25]


@cache
def pieces() -> tuple[str, ...]:
    """Short pieces of every kind, for random concatenations."""
    words = [word for sentence in SENTENCES for word in sentence.split()]
    tokens = [token for code in CODE for token in code.split(" ")]
    endings = [a + s for a, s in product("'’", SUFFIXES)]
    several = [
        "  ",
        "   ",
        "\n\n",
        " \n",
        "\t\t",
        "\r\n\r\n",
        "\u3000\u3000",
        "007",
        "12345678",
        "3.14",
        "٣٤",
        "१२३",
        "Ⅷ",
    ]
    control = [chr(code) for code in (*range(32), *range(0x7F, 0xA0))]
    every = [*SPECIAL_LOOK_ALIKES, *WHITE_SPACE, *INVISIBLE, *words, *tokens, *endings, *several]
    return tuple(
        dict.fromkeys([*every, *EMOJI, *SENSITIVE, *WORDS, *control, *"abcXYZ.,;:!?-_/\\()[]{}#$%&*+<=>@^|~"])
    )


def random_text(rng: random.Random, most: int = 10) -> str:
    """Up to ``most`` pieces joined; in one text of four with any assigned characters between them."""
    chosen = rng.choices(pieces(), k=rng.randint(0, most))
    if rng.random() < 0.25:
        chosen = [piece + rng.choice(assigned_characters()) for piece in chosen]
    return "".join(chosen)


# --- the kinds -----------------------------------------------------------------------------------------


def _short(rng: random.Random) -> Iterator[str]:
    yield ""
    yield from map(chr, range(128))
    yield from (a + b for a, b in product("aA1 .\n'_", repeat=2))
    yield from (" " + c + " " for c in map(chr, range(256)))


def _sentences(rng: random.Random) -> Iterator[str]:
    for sentence in SENTENCES:
        yield from (sentence, sentence.upper(), sentence.lower(), sentence.title(), sentence[::-1])
        yield from (unicodedata.normalize(form, sentence) for form in FORMS)
        yield from (" " + sentence, sentence + "\n", sentence.replace(" ", "  "), sentence.replace(" ", ""))
    for _ in range(150):
        yield rng.choice((" ", "\n", "", "\r\n", "\t")).join(rng.sample(SENTENCES, 2))


def _scripts(rng: random.Random) -> Iterator[str]:
    """Random words in every script: letters, marks and digits."""
    for letters in _letters_by_script().values():
        for _ in range(4):
            words = ["".join(rng.choices(letters, k=rng.randint(1, 8))) for _ in range(rng.randint(1, 5))]
            yield rng.choice((" ", " ", ", ", "\n", "-", "1", "a")).join(words)


def _letters_by_script() -> dict[str, list[str]]:
    """Letters, marks and digits by the first word of their name, which is mostly that of the script."""
    scripts: dict[str, list[str]] = {}
    for c in assigned_characters():
        name = unicodedata.name(c, "").replace("CJK COMPATIBILITY", "COMPATIBILITY").split()
        if name and unicodedata.category(c)[0] in "LMN":
            two_words = name[0] in (
                "OLD",
                "NEW",
                "LINEAR",
                "TAI",
                "MEETEI",
                "CANADIAN",
                "INSCRIPTIONAL",
                "MASARAM",
            )
            scripts.setdefault(" ".join(name[: 1 + two_words]), []).append(c)
    return scripts


def _emoji(rng: random.Random) -> Iterator[str]:
    faces = [chr(code) for code in (*range(0x1F600, 0x1F650), *range(0x1F900, 0x1FA00))]
    people = [chr(code) for code in (*range(0x1F466, 0x1F47A), *range(0x1F9D1, 0x1F9DE))]
    tones = ["", *map(chr, range(0x1F3FB, 0x1F400))]
    yield from EMOJI
    yield from (f"a{e}b {e} {e}{e}!" for e in EMOJI)
    for _ in range(120):
        joined = "\u200d".join(rng.choice(people) + rng.choice(tones) for _ in range(rng.randint(2, 4)))
        yield joined + rng.choice(("", "\u200d♀️", " ok", "!"))
        yield "".join(chr(0x1F1E6 + rng.randrange(26)) for _ in range(rng.randint(1, 5)))
        yield rng.choice("0123456789#*") + rng.choice(("️⃣", "⃣", "️")) + rng.choice(("", "1", " "))
        yield rng.choice(WORDS) + rng.choice(("", " ")) + "".join(rng.choices(faces, k=rng.randint(1, 6)))


def _code(rng: random.Random) -> Iterator[str]:
    for code in CODE:
        yield from (
            code,
            code.replace("\n", "\r\n"),
            code.replace("    ", "\t"),
            code.replace("\t", "        "),
        )
        yield from ("    " + line for line in code.splitlines(keepends=True))
        for _ in range(20):
            start = rng.randrange(len(code))
            yield code[start : start + rng.randint(3, 60)]


def _white_space(rng: random.Random) -> Iterator[str]:
    for space in (*WHITE_SPACE, *INVISIBLE):
        yield from (space * n for n in (1, 2, 3, 8))
        yield from (
            f"a{space}b",
            f"a {space} b",
            f"{space}a{space}",
            f"a{space}{space}\n1",
            f".{space}'s{space}x",
        )
    yield from (
        " " * n + end for n, end in product((4, 5, 7, 16, 31, 80, 81, 300), ("", "x", "\n", "\nx", "."))
    )
    yield from ("\n" * n + end for n, end in product((2, 3, 4, 5, 17), ("", "x", " x", "\t")))
    for _ in range(500):
        parts = [rng.choice(("", "a", "b.", "12", "日", "'s", "!", "é")) for _ in range(rng.randint(1, 5))]
        yield "".join(
            p + "".join(rng.choices((*WHITE_SPACE, " ", " ", "\n"), k=rng.randint(0, 5))) for p in parts
        )


def _digits(rng: random.Random) -> Iterator[str]:
    numbers = [c for c in assigned_characters() if unicodedata.category(c)[0] == "N"]
    by_zero = [c for c in numbers if unicodedata.category(c) == "Nd" and unicodedata.digit(c) == 0]
    for zero in by_zero:
        digits = [chr(ord(zero) + i) for i in range(10)]
        yield from ("".join(rng.choices(digits, k=k)) for k in (2, 4, 7))
        yield f"x{digits[1]}{digits[2]}.{digits[3]} {digits[4]}a"
    yield from ("1" * n for n in range(1, 41))
    yield from (
        "a" + "1234567890" * 3,
        "1,234,567.89",
        "-0.5e-10",
        "0x1F",
        "1st 2nd 3rd",
        "12:30:59",
        "2024-03-15",
        "½⅓²",
    )
    for _ in range(250):
        yield "".join(rng.choices("0123456789", k=rng.randint(1, 25))) + rng.choice(
            ("", "%", " ", "a", ".5", ",000")
        )
        yield "".join(rng.choices(numbers, k=rng.randint(1, 6))) + rng.choice(("", "a", " 1"))


def _contractions(rng: random.Random) -> Iterator[str]:
    for apostrophe, suffix in product(APOSTROPHES, SUFFIXES):
        yield from (
            f"{rng.choice(WORDS)}{apostrophe}{suffix}",
            f"I{apostrophe}{suffix} a",
            f"{apostrophe}{suffix}x",
        )
        yield f"{rng.choice(WORDS)} {apostrophe}{suffix}{rng.choice(('', ' ', '1', apostrophe, '.'))}"
    for _ in range(150):
        yield "".join(rng.choice(WORDS) + rng.choice(APOSTROPHES) + rng.choice(SUFFIXES) for _ in range(3))


def _control(rng: random.Random) -> Iterator[str]:
    for c in (*map(chr, (*range(32), *range(0x7F, 0xA0))), *INVISIBLE):
        yield from (c, c + c, f"a{c}b", f" {c} ", f"{c}a", f"1{c}2", f".{c}\n")
    yield from (
        "\x00" * 9,
        "a\x00b\x00",
        "\x00\n\x00",
        "\x1b[31mred\x1b[0m",
        "\ufeffa",
        "a\ufffe",
        "\uffff",
        "\U0010ffff",
    )


def _normal_forms(rng: random.Random) -> Iterator[str]:
    for text in SENSITIVE:
        yield from (
            text,
            f"a{text}b {text} {text}{text}",
            f"{text}\u0301",
            *(unicodedata.normalize(f, text) for f in FORMS),
        )
    changed = [
        c for c in assigned_characters() if unicodedata.normalize("NFKD", c) != c and not "가" <= c <= "힣"
    ]
    marks = [c for c in assigned_characters() if unicodedata.combining(c)]
    for _ in range(300):
        yield "".join(rng.choices(changed, k=4)) + " " + rng.choice(changed) + rng.choice(WORDS)
        yield (
            rng.choice("aeioqAEкक日 1")
            + "".join(rng.choices(marks, k=rng.randint(1, 4)))
            + rng.choice(("", "b", " c"))
        )
        hangul = "".join(chr(rng.randrange(0xAC00, 0xD7A4)) for _ in range(3))
        yield unicodedata.normalize(rng.choice(FORMS), hangul + rng.choice(marks) + rng.choice(hangul))


def _look_alikes(rng: random.Random) -> Iterator[str]:
    for token in SPECIAL_LOOK_ALIKES:
        yield from (
            token,
            f" {token}",
            f"{token} ",
            f" {token} ",
            f"a{token}b",
            f"a {token} b",
            token * 2,
            f"{token}\n{token}",
        )
        yield from (token[:-1], token[1:], token.upper(), token.lower(), f"  {token}  x", f"{token}'s")
    for _ in range(150):
        yield rng.choice(("", " ", "\n", "x")).join(
            rng.choices((*SPECIAL_LOOK_ALIKES, *WORDS), k=rng.randint(2, 5))
        )


def _long_words(rng: random.Random) -> Iterator[str]:
    letters = _letters_by_script()
    yield from (
        unit * n
        for unit, n in product(
            ("a", "ab", "A", "日", "ก", "é", "-", "=", ".", "🙂", "0", "_"), (30, 100, 400)
        )
    )
    for _ in range(30):
        yield "".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=rng.randint(40, 300)))
        yield "".join(rng.choices("ABCDEFabcdef0123456789+/=", k=rng.randint(40, 300)))
        yield "".join(
            rng.choices(letters[rng.choice(("THAI", "CJK", "HANGUL", "ARABIC", "DEVANAGARI"))], k=120)
        )
    yield "x" * 3000
    yield "the quick brown fox " * 50


def _every_character(rng: random.Random) -> Iterator[str]:
    """Every assigned character once, in the order of their numbers."""
    private = [c for c in assigned_characters() if unicodedata.category(c) == "Co"]
    public = [c for c in assigned_characters() if unicodedata.category(c) != "Co"]
    yield from _chunks(private, PRIVATE_CHUNK)
    yield from _chunks(public, CHUNK)


def _chunks(characters: list[str], size: int) -> Iterator[str]:
    for start in range(0, len(characters), size):
        yield "".join(characters[start : start + size])


def _between(rng: random.Random) -> Iterator[str]:
    """A sample of all characters between letters, between spaces, and in front of a mark or a line end."""
    public = [c for c in assigned_characters() if unicodedata.category(c) != "Co"]
    letters = [c for c in public if not ("\u3400" <= c <= "\u9fff" or "가" <= c <= "힣" or c >= "\U00017000")]
    for _ in range(350):
        yield "".join(f"a{c}b" for c in rng.choices(public, k=6))
        yield "".join(f"a{c}b" for c in rng.choices(letters, k=6))
        yield "".join(f" {c} " for c in rng.choices(letters, k=6))
        yield "".join(f"{c}\u0301 {c}\n" for c in rng.choices(letters, k=3))


def _mixed(rng: random.Random) -> Iterator[str]:
    for _ in range(800):
        yield random_text(rng)
