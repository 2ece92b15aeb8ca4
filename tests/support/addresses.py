"""The addresses of this machine."""

import socket

__all__ = ["SOMEWHERE", "answers", "own_address"]

#: No packet goes there: the kernel only tells the address that it would send from.
SOMEWHERE = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}


def answers(family: socket.AddressFamily, host: str, port: int) -> bool:
    """Whether anything listens at an address."""
    with socket.socket(family) as connection:
        connection.settimeout(10)
        try:
            connection.connect((host, port))
        except OSError:
            return False
        return True


def own_address(family: socket.AddressFamily) -> str | None:
    """The address at which other machines reach this one; None if it has none."""
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as unsent:
            unsent.connect((SOMEWHERE[family], 9))
            return str(unsent.getsockname()[0])
    except OSError:
        return None
