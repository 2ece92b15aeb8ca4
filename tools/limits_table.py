"""The table of docs/serving.md: ``python -m tools.limits_table`` prints it."""

from collections.abc import Iterable
from dataclasses import fields

from bpeviz.limits import HOSTED, Limits, Unit, read_limits

__all__ = ["limits_table"]


def limits_table() -> str:
    """Every limit of the page as a Markdown table, for one's own machine and for a hosted server."""
    rows = [
        (f.metadata["label"], *(_written(getattr(each, f.name), f.metadata["unit"]) for each in _both()))
        for f in fields(Limits)
    ]
    return _table(("limit", "on one's own machine", "hosted"), rows)


def _both() -> tuple[Limits, Limits]:
    return read_limits({}), read_limits({HOSTED: "1"})


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, ("---",) * len(head), *rows))


def _written(value: float, unit: Unit) -> str:
    """Write a value with its unit: 2000000 bytes -> "2 MB", 16777216 bytes -> "16 MiB"."""
    match unit:
        case "yes or no":
            return "yes" if value else "no"
        case "count":
            return f"{value:,}"
        case "share":
            return f"{value:.0%}"
        case "bytes":
            return _bytes_written(int(value))
        case _:
            return f"{value:,.15g} {unit.removesuffix('s') if value == 1 else unit}"


def _bytes_written(value: int) -> str:
    if value % 2**20 == 0:
        return f"{value // 2**20:,} MiB"
    if value % 1_000_000 == 0:
        return f"{value // 1_000_000:,} MB"
    return f"{value // 1_000:,} kB" if value % 1_000 == 0 else f"{value:,} bytes"


if __name__ == "__main__":
    print(limits_table())
