"""The configuration of a repository as git sees it, every file and include counted (git-config(1))."""

from collections.abc import Mapping

from git_sidecar.git.repository import Repository

Configuration = Mapping[str, tuple[str, ...]]
"""Keys as git prints them (section and name in lower case), with all values in order; a valueless key is "true"."""


async def read_configuration(repository: Repository) -> Configuration:
    """Every key with its values. Raises GitRefused."""
    done = await repository.run(("config", "--list", "-z", "--includes"))
    found: dict[str, tuple[str, ...]] = {}
    for entry in done.stdout.decode("utf-8", "surrogateescape").split("\0")[:-1]:
        key, separator, value = entry.partition("\n")
        found[key] = (*found.get(key, ()), value if separator else "true")
    return found


def remote_names(configuration: Configuration) -> frozenset[str]:
    """The remotes that have a URL: the only ones that calls may name."""
    return frozenset(
        key.removeprefix("remote.").removesuffix(".url")
        for key in configuration
        if key.startswith("remote.") and key.endswith(".url")
    )
