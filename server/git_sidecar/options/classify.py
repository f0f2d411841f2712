"""The one classifier: what a call of git would do, by what it says and by what the repository is like. Pure."""

from git_sidecar.model.refusal import Refusal, RefusalCode
from git_sidecar.options.call import Call, Classified, Facts
from git_sidecar.options.refusals import Refused
from git_sidecar.options.subcommands import CLASSIFIERS, subcommand_refusal

_NOTHING_KNOWN = Facts()


def classify(call: Call, facts: Facts = _NOTHING_KNOWN) -> Classified | Refusal:
    """The call's tier and the arguments to run, rebuilt; or the refusal that names what may not pass.

    The caller's argument list never reaches git: `Classified.argv` does. Without facts every doubt counts against the
    call, operands are left for git to tell apart, and configuration is taken to be git's default.
    """
    classifier = CLASSIFIERS.get(call.subcommand)
    if classifier is None:
        return subcommand_refusal(call.subcommand)
    if facts.work_tree_elsewhere:
        return Refusal(
            RefusalCode.UNSAFE_REPOSITORY,
            "the repository's work tree is not the directory that was asked for",
            "core.worktree or a .git file leads elsewhere; a person has to look at it.",
        )
    try:
        return classifier(call.args, facts)
    except Refused as refused:
        return refused.refusal


def operands_of(call: Call, facts: Facts = _NOTHING_KNOWN) -> tuple[str, ...]:
    """Operands that the caller should look up (`Facts.existing_paths`, `Facts.revisions`) before it classifies.

    Options are read first, so that their values are not among them; () where the call is refused anyway. Of `facts`,
    the root and the prefix matter.
    """
    found = classify(call, facts)
    if isinstance(found, Refusal):
        return ()
    return tuple(dict.fromkeys((*found.revisions, *found.paths)))
