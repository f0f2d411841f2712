"""The subcommands of the tiered `git` tool, and what is said of the others."""

from collections.abc import Mapping
from types import MappingProxyType

from git_sidecar.model.refusal import Refusal, RefusalCode
from git_sidecar.options.assembly import Classifier
from git_sidecar.options.rules import fetching, pushing, reading, refs, rewriting, stashes, writing

CLASSIFIERS: Mapping[str, Classifier] = MappingProxyType(
    {
        "diff": reading.classify_diff,
        "log": reading.classify_log,
        "show": reading.classify_show,
        "blame": reading.classify_blame,
        "status": reading.classify_status,
        "shortlog": reading.classify_shortlog,
        "check-ignore": reading.classify_check_ignore,
        "ls-files": reading.classify_ls_files,
        "grep": reading.classify_grep,
        "describe": reading.classify_describe,
        "rev-parse": reading.classify_rev_parse,
        "cat-file": reading.classify_cat_file,
        "notes": reading.classify_notes,
        "branch": refs.classify_branch,
        "tag": refs.classify_tag,
        "reflog": refs.classify_reflog,
        "remote": refs.classify_remote,
        "worktree": refs.classify_worktree,
        "bisect": refs.classify_bisect,
        "stash": stashes.classify_stash,
        "add": writing.classify_add,
        "commit": writing.classify_commit,
        "switch": writing.classify_switch,
        "mv": writing.classify_mv,
        "rm": writing.classify_rm,
        "reset": rewriting.classify_reset,
        "clean": rewriting.classify_clean,
        "checkout": rewriting.classify_checkout,
        "restore": rewriting.classify_restore,
        "rebase": rewriting.classify_rebase,
        "revert": rewriting.classify_revert,
        "cherry-pick": rewriting.classify_cherry_pick,
        "merge": rewriting.classify_merge,
        "push": pushing.classify_push,
        "fetch": fetching.classify_fetch,
        "pull": fetching.classify_pull,
    }
)

_INSTEAD: Mapping[str, str] = MappingProxyType(
    {
        "rev-list": "log lists commits.",
        "show-ref": "branch and tag list refs.",
        "for-each-ref": "branch and tag list refs.",
        "diff-tree": "diff and show compare commits.",
        "range-diff": "diff and log compare commits.",
        "format-patch": "log --patch and show print patches.",
        "ls-tree": "show REV:DIRECTORY lists a tree.",
        "whatchanged": "log --raw shows the same.",
        "ls-remote": "fetch gets the remote's refs.",
        "symbolic-ref": "branch --show-current names the branch.",
        "update-ref": "branch, tag and reset move refs.",
        "difftool": "diff shows the differences.",
        "gc": "git cleans up by itself.",
    }
)


def subcommand_refusal(subcommand: str) -> Refusal:
    """The refusal of a subcommand that is in no tier: it lists those that are."""
    instead = _INSTEAD.get(subcommand, "")
    return Refusal(
        RefusalCode.SUBCOMMAND_NOT_ALLOWED,
        f"git {subcommand!r} is not a subcommand that this tool runs",
        f"{instead} These pass: {', '.join(CLASSIFIERS)}.".strip(),
    )
