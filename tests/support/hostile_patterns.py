"""Split patterns that take too much memory or time, to compile or to search."""

__all__ = ["HOSTILE_PATTERNS"]


def nested(opens: str, closes: str, depth: int = 20, inside: str = "a") -> str:
    """opens opens a closes closes"""
    return opens * depth + inside + closes * depth


HOSTILE_PATTERNS = [
    *(
        nested("(", f"){times}")
        for times in ("+", "+?", "++", "*", "*?", "?", "{1,}", "{1,2}", "{2,}", "{2}")
    ),
    *(nested(opens, ")+") for opens in ("(?:", "(?>", "(?=", "(?<=", "(?i:", "(?|", "(?!")),
    nested("(", ")+", 18),
    nested("(", ")+", 120),
    nested("(?x: (", ") + )"),  # white space that an estimate takes for what is repeated
    nested("(?x:(", ")#\n+)"),
    nested("(", ")+(?#)"),
    nested("(?:b|", ")+"),
    nested("(?P<x{}>", ")+").format(*range(20)),
    nested("(", ")+{e<=1}"),
    nested("(", ")", 240),
    "(?x)" + nested("(?:", "){ 9 9 }", 6),
    "(?x)(?:ab){ 1 0 0 0 0 0 0 }",
    "(?:ab){99999999}",
    "a{9999999,}",
    "a{2147483647}",
    "a{4294967296}",
    "(?:.{200}){200}|.",
    "(?R)|.",
    "(?P<x>(?&x))|.",
    "((?1))|.",
    "(?(DEFINE)(?<x>a(?&x)))(?&x)",
    "(?i)[" + "".join(chr(0x100 + 2 * i) for i in range(480)) + "]+|.",
    "(?i)[\x00-\U0010ffff]+|.",
    r"(?V1)[\w--[a-z]&&[\p{L}||\p{N}]~~\d]+|.",
    "(?V1)" + nested("[", "]", 200),
    r"\L<names>|.",
    "(?b)(?:abcdefghijklmnop){e<=12}|.",
    "(?e)(?:a.*b.*c){e<=5}|.",
    r"(a|aa)+$",
    r"(?:(a)|(b)|(.))+",
    "()" * 100 + "(?:" + "(.)?" * 60 + ")+",
    r"(.*)\1(.*)\2\b|.",
    r"(?:a?){300}a{300}|.",
    "(?:(?:(?:(?:a*)*)*)*)*b|.",
    "(?r)(a|aa)+^b|.",
    r"\X+b|.",
    "(?" * 200,
    "[" * 400,
    "\\" * 399,
    "(?P<a>.)(?P<a",
    "(?L)é|.",
    "a\x00\ud800+|.",
]
