"""Which files the documentation site has: a hook of MkDocs, named in mkdocs.yml.

The site has the layout of the repository: README.md is its first page, docs/page.md is at docs/page/. So a
link from one file to another leads to the same file on GitHub and here, and no link is rewritten. A file that
a page links must be in ``docs`` or in ``OUTSIDE``; the strict build finds the others.
"""

import os
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

OUTSIDE = (
    "README.md",
    "CHANGELOG.md",
    "CODE_OF_CONDUCT.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "LICENSE",
    "benchmarks/RESULTS.md",
    "bpeviz/ui/icon.svg",
)
#: What a browser would fetch from another server as a page opens.
FETCHED = re.compile(
    r"<(?:script|img|iframe|source)\b[^>]*\bsrc=.?https?://[^\s>]*|"
    r"<link\b[^>]*\brel=.?(?:stylesheet|icon|preconnect)[^>]*\bhref=.?https?://[^\s>]*"
)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Link the repository, whose address only the workflow that publishes the site knows."""
    if repository := os.environ.get("BPEVIZ_REPOSITORY"):
        link = {"icon": "fontawesome/brands/github", "name": "The source on GitHub", "link": repository}
        config.extra["social"] = [link]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Put the files of ``docs`` where the repository has them, and those of ``OUTSIDE`` beside them."""
    root = Path(config.docs_dir).parent
    in_docs = [file for file in files if file.src_dir == config.docs_dir]
    for file in in_docs:
        files.remove(file)
    for path in (*(f"docs/{file.src_uri}" for file in in_docs), *OUTSIDE):
        # A server sends a file without an ending as a download.
        shown_as = None if Path(path).suffix else f"{path}.txt"
        files.append(File(path, str(root), config.site_dir, config.use_directory_urls, dest_uri=shown_as))
    return files


def on_post_page(output: str, page: Page, **_: object) -> str:
    """Refuse a page that would load something from another server."""
    if found := FETCHED.search(output):
        raise PluginError(f"{page.file.src_uri} loads {found[0]}. Put that file into docs.")
    return output
