"""Which paths a call's scope reaches. Pure."""

from collections.abc import Callable

from git_sidecar.model.plan import Scope


def scope_names(scope: Scope) -> tuple[str, ...]:
    """The paths that the scope names, without trailing slashes; empty for the whole work tree."""
    return tuple(path.text.rstrip("/") for path in scope.paths or ())


def scope_coverage(scope: Scope) -> Callable[[str], bool]:
    """Tells whether a path lies in the scope: it is named, or below a directory that is."""
    if scope.paths is None:
        return lambda _: True
    names = frozenset(scope_names(scope))

    def covers(path: str) -> bool:
        while path:
            if path in names:
                return True
            path = path.rpartition("/")[0]
        return "." in names

    return covers
