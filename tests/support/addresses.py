"""By which addresses this machine is reached."""

import socket

__all__ = ["SOMEWHERE", "answers", "own_address"]

#: No packet goes there: the kernel only says from which address one would.
SOMEWHERE = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}


def answers(family: socket.AddressFamily, host: str, port: int) -> bool:
    """Whether anything listens there."""
    with socket.socket(family) as connection:
        connection.settimeout(10)
        try:
            connection.connect((host, port))
        except OSError:
            return False
        return True


def own_address(family: socket.AddressFamily) -> str | None:
    """The address by which other machines reach this one; None where there is none."""
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as unsent:
            unsent.connect((SOMEWHERE[family], 9))
            return str(unsent.getsockname()[0])
    except OSError:
        return None
