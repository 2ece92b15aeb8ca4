"""Numbers in sentences."""

__all__ = ["how_often"]


def how_often(count: int) -> str:
    """How often something occurs, for a sentence: "once", "1,234 times"."""
    return "once" if count == 1 else f"{count:,} times"
