"""What `git push --porcelain` says of each ref, and how far a transfer is (git-push(1), "OUTPUT"; progress.c)."""

import re
from dataclasses import dataclass

_PROGRESS = re.compile(rb"(?:remote: )?([A-Z][A-Za-z ]+):\s+(\d{1,3})% \((\d+)/(\d+)\)")

# git-push(1): the flag of a porcelain line.
_RESULTS = {
    " ": "updated",
    "+": "forced",
    "-": "deleted",
    "*": "created",
    "!": "rejected",
    "=": "upToDate",
}


@dataclass(frozen=True, slots=True)
class PushedRef:
    """One ref of a push: full names on both sides, and what became of it in git's word and ours."""

    src: str
    dst: str
    result: str
    summary: str


def parse_push(output: bytes) -> tuple[PushedRef, ...]:
    """The refs of a push; what a pre-push hook printed before them is passed over."""
    refs: list[PushedRef] = []
    lines = output.decode("utf-8", "replace").split("\n")
    start = next((number for number, line in enumerate(lines) if line.startswith("To ")), len(lines))
    for line in lines[start + 1 :]:
        flag, *fields = line.split("\t")
        if flag not in _RESULTS or len(fields) < 2:
            continue
        src, _, dst = fields[0].rpartition(":")
        refs.append(PushedRef(src, dst, _RESULTS[flag], fields[1]))
    return tuple(refs)


class TransferProgress:
    """Takes git's stderr as it comes; the last step that it named, in percent."""

    def __init__(self) -> None:
        """Start with nothing heard."""
        self._tail = b""

    def feed(self, chunk: bytes) -> tuple[str, int] | None:
        """The newest step (`Writing objects`) and its percentage; None where the chunk says nothing of it."""
        data = self._tail + chunk
        # A line that is still being written is kept for the next chunk.
        cut = max(data.rfind(b"\n"), data.rfind(b"\r"))
        self._tail = data[cut + 1 :][-200:]
        found = _PROGRESS.findall(data)
        if not found:
            return None
        step, percent, _, _ = found[-1]
        return step.decode("ascii"), min(int(percent), 100)
