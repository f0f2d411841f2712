"""Which configuration of a repository must be overridden before git may read it in an untrusted workspace. Pure.

Drivers (filter, merge, diff) and protocols are named by the repository, so no fixed list can cover them: their keys are
listed by git itself, before every run, and each one that names a program is answered here. Sources: gitattributes(5),
git-config(1), and `tests/security/`.
"""

from git_sidecar.git.invocation import Invocation, Limits

_LISTING_ARGV = ("config", "--list", "-z", "--name-only", "--includes")
_LISTING_LIMITS = Limits(timeout_s=10.0, stdout_bytes=4 * 1024 * 1024)

_FILTER_KEYS = ("clean", "smudge", "process")
_DIFF_KEYS = ("command", "textconv")


def listing_for(invocation: Invocation) -> Invocation:
    """The call that lists the names of the configuration which `invocation` will see.

    To be run before every call, in the same directory: a file that is included may have come with the last switch.
    """
    return Invocation(
        argv=_LISTING_ARGV,
        limits=_LISTING_LIMITS,
        config=invocation.config,
        environment=invocation.environment,
    )


def parse_overrides(listing: bytes) -> tuple[tuple[str, str], ...]:
    """The overrides that the names printed by `git config --list -z --name-only --includes` call for.

    Keys come out in the order of the listing, each once; names that are not UTF-8 as surrogateescaped text. An empty
    value switches a filter, an external diff or a textconv off (the last two only together with `--no-ext-diff
    --no-textconv`, without which git stops at them); a merge driver is set to `false`, since git 2.39 crashes on an
    empty one.
    """
    overrides: dict[str, str] = {}
    for name in listing.split(b"\0"):
        section, _, rest = name.decode("utf-8", "surrogateescape").partition(".")
        driver, dot, key = rest.rpartition(".")
        if dot:
            overrides.update(_overrides_for(section.lower(), driver, key.lower()))
    return tuple(overrides.items())


def _overrides_for(section: str, driver: str, key: str) -> dict[str, str]:
    prefix = f"{section}.{driver}"
    if section == "filter":
        # All of them, whichever was named: what a driver lacks now, an included file may add.
        return {**{f"{prefix}.{name}": "" for name in _FILTER_KEYS}, f"{prefix}.required": "false"}
    if section == "merge" and key == "driver":
        return {f"{prefix}.driver": "false"}
    if section == "protocol" and key == "allow":
        return {f"{prefix}.allow": "never"}
    if section == "diff" and key in _DIFF_KEYS:
        return {f"{prefix}.{key}": ""}
    return {}
