"""The audit as one HTML file, which needs no JavaScript: each figure opens its first tokens.

A token's text is data: every character that comes from a vocabulary, a text or a file's name is escaped.
"""

from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

from bpeviz.analysis.word_changes import WordChange, cut_in_words
from bpeviz.audit.audit import FINDINGS, VocabularyAudit
from bpeviz.audit.token_detail import TextPlaces, TokenDetail, TokenDetails
from bpeviz.text.token_text import visible
from bpeviz.tokenizer.tokenizer import Tokenizer
from bpeviz.words import counted

__all__ = ["audit_html"]

#: How many tokens of each finding, and how many words, the report lists.
MOST_LISTED, MOST_WORDS = 60, 40
WORD_BYTES = 60
_STYLE = Path(__file__).with_suffix(".css")


def audit_html(
    audit: VocabularyAudit,
    tokenizer: Tokenizer,
    name: str,
    *,
    text: str | None = None,
    against: tuple[str, Tokenizer] | None = None,
) -> str:
    """Return the report on the vocabulary called ``name``. ``text`` is the one that the audit counted;
    ``against`` the earlier vocabulary and its name."""
    details = TokenDetails(tokenizer, audit.uses, TextPlaces(tokenizer, text) if text else None)
    earlier = TokenDetails(against[1]) if against else None
    parts = [
        "<!doctype html>",
        f'<html lang="en"><head><meta charset="utf-8"><title>{escape(f"Audit of {name}")}</title>',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<style>{_STYLE.read_text('utf-8')}</style></head><body>",
        f"<h1>{escape(f'Audit of {name}')}</h1>",
        f"<p>{escape(_summary(audit, text, against))}</p>",
        *_findings(audit, details, earlier),
        *(_words(audit, name, against[0]) if against else ()),
        '<p class="quiet">Made by bpeviz. Its docs/metrics.md defines each finding and names its source.</p>',
        "</body></html>",
    ]
    return "\n".join(parts) + "\n"


def _summary(audit: VocabularyAudit, text: str | None, against: tuple[str, Tokenizer] | None) -> str:
    said = [f"{counted(audit.token_total, 'token')}, {counted(audit.families, 'word')} in several spellings."]
    if text is not None and audit.uses is not None:
        size = counted(len(text.encode("utf-8")), "byte")
        said.append(f"Uses are counted in a text of {size}: {counted(audit.uses.token_total, 'token')}.")
    if against and audit.difference:
        earlier, now = audit.difference.shares
        said.append(
            f"Compared with {against[0]}: {counted(audit.difference.common, 'token')} in common, "
            f"{earlier:.1%} of its tokens and {now:.1%} of those here. The second number is its own."
        )
    return " ".join(said)


def _findings(audit: VocabularyAudit, details: TokenDetails, earlier: TokenDetails | None) -> Iterator[str]:
    yield "<h2>Findings</h2>"
    for name, count in audit.figures.items():
        finding = FINDINGS[name]
        there = audit.against.figures.get(name) if audit.against else None
        second = "" if audit.against is None else f"<span>{'' if there is None else f'{there:,}'}</span>"
        yield f'<details id="{name}"><summary><b>{finding.title}</b><span>{count:,}</span>{second}</summary>'
        yield f"<p>{escape(finding.means)}</p>"
        # a removed token is one of the earlier vocabulary
        source = earlier if name == "removed" and earlier else details
        if count:
            yield from _tokens(list(source.of(audit.ids[name][:MOST_LISTED].tolist())), count)
        yield "</details>"


def _tokens(listed: Sequence[TokenDetail], count: int) -> Iterator[str]:
    with_uses = listed[0].uses is not None
    heads = ["id", "token", "made of", *(("uses", "steps") if with_uses else ()), "a text that has it"]
    if with_uses:
        heads.append("places in the text")
    yield "<table><tr>" + "".join(f"<th>{head}</th>" for head in heads) + "</tr>"
    for each in listed:
        cells = [
            f'<td class="n">{each.token_id}</td>',
            *(f"<td><code>{escape(part)}</code></td>" for part in (each.text, each.tree)),
            *(f'<td class="n">{number:,}</td>' for number in (each.uses, each.steps) if number is not None),
            f"<td>{escape(each.reach)}</td>",
        ]
        if with_uses:
            cells.append(f"<td>{_places(each)}</td>")
        yield "<tr>" + "".join(cells) + "</tr>"
    yield "</table>"
    if count > len(listed):
        yield f'<p class="quiet">The first {len(listed):,} of {count:,}.</p>'


def _places(token: TokenDetail) -> str:
    return "<br>".join(
        f"<code>{escape(place.before)}<mark>{escape(place.token)}</mark>{escape(place.after)}</code>"
        for place in token.places
    )


def _words(audit: VocabularyAudit, name: str, earlier: str) -> Iterator[str]:
    if audit.difference is None or audit.difference.words is None:
        return
    words = audit.difference.words
    yield "<h2>Words whose numbers of tokens change most</h2>"
    said = f"{counted(words.a, 'token')} by {earlier}, {counted(words.b, 'token')} by {name}."
    yield f"<p>{escape(said)}</p>"
    if not words.words:
        return
    yield "<table><tr>" + "".join(
        f"<th>{head}</th>" for head in ("word", "times", "before", "after", "change")
    )
    yield "</tr>"
    yield from map(_word, words.words[:MOST_WORDS])
    yield "</table>"


def _word(each: WordChange) -> str:
    return (
        f"<tr><td><code>{escape(visible(each.word.encode(), WORD_BYTES))}</code></td>"
        f'<td class="n">{each.count:,}</td>'
        f"<td><code>{escape(cut_in_words(each.cut_a))}</code></td>"
        f"<td><code>{escape(cut_in_words(each.cut_b))}</code></td>"
        f'<td class="n">{each.change:+,}</td></tr>'
    )
