"""The line length that .editorconfig asks of commit messages (editorconfig.org, "max_line_length"). Pure."""

from git_sidecar.messages.globs import matches_glob

MESSAGE_FILE = "COMMIT_EDITMSG"
_LEAST = 20


def parse_line_length(text: str) -> int | None:
    """The characters a line of COMMIT_EDITMSG may have by the last section that matches it; None where none says."""
    applies = False
    length: int | None = None
    for raw in text.split("\n"):
        line = raw.strip()
        if line.startswith("[") and line.endswith("]"):
            applies = matches_glob(MESSAGE_FILE, line[1:-1])
        elif applies and not line.startswith(("#", ";")):
            key, _, value = line.partition("=")
            if key.strip().lower() == "max_line_length":
                length = int(value.strip()) if value.strip().isdecimal() else None
    return length if length is not None and length >= _LEAST else None
