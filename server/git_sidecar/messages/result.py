"""What is asked of the generator, and what it gives back (wire contract, section 8)."""

from dataclasses import dataclass
from pathlib import Path

from git_sidecar.model.fingerprint import Fingerprint


@dataclass(frozen=True, slots=True)
class MessageRequest:
    """One wish for a commit message.

    `current` is the text in the box, `attempt` counts the wishes for one change from 1. `index_file` is the index that
    git hands to a prepare-commit-msg hook (githooks(5)) when it is not the usual one.
    """

    current: str = ""
    amend: bool = False
    instructions: str = ""
    attempt: int = 1
    index_file: Path | None = None


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One rule that the message was held to, and why it fails where it does."""

    rule: str
    ok: bool
    detail: str | None = None


@dataclass(frozen=True, slots=True)
class CoverageCounts:
    """How many of the changed files the writer saw whole, in part, or by name only."""

    files: int
    full: int
    partial: int
    omitted: int


@dataclass(frozen=True, slots=True)
class CommitMessage:
    """A message that was checked, with all that a person may want to know of how it came to be."""

    message: str
    provider: str
    fingerprint: Fingerprint
    coverage: CoverageCounts
    checks: tuple[CheckResult, ...]
    redactions: int
    warnings: tuple[str, ...]
    model: str | None = None
    canceled: bool = False

    @property
    def subject(self) -> str:
        """The first line."""
        return self.message.split("\n", 1)[0]

    @property
    def body(self) -> str:
        """What follows the first line, without the blank line between; empty where nothing does."""
        return self.message.partition("\n")[2].strip("\n")

    def value(self) -> dict[str, object]:
        """The result as it goes on the wire."""
        head = self.fingerprint.head
        value: dict[str, object] = {
            "message": self.message,
            "subject": self.subject,
            "body": self.body,
            "provider": self.provider,
            "fingerprint": {"head": head.commit, "branch": head.branch, "index": self.fingerprint.index},
            "coverage": {
                "files": self.coverage.files,
                "full": self.coverage.full,
                "partial": self.coverage.partial,
                "omitted": self.coverage.omitted,
            },
            "checks": [
                {"rule": check.rule, "ok": check.ok} | ({"detail": check.detail} if check.detail else {})
                for check in self.checks
            ],
            "redactions": self.redactions,
            "warnings": list(self.warnings),
            "canceled": self.canceled,
        }
        if self.model:
            value["model"] = self.model
        return value


def canceled_message(provider: str, fingerprint: Fingerprint) -> CommitMessage:
    """What a canceled request is answered with: an ordinary result without a message."""
    return CommitMessage("", provider, fingerprint, CoverageCounts(0, 0, 0, 0), (), 0, (), canceled=True)
