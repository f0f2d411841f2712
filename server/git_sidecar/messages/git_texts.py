"""Reads what git itself keeps or says for a message: prepared texts, configuration, history, attributes, blobs."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from git_sidecar.git.repository import Repository
from git_sidecar.messages.generated import Attributes
from git_sidecar.messages.history import RecentCommit
from git_sidecar.messages.start import Prepared
from git_sidecar.model.location import Location

_LIMIT_BYTES = 64 * 1024
_HISTORY = 100
_KEYS = r"^(commit\.template|commit\.cleanup|core\.commentchar|core\.commentstring|user\.email)$"


@dataclass(frozen=True, slots=True)
class CommitConfig:
    """What the configuration says of messages (git-commit(1), git-config(1)); `template` is None where none is set."""

    comment_char: str | None = "#"
    email: str = ""
    template: str | None = None


def parse_commit_config(output: bytes) -> CommitConfig:
    """`git config -z --get-regexp` of the keys above: `key LF value NUL`, the last of a key wins."""
    values: dict[str, str] = {}
    for record in output.split(b"\0"):
        key, _, value = record.decode("utf-8", "replace").partition("\n")
        values[key] = value
    char = values.get("core.commentstring") or values.get("core.commentchar") or "#"
    keeps_comments = values.get("commit.cleanup") in ("verbatim", "whitespace", "scissors")
    # With `auto` git picks a character that begins no line of the message.
    return CommitConfig(
        None if keeps_comments or char == "auto" else char, values.get("user.email", ""), values.get("commit.template")
    )


async def read_commit_config(repository: Repository) -> CommitConfig:
    """The configuration that messages depend on."""
    done = await repository.run(("config", "-z", "--get-regexp", _KEYS), ok=(0, 1))
    return parse_commit_config(done.stdout)


async def read_template(repository: Repository) -> str:
    """The text of `commit.template`, a path as git reads it; empty where it cannot be read."""
    done = await repository.run(("config", "-z", "--type=path", "--get", "commit.template"), ok=(0, 1))
    name = done.stdout.rstrip(b"\0").decode("utf-8", "surrogateescape")
    return (_read_text(repository.location.root / Path(name)) or "") if name else ""


def _read_text(path: Path) -> str | None:
    try:
        with path.open("rb") as file:
            return file.read(_LIMIT_BYTES).decode("utf-8", "replace")
    except (OSError, ValueError):
        return None


def read_prepared(location: Location) -> Prepared:
    """The texts that git has laid ready in the git directory, as they are."""
    merge = None
    for name in ("MERGE_MSG", "rebase-merge/message", "rebase-apply/final-commit"):
        merge = merge or _read_text(location.git_dir / name)
    return Prepared(merge=merge, squash=_read_text(location.git_dir / "SQUASH_MSG"))


async def read_old_message(repository: Repository) -> str:
    """The message of HEAD."""
    done = await repository.run(("log", "-1", "--no-show-signature", "--no-color", "--encoding=UTF-8", "--format=%B"))
    return done.stdout.decode("utf-8", "replace").strip("\n")


async def read_recent(repository: Repository, email: str) -> tuple[RecentCommit, ...]:
    """The last hundred commits that are no merges, newest first."""
    done = await repository.run(
        ("log", f"--max-count={_HISTORY}", "--no-merges", "--no-show-signature", "--no-color", "--no-mailmap", "-z",
         "--encoding=UTF-8", "--format=%ae%x09%s")
    )  # fmt: skip
    return parse_recent(done.stdout, email)


def parse_recent(output: bytes, email: str) -> tuple[RecentCommit, ...]:
    """`git log -z --format=%ae%x09%s` as commits."""
    recent: list[RecentCommit] = []
    for record in output.split(b"\0"):
        author, tab, subject = record.decode("utf-8", "replace").partition("\t")
        if tab and subject.strip():
            recent.append(RecentCommit(subject.strip(), bool(email) and author == email))
    return tuple(recent)


_SAID = {"set": True, "true": True, "unset": False, "false": False}


async def read_attributes(repository: Repository, paths: Sequence[bytes]) -> dict[bytes, Attributes]:
    """What the staged .gitattributes say of each path."""
    if not paths:
        return {}
    done = await repository.run(
        ("check-attr", "--cached", "-z", "--stdin", "linguist-generated", "diff"), stdin=b"\0".join(paths) + b"\0"
    )
    return parse_attributes(done.stdout)


def parse_attributes(output: bytes) -> dict[bytes, Attributes]:
    """`git check-attr -z`: `path NUL attribute NUL value NUL` (git-check-attr(1))."""
    fields = output.split(b"\0")
    said: dict[bytes, dict[bytes, bool | None]] = {}
    for path, name, value in zip(fields[0::3], fields[1::3], fields[2::3], strict=False):
        said.setdefault(path, {})[name] = _SAID.get(value.decode("utf-8", "replace"))
    return {path: Attributes(names.get(b"linguist-generated"), names.get(b"diff")) for path, names in said.items()}


async def read_sizes(repository: Repository, object_ids: Iterable[str]) -> dict[str, int]:
    """The bytes of each blob that is there."""
    wanted = list(dict.fromkeys(object_ids))
    if not wanted:
        return {}
    done = await repository.run(("cat-file", "--batch-check"), stdin="".join(f"{oid}\n" for oid in wanted).encode())
    sizes: dict[str, int] = {}
    for line in done.stdout.split(b"\n"):
        fields = line.decode("ascii", "replace").split(" ")
        if len(fields) == 3 and fields[2].isdecimal():
            sizes[fields[0]] = int(fields[2])
    return sizes


async def read_blobs(repository: Repository, object_ids: Sequence[str]) -> dict[str, str]:
    """The text of each blob, bytes that are not UTF-8 as U+FFFD; the caller has looked at their sizes."""
    if not object_ids:
        return {}
    done = await repository.run(("cat-file", "--batch"), stdin="".join(f"{oid}\n" for oid in object_ids).encode())
    return parse_blobs(done.stdout)


def parse_blobs(output: bytes) -> dict[str, str]:
    """`git cat-file --batch`: `oid SP type SP size LF content LF` (git-cat-file(1)); a record cut short is left out."""
    blobs: dict[str, str] = {}
    at = 0
    while (line_end := output.find(b"\n", at)) >= 0:
        fields = output[at:line_end].decode("ascii", "replace").split(" ")
        at = line_end + 1
        if len(fields) != 3 or not fields[2].isdecimal():
            continue
        end = at + int(fields[2])
        if end <= len(output) and fields[1] == "blob":
            blobs[fields[0]] = output[at:end].decode("utf-8", "replace")
        at = end + 1
    return blobs
