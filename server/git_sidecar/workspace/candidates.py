"""Refusals about which repository is meant; they list every known repository, so that the next call can name one."""

from collections.abc import Collection

from git_sidecar.model.refusal import Candidate, Refusal, RefusalCode
from git_sidecar.model.repository import KnownRepository
from git_sidecar.workspace.registry import Registry

_SHOWN_LENGTH = 200


def shown(text: str) -> str:
    """What the caller wrote, quoted for a message and cut to a readable length."""
    return repr(text if len(text) <= _SHOWN_LENGTH else text[:_SHOWN_LENGTH] + "…")


def list_candidates(registry: Registry, matching: Collection[KnownRepository] = ()) -> tuple[Candidate, ...]:
    """All known repositories in SCM order, each marked whether it is among those that the name could mean."""
    return tuple(Candidate(item.label, str(item.root), item in matching) for item in registry.repositories)


def refuse_unknown(what: str, registry: Registry) -> Refusal:
    """The refusal of a name or place that belongs to no known repository."""
    return Refusal(RefusalCode.UNKNOWN_REPOSITORY, what, hint=_hint(registry), candidates=list_candidates(registry))


def refuse_outside(what: str, registry: Registry) -> Refusal:
    """The refusal of a place outside the workspace folders and every known repository."""
    return Refusal(RefusalCode.OUTSIDE_WORKSPACE, what, hint=_hint(registry), candidates=list_candidates(registry))


def refuse_ambiguous(what: str, registry: Registry, matching: Collection[KnownRepository]) -> Refusal:
    """The refusal of a name that could mean more than one repository."""
    return Refusal(
        RefusalCode.AMBIGUOUS_REPOSITORY,
        what,
        hint="Give the root path of the one that is meant; `matches` marks those that the name fits.",
        candidates=list_candidates(registry, matching),
    )


def refuse_unselected(registry: Registry) -> Refusal:
    """The refusal of a call that names no repository while several are known and none is selected."""
    known = bool(registry.repositories)
    return Refusal(
        RefusalCode.NO_REPOSITORY_SELECTED,
        "no repository is named and none is selected" if known else "no repository is known in this workspace",
        hint=_hint(registry),
        candidates=list_candidates(registry),
    )


def refuse_nonsense(what: str, hint: str | None = None) -> Refusal:
    """The refusal of an argument that can name nothing at all."""
    return Refusal(RefusalCode.INVALID_ARGUMENTS, what, hint=hint)


def _hint(registry: Registry) -> str:
    if registry.repositories:
        return "Name one of the candidates by its label or root path."
    return "Open a folder that is, holds or lies in a git repository."
