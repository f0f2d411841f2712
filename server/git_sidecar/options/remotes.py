"""Which remote a push, fetch or pull means (git-push(1), git-config(1) branch.<name>.remote). Pure."""

import re

from git_sidecar.options.call import Facts
from git_sidecar.options.refusals import ad_hoc_remote
from git_sidecar.options.values import check_name

# Where the configuration was not read, nothing that could be a URL, a path or a group of remotes' file.
_PLAIN_NAME = re.compile(r"^\w[\w.-]*$")
_USUAL = "origin"


def check_remote(subcommand: str, name: str, facts: Facts) -> None:
    """Refuse everything that is not the name of a configured remote."""
    known = facts.remotes is None or name in facts.remotes
    plain = facts.remotes is not None or _PLAIN_NAME.match(name) is not None
    if not known or not plain:
        raise ad_hoc_remote(name, facts.remotes)
    check_name(subcommand, name)


def fetch_remote(facts: Facts) -> str | None:
    """The remote of a fetch or pull that names none; None where the configuration was not read."""
    if facts.remotes is None:
        return None
    return _branch_value(facts, "remote") or _only(facts.remotes) or _USUAL


def push_remote(facts: Facts) -> str | None:
    """The remote of a push that names none; None where the configuration was not read."""
    if facts.remotes is None:
        return None
    return _branch_value(facts, "pushremote") or facts.value("remote.pushdefault") or fetch_remote(facts)


def _branch_value(facts: Facts, key: str) -> str | None:
    return facts.value(f"branch.{facts.current_branch}.{key}") if facts.current_branch else None


def _only(remotes: frozenset[str]) -> str | None:
    return next(iter(remotes)) if len(remotes) == 1 else None
