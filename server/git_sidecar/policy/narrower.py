"""The gentler call that usually does what a destructive one was meant for. Pure.

A model that is refused takes the next thing at hand; naming the narrower tool keeps that from being a worse command.
"""

_STASH = "git_stash (action push) clears the way and keeps the changes."
_UNDO_COMMIT = "git with subcommand revert undoes a commit by a new one."

_BY_SUBCOMMAND: dict[str, str] = {
    "reset": f"git_restore with staged: true alone unstages and leaves files as they are; {_STASH}",
    "restore": f"git_restore with staged: true alone unstages and leaves files as they are; {_STASH}",
    "checkout": f"git_branch (action checkout) switches and refuses to overwrite work; {_STASH}",
    "switch": f"git_branch (action checkout) switches and refuses to overwrite work; {_STASH}",
    "clean": "git_stash (action push, includeUntracked: true) puts untracked files away and keeps them.",
    "rm": "git_add stages the deletion of a file that is gone already and deletes none.",
    "mv": "git with subcommand mv and without force moves a file and overwrites none.",
    "merge": "git_diff with from and to shows what a merge would bring without changing anything.",
    "rebase": "git_log and git_diff show what differs; git_branch (action create) keeps the old tip under a name.",
    "revert": "git_show shows the commit; git_branch (action create) makes a place to try it.",
    "cherry-pick": "git_show shows the commit; git_branch (action create) makes a place to try it.",
    "commit": "git_commit without amend makes a new commit and rewrites none.",
    "branch": "git_branch (action rename) keeps the commits under another name.",
    "tag": "git_tag (action create) with another name moves and deletes no tag.",
    "stash": "git_stash (action apply) brings the changes back and keeps the entry.",
}
_DEFAULT = f"{_STASH} {_UNDO_COMMIT}"


def narrower_hint(command: tuple[str, ...]) -> str:
    """One sentence that names the narrower tool for a destructive command (`("git", "reset", "--hard")`)."""
    subcommand = next((word for word in command[1:] if not word.startswith("-")), "")
    return _BY_SUBCOMMAND.get(subcommand, _DEFAULT)
