"""Fetching, pulling and pushing with explicit refspecs: no configuration decides what moves (git-fetch, git-push)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from git_sidecar.git.errors import GitRefused
from git_sidecar.git.failures import refusal_for
from git_sidecar.git.invocation import Completed, Editor, Effect
from git_sidecar.git.parse.transfer import PushedRef, TransferProgress, parse_push
from git_sidecar.git.remotes import Remote, read_refs, tracking_refspecs
from git_sidecar.git.repository import Repository
from git_sidecar.git.status import read_status
from git_sidecar.model.refusal import Refusal, RefusalCode

Report = Callable[[str, int | None], None]

# What is said of every transfer: no submodules, which nobody was asked about.
_CONFIG = (("submodule.recurse", "false"), ("fetch.recurseSubmodules", "false"), ("push.recurseSubmodules", "no"))
# Hooks and rebases choose their own pathspecs.
_ENVIRONMENT = {"GIT_LITERAL_PATHSPECS": "0"}


@dataclass(frozen=True, slots=True)
class MovedRef:
    """A ref that a transfer moved: full name, object ids (None: absent), and how."""

    name: str
    old: str | None
    new: str | None
    result: str


def _listener(report: Report) -> Callable[[bytes], None]:
    progress = TransferProgress()

    def hear(chunk: bytes) -> None:
        step = progress.feed(chunk)
        if step is not None:
            report(*step)

    return hear


async def _transfer(
    repository: Repository,
    argv: Sequence[str],
    report: Report,
    *,
    editor: Editor = Editor.REFUSE,
    ok: tuple[int, ...] = (0,),
    config: tuple[tuple[str, str], ...] = (),
) -> Completed:
    return await repository.run(
        argv,
        effect=Effect.NETWORK,
        editor=editor,
        ok=ok,
        config=_CONFIG + config,
        environment=_ENVIRONMENT,
        hear=_listener(report),
    )


def _compare(before: dict[str, str], after: dict[str, str]) -> list[MovedRef]:
    moved: list[MovedRef] = []
    for name in sorted({*before, *after}):
        old, new = before.get(name), after.get(name)
        if old != new:
            result = "created" if old is None else "deleted" if new is None else "updated"
            moved.append(MovedRef(name, old, new, result))
    return moved


def fetch_argv(remote: Remote, branch: str | None, *, prune: bool) -> tuple[str, ...]:
    """The fetch of one remote, its refspecs spelled out; `--refmap=` keeps configured ones from adding to them."""
    specs = tracking_refspecs(remote)
    if branch is not None:
        specs = (f"+refs/heads/{branch}:refs/remotes/{remote.name}/{branch}",)
    pruning = ("--prune",) if prune else ("--no-prune",)
    return ("fetch", "--progress", "--no-write-fetch-head", *pruning, "--refmap=", "--", remote.name, *specs)


async def fetch(repository: Repository, remote: Remote, argv: Sequence[str], report: Report) -> list[MovedRef]:
    """Fetch; the tracking refs and tags that moved. Raises GitRefused."""
    places = (f"refs/remotes/{remote.name}/", "refs/tags/")
    git = await repository.spawner.executable()
    # --no-write-fetch-head came with git 2.29.
    words = [word for word in argv if word != "--no-write-fetch-head" or git.version >= (2, 29, 0)]
    before = await read_refs(repository, *places)
    await _transfer(repository, words, report)
    return _compare(before, await read_refs(repository, *places))


def pull_argv(remote: Remote, branch: str, *, rebase: bool | None) -> tuple[str, ...]:
    """The pull of one branch: fast-forward only, unless rebasing (True) or merging (False) was asked for."""
    tracking_refspecs(remote)
    joining = {
        None: ("--no-rebase", "--ff-only"),
        True: ("--rebase",),
        False: ("--no-rebase", "--ff", "--no-edit"),
    }[rebase]
    return ("pull", "--progress", "--no-autostash", *joining, "--", remote.name, f"refs/heads/{branch}")


async def pull(
    repository: Repository, remote: Remote, argv: Sequence[str], report: Report, *, head_ref: str
) -> list[MovedRef]:
    """Pull into the checked-out branch; what moved. Raises GitRefused: `conflict` with the conflicting paths."""
    places = (f"refs/remotes/{remote.name}/", head_ref)
    before = await read_refs(repository, *places)
    try:
        await _transfer(repository, argv, report, editor=Editor.ACCEPT)
    except GitRefused as error:
        raise GitRefused(await _with_conflicts(repository, error.refusal)) from error
    return _compare(before, await read_refs(repository, *places))


async def _with_conflicts(repository: Repository, refusal: Refusal) -> Refusal:
    if refusal.code is not RefusalCode.CONFLICT:
        return refusal
    status = await read_status(repository)
    return replace(refusal, conflicts=tuple(status.conflicts))


@dataclass(frozen=True, slots=True)
class Push:
    """One push: source and destination as full refs, and what the remote's ref must be (forced only with it)."""

    remote: Remote
    src: str
    dst: str
    expected: str | None = None
    forced: bool = False
    set_upstream: bool = False
    tags: bool = False


def push_argv(push: Push) -> tuple[str, ...]:
    """The push with explicit remote and `src:dst`; forced only onto the very commit that the person was shown."""
    lease = (f"--force-with-lease={push.dst}:{push.expected or ''}",) if push.forced else ()
    return (
        "push",
        "--porcelain",
        "--progress",
        "--no-follow-tags",
        "--recurse-submodules=no",
        *(("--set-upstream",) if push.set_upstream else ()),
        *(("--tags",) if push.tags else ()),
        *lease,
        "--",
        push.remote.name,
        f"{push.src}:{push.dst}",
    )


async def push_branch(repository: Repository, push: Push, report: Report) -> tuple[PushedRef, ...]:
    """Push; what became of each ref. Raises GitRefused where one was rejected, with what hooks and remote said."""
    # A mirror's configuration would refuse, or worse widen, a push with a refspec.
    config = ((f"remote.{push.remote.name}.mirror", "false"),)
    done = await _transfer(repository, push_argv(push), report, ok=(0, 1), config=config)
    refs = parse_push(done.stdout)
    if done.code or any(ref.result == "rejected" for ref in refs):
        raise GitRefused(refusal_for("push", done))
    return refs
