"""Numbers and values in sentences: "1 merge", "once", "3 min 5 s"."""

__all__ = ["ago", "counted", "duration", "how_often", "in_short", "size"]


def counted(number: int, one: str, several: str = "") -> str:
    """Return a number of things: "1 merge", "1,234 merges", "2 boundaries"."""
    return f"1 {one}" if number == 1 else f"{number:,} {several or one + 's'}"


def how_often(count: int, *, zero: str = "0 times") -> str:
    """Return how often something occurs: "once", "1,234 times"; ``zero`` if it doesn't."""
    return {0: zero, 1: "once"}.get(count, f"{count:,} times")


def duration(seconds: float) -> str:
    """Return a time: "12 s", "3 min 5 s", "1 h 2 min"."""
    minutes, whole = divmod(round(seconds), 60)
    if minutes >= 60:
        return f"{minutes // 60:,} h {minutes % 60} min"
    return f"{minutes} min {whole} s" if minutes else f"{whole} s"


def ago(seconds: float) -> str:
    """Return how long ago something was: "just now", "1 minute ago", "3 hours ago", "12 days ago"."""
    for unit, length in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if seconds >= length:
            return f"{counted(int(seconds // length), unit)} ago"
    return "just now"


def size(byte_total: int) -> str:
    """Return the size of a file: "12.0 kB", "8.0 MB", "1,024 MB"."""
    if byte_total < 100_000:
        return f"{byte_total / 1e3:,.1f} kB"
    return f"{byte_total / 1e6:,.1f} MB" if byte_total < 100_000_000 else f"{byte_total / 1e6:,.0f} MB"


def in_short(value: object, limit: int = 60) -> str:
    """Return ``value`` in at most ``limit`` characters, on one line."""
    try:
        shown = " ".join(str(value).split())
    except ValueError:  # Python writes no number of more than some thousand digits
        return "…"
    return shown if len(shown) <= limit else f"{shown[:limit]}…"
