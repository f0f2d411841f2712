"""The refusals of this floor: why an argument may not pass, in words that a model can act on."""

from git_sidecar.model.refusal import Refusal, RefusalCode, Retry


class Refused(Exception):
    """Reading a call came to an end; only `classify` catches it, and returns the refusal."""

    def __init__(self, refusal: Refusal) -> None:
        """Carry the refusal up to `classify`."""
        super().__init__(refusal.message)
        self.refusal = refusal


def invalid(message: str, hint: str | None = None) -> Refused:
    """Arguments that git would not understand either, or that cannot be read in one way only."""
    return Refused(Refusal(RefusalCode.INVALID_ARGUMENTS, message, hint))


def not_allowed(subcommand: str, typed: str, full: str, why: str) -> Refused:
    """An option that is on no allow-list; `typed` is as written, `full` its canonical spelling.

    `why` may end in "; " and what to do instead, which becomes the hint.
    """
    reason, _, hint = why.partition("; ")
    spelled = full if typed == full else f"{full} (written {typed!r})"
    return Refused(
        Refusal(
            RefusalCode.OPTION_NOT_ALLOWED,
            f"git {subcommand}: {spelled} may not pass: {reason}",
            hint or None,
        )
    )


def not_permitted(message: str, hint: str | None = None) -> Refused:
    """An effect, of an operand or of configuration, that no option stands for."""
    return Refused(Refusal(RefusalCode.OPTION_NOT_ALLOWED, message, hint))


def set_by_config(message: str, hint: str | None = None) -> Refused:
    """The repository's configuration makes the call more than it says; a person has to look at it."""
    return Refused(Refusal(RefusalCode.OPTION_NOT_ALLOWED, message, hint, retry=Retry.ASK_USER))


def verb_not_allowed(subcommand: str, verb: str | None, permitted: tuple[str, ...]) -> Refused:
    """A verb of a subcommand (`stash store`) that is in no tier."""
    return Refused(
        Refusal(
            RefusalCode.SUBCOMMAND_NOT_ALLOWED,
            f"git {subcommand} {verb} is not a subcommand that this tool runs",
            f"Of git {subcommand}, these pass: {', '.join(permitted)}.",
        )
    )


def outside(path: str) -> Refused:
    """A path that leads out of the work tree, or into git's own directory."""
    return Refused(
        Refusal(
            RefusalCode.OUTSIDE_WORKSPACE,
            f"the path {path!r} is not inside the work tree",
            "Paths are relative to the directory that the call runs in, and must stay in the repository.",
        )
    )


def protected(branch: str, what: str) -> Refused:
    """A forced update or a deletion of a protected branch."""
    return Refused(
        Refusal(
            RefusalCode.PROTECTED_BRANCH,
            f"{branch} is protected: {what} is always refused",
            "Push without force, or to another branch.",
        )
    )


def ad_hoc_remote(name: str, remotes: frozenset[str] | None) -> Refused:
    """A remote that is not one of the configured ones."""
    known = ", ".join(sorted(remotes)) if remotes else "none"
    return Refused(
        Refusal(
            RefusalCode.AD_HOC_REMOTE,
            f"{name!r} is not a configured remote; URLs and paths are always refused",
            f"Configured remotes: {known}.",
        )
    )
