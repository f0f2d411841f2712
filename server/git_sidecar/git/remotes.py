"""Which remote and branch a transfer means, and where it goes: named remotes only (git-remote(1), git-config(1))."""

from dataclasses import dataclass

from git_sidecar.git.configuration import Configuration, remote_names
from git_sidecar.git.errors import GitRefused
from git_sidecar.git.repository import Repository
from git_sidecar.model.refusal import Refusal, RefusalCode

_HEADS = "refs/heads/"


@dataclass(frozen=True, slots=True)
class Remote:
    """A configured remote: its name, its resolved URL (after insteadOf and pushurl), its fetch refspecs."""

    name: str
    url: str
    fetch: tuple[str, ...]


def _last(configuration: Configuration, key: str) -> str | None:
    values = configuration.get(key)
    return values[-1] if values else None


def pick_remote(configuration: Configuration, asked: str | None, branch: str | None, *, push: bool) -> str:
    """The name of the remote that is meant, as git would pick it. Raises GitRefused (ad_hoc_remote, ref_not_found)."""
    known = remote_names(configuration)
    keys = [f"branch.{branch}.pushremote", "remote.pushdefault"] if push else []
    configured = [_last(configuration, key) for key in (*keys, f"branch.{branch}.remote")]
    name = asked or next((value for value in configured if value), None)
    if name is None and len(known) == 1:
        (name,) = known
    name = name or "origin"
    if name in known:
        return name
    listed = ", ".join(sorted(known)) or "none"
    if asked is None and not any(configured):
        raise GitRefused(Refusal(RefusalCode.REF_NOT_FOUND, f"no remote is configured to use here (known: {listed})"))
    raise GitRefused(
        Refusal(
            RefusalCode.AD_HOC_REMOTE,
            f"{name!r} is no configured remote; URLs and paths are never contacted",
            f"The configured remotes are: {listed}.",
        )
    )


async def read_remote(repository: Repository, configuration: Configuration, name: str, *, push: bool) -> Remote:
    """The remote's resolved URL and refspecs, without a word to it. Raises GitRefused."""
    argv = ("remote", "get-url", *(("--push",) if push else ()), "--", name)
    done = await repository.run(argv)
    url = done.stdout.decode("utf-8", "replace").split("\n", 1)[0]
    return Remote(name, url, configuration.get(f"remote.{name}.fetch", ()))


def tracking_refspecs(remote: Remote) -> tuple[str, ...]:
    """The refspecs that a fetch may use: into refs/remotes/ only. Raises GitRefused where one writes elsewhere."""
    for spec in remote.fetch:
        if spec.startswith("^"):
            continue
        destination = spec.removeprefix("+").partition(":")[2]
        if destination and not destination.startswith("refs/remotes/"):
            raise GitRefused(
                Refusal(
                    RefusalCode.DENIED_BY_POLICY,
                    f"remote.{remote.name}.fetch ({spec}) would rewrite {destination}, which is not a tracking ref",
                    f"Fetch into refs/remotes/{remote.name}/ instead, or let the person run it.",
                )
            )
    return remote.fetch or (f"+refs/heads/*:refs/remotes/{remote.name}/*",)


def tracking_ref(remote: Remote, branch: str) -> str:
    """Where the remote's branch is kept here, by its refspecs; the usual place where none names it."""
    source = _HEADS + branch
    for spec in remote.fetch:
        src, _, dst = spec.removeprefix("+").partition(":")
        if src == source and dst:
            return dst
        head, star, tail = src.partition("*")
        if star and dst and source.startswith(head) and source.endswith(tail):
            return dst.replace("*", source[len(head) : len(source) - len(tail)], 1)
    return f"refs/remotes/{remote.name}/{branch}"


async def read_refs(repository: Repository, *prefixes: str) -> dict[str, str]:
    """Object ids by full ref name, below the prefixes (git-for-each-ref(1)). Raises GitRefused."""
    done = await repository.run(("for-each-ref", "--format=%(objectname) %(refname)", *prefixes))
    lines = done.stdout.decode("utf-8", "surrogateescape").split("\n")
    return {name: oid for oid, _, name in (line.partition(" ") for line in lines) if name}
