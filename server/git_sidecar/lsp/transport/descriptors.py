"""Standard input and output, taken away from everything but the wire. Imports nothing that could print."""

import os
import sys
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WireDescriptors:
    """The descriptors that frames are read from and written to; no child process inherits them."""

    reading: int
    writing: int


def claim_stdio() -> WireDescriptors:
    """Take the process's stdin and stdout for the wire.

    From then on stdin is empty and whatever else is printed goes to stderr: by Python, by a library written in C, or
    by a child that inherits descriptor 1.
    """
    sys.stdout.flush()
    wire = WireDescriptors(os.dup(0), os.dup(1))
    if sys.platform == "win32":
        import msvcrt

        for descriptor in (wire.reading, wire.writing):
            msvcrt.setmode(descriptor, os.O_BINARY)
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return wire
