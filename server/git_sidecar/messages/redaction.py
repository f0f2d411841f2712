"""Masks secrets in all that leaves the process for a model, and says where a commit is about to hold one.

Masks cover values only: names, keys and the rest of the line stay, so that the change can still be described.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from git_sidecar.messages.facts import ChangedFile, Treatment
from git_sidecar.messages.patch import Hunk

HIDDEN = "***"

_KEY_BEGINS = re.compile(r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d")
_KEY_ENDS = re.compile(r"-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|Private-MAC:")
_KEY_LINE = re.compile(r"[\s\"'+,\\nrt]*[A-Za-z0-9+/=]{4,}[\s\"'+,;\\nrt]*")
_VALUE_STARTS = "\"'`=:@/ \t>(,"
_PRIVATE_KEY = "Private Key"


class Scanner(Protocol):
    """What finds the secrets of a line (`secret_scan.SecretScanner`)."""

    def scan_line(self, line: str, path: str) -> Sequence["FoundSecret"]:
        """The secrets in one line."""
        ...


class FoundSecret(Protocol):
    """One secret that was found."""

    @property
    def value(self) -> str:
        """The value to be masked."""
        ...

    @property
    def kind(self) -> str:
        """What kind of secret it looks like."""
        ...

    @property
    def warn(self) -> bool:
        """Whether a person should hear of it."""
        ...


@dataclass(frozen=True, slots=True)
class Finding:
    """A secret on an added line: file, line of the new side (1-based), kind."""

    path: str
    line: int
    kind: str


def load_scanner() -> Scanner:
    """The detectors; importing them takes some hundred milliseconds, so it is done when there is something to scan."""
    from git_sidecar.messages.secret_scan import SecretScanner

    return SecretScanner()


def mask_value(line: str, value: str) -> str:
    """The line with a value hidden where it stands as a value: after a quote, a blank or a sign of assignment.

    A name that happens to be spelled like the value stays (`password = "password"`).
    """
    parts = line.split(value)
    masked = parts[0]
    hidden = False
    for part in parts[1:]:
        stands = bool(masked) and masked[-1] in _VALUE_STARTS
        hidden = hidden or stands
        masked += (HIDDEN if stands else value) + part
    return masked if hidden else line.replace(value, HIDDEN)


class Redactor:
    """Masks what one request sends, and counts."""

    def __init__(self, scanner: Scanner) -> None:
        """Start with nothing masked."""
        self._scanner = scanner
        self.count = 0
        self.findings: list[Finding] = []

    def mask_text(self, text: str, path: str = "") -> str:
        """A free text with its secrets masked."""
        return "\n".join(self._mask_lines(text.split("\n"), path))

    def mask_file(self, file: ChangedFile) -> ChangedFile:
        """A changed file with the secrets of all its lines masked; those on added lines become findings."""
        if file.treatment not in (Treatment.SHOWN, Treatment.EXCLUDED, Treatment.LOCK, Treatment.GENERATED):
            return file
        hunks = tuple(self._mask_hunk(hunk, file) for hunk in file.patch.hunks)
        return replace(file, patch=replace(file.patch, hunks=hunks))

    def _mask_hunk(self, hunk: Hunk, file: ChangedFile) -> Hunk:
        lines = self._mask_key_blocks(hunk, file)
        masked: list[str] = []
        number = hunk.new_start - 1
        for line in lines:
            sign, text = line[:1], line[1:]
            number += sign in "+ "
            masked.append(sign + self._mask_line(text, file.path, number if self._warns(sign, file) else None))
        context = self._mask_line(hunk.context, file.path, None)
        header = hunk.header.removesuffix(hunk.context) + context
        return replace(hunk, header=header, context=context, lines=tuple(masked))

    @staticmethod
    def _warns(sign: str, file: ChangedFile) -> bool:
        # Lock files are full of checksums.
        return sign == "+" and file.treatment in (Treatment.SHOWN, Treatment.EXCLUDED)

    def _mask_line(self, text: str, path: str, number: int | None) -> str:
        for secret in self._scanner.scan_line(text, path):
            if secret.value not in text:
                # A longer secret that held this one is masked already.
                continue
            text = mask_value(text, secret.value)
            self.count += 1
            if number is not None and secret.warn:
                self.findings.append(Finding(path, number, secret.kind))
        return text

    def _mask_lines(self, lines: Sequence[str], path: str) -> list[str]:
        hunk = Hunk("", "", 1, tuple(" " + line for line in lines))
        return [self._mask_line(line[1:], path, None) for line in self._mask_key_blocks(hunk, None)]

    def _mask_key_blocks(self, hunk: Hunk, file: ChangedFile | None) -> list[str]:
        """The lines with the insides of private keys hidden, also where the hunk shows only one end of the key."""
        lines = list(hunk.lines)
        inside = False
        number = hunk.new_start - 1
        for at, line in enumerate(lines):
            number += line[:1] in "+ "
            if _KEY_BEGINS.search(line):
                inside = True
                self.count += 1
                if file is not None and self._warns(line[:1], file):
                    self.findings.append(Finding(file.path, number, _PRIVATE_KEY))
                lines[at] = _mask_inline_key(line)
                inside = not _KEY_ENDS.search(line)
            elif _KEY_ENDS.search(line):
                if not inside:
                    self.count += _mask_upwards(lines, at)
                inside = False
            elif inside:
                if _KEY_LINE.fullmatch(line[1:]):
                    lines[at] = line[:1] + HIDDEN
                elif line[1:].strip() and ":" not in line:
                    inside = False
        return lines


def _mask_inline_key(line: str) -> str:
    """A key that stands on one line, with escaped line ends, keeps its two ends only."""
    begins, ends = _KEY_BEGINS.search(line), _KEY_ENDS.search(line)
    if begins is None:
        return line
    stop = ends.start() if ends and ends.start() >= begins.end() else len(line)
    inner = line[begins.end() : stop]
    return line if len(inner.strip("\"'`,; ")) < 4 else line[: begins.end()] + HIDDEN + line[stop:]


def _mask_upwards(lines: list[str], end: int) -> int:
    at = end - 1
    while at >= 0 and _KEY_LINE.fullmatch(lines[at][1:]):
        lines[at] = lines[at][:1] + HIDDEN
        at -= 1
    return int(at < end - 1)


def describe_findings(findings: Sequence[Finding]) -> list[str]:
    """One warning for each place, as `file:line`."""
    places = dict.fromkeys((finding.path, finding.line, finding.kind) for finding in findings)
    return [f"{path}:{line}: about to be committed: what looks like a secret ({kind})" for path, line, kind in places]
