"""What the server was started with: its names, the sites that may frame its page, and corpus files.

A browser never names a path. It can only choose among these files, by their numbers."""

import ipaddress
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from bpeviz.corpus.corpus_files import CorpusFiles
from bpeviz.errors import ServerSettingError
from bpeviz.words import in_short

__all__ = ["FRAMES", "HOSTS", "Hosting", "host_name", "hosting", "read_hosting", "start_with", "started_with"]

#: The environment variables.
HOSTS, FRAMES = "BPEVIZ_HOSTS", "BPEVIZ_FRAMES"

_NAME = r"(\*\.)?[a-z0-9_]([a-z0-9_-]*[a-z0-9])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9])?)*"
_HOST = re.compile(_NAME)
_HEADER = re.compile(r"(\[(?P<numbers>[0-9a-f:.]+)\]|(?P<name>[a-z0-9_.-]+))(:[0-9]*)?")
_SITE = re.compile(rf"\*|https?://{_NAME}(:[0-9]{{1,5}})?")


@dataclass(frozen=True)
class Hosting:
    """How the server is reached. ``Hosting()`` is for your own machine.

    - ``hosts``: names in addresses of the server, beside localhost; "*.example.org" is any name that ends so;
    - ``frames``: sites that may show the page in a frame, as in the policy ``frame-ancestors``.
    """

    hosts: tuple[str, ...] = ()
    frames: tuple[str, ...] = ()

    def answers_to(self, name: str) -> bool:
        """Return whether the server answers under a name.

        It does under localhost, under its own names and under any address of numbers: another site can give
        its own name the address of this server, so that a visitor's browser sends that name, but no site has
        an address of numbers for a name.
        """
        return name == "localhost" or _is_numbers(name) or any(_matches(name, host) for host in self.hosts)


def host_name(header: str) -> str:
    """Return the name in a ``Host`` header in lower case, without its port; "" if there is none.

    "BPE.example.org:8501" -> "bpe.example.org", "[::1]:8501" -> "::1"
    """
    found = _HEADER.fullmatch(header.lower())
    return (found["numbers"] or found["name"].rstrip(".")) if found else ""


def _is_numbers(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _matches(name: str, host: str) -> bool:
    return name.endswith(host[1:]) if host.startswith("*.") else name == host


def read_hosting(environment: Mapping[str, str]) -> Hosting:
    """Return how an environment says the server is reached. Raises ServerSettingError for a value that is no
    list of names or sites.

    {"BPEVIZ_HOSTS": "bpe.example.org"} -> Hosting(hosts=("bpe.example.org",))
    """
    return Hosting(
        _listed(environment, HOSTS, _HOST, "host names, such as bpe.example.org, without https:// and port"),
        _listed(environment, FRAMES, _SITE, "sites, such as https://example.org, without a path"),
    )


@cache
def hosting() -> Hosting:
    """Return how this server is reached, read from its environment once. Raises ServerSettingError."""
    return read_hosting(os.environ)


def _listed(
    environment: Mapping[str, str], variable: str, form: re.Pattern[str], wanted: str
) -> tuple[str, ...]:
    """Return the values of a variable, which are separated by spaces or commas."""
    values = tuple(environment.get(variable, "").lower().replace(",", " ").split())
    for value in values:
        if not form.fullmatch(value):
            raise ServerSettingError(f"{variable} has {in_short(value)}. Give {wanted}.")
    return values


_files: CorpusFiles | None = None


def start_with(files: CorpusFiles | None) -> None:
    """Offer these files to every session of this server."""
    global _files  # noqa: PLW0603
    _files = files


def started_with() -> CorpusFiles | None:
    """Return the files that this server was started with; None if there are none."""
    return _files
