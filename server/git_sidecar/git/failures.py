"""How git says no: (exit status, stderr, stdout) to a refusal code, in one table.

git's messages are stable under LC_ALL=C.UTF-8; each pattern was seen with git 2.39.5 or stands in its source. The first
row that fits decides. Hooks write what they like, so rows that quote git's own words come before the guess that a hook
said no.
"""

import re
from dataclasses import dataclass

from git_sidecar.git.invocation import Completed
from git_sidecar.git.redact import redact
from git_sidecar.model.refusal import Refusal, RefusalCode, Retry

TAIL_CHARACTERS = 8_000


# Words that only these commands say in earnest; a hook of another one may quote them.
_NETWORK = frozenset({"fetch", "pull", "push", "ls-remote", "remote"})


@dataclass(frozen=True, slots=True)
class Row:
    """One kind of failure: what git prints, the code it means, and what to do next.

    `commands`: only of these (empty: of all). `of_commit`: also `git commit` that ends with 1, where hooks speak too.
    `of_stdout`: only what stands on stdout, to which commit hooks cannot write.
    """

    pattern: re.Pattern[str]
    code: RefusalCode
    message: str
    hint: str | None = None
    retry: Retry | None = None
    commands: frozenset[str] = frozenset()
    of_commit: bool = False
    of_stdout: bool = False


def _row(
    pattern: str,
    code: RefusalCode,
    message: str,
    hint: str | None = None,
    *,
    retry: Retry | None = None,
    commands: frozenset[str] = frozenset(),
    of_commit: bool = False,
    of_stdout: bool = False,
) -> Row:
    return Row(re.compile(pattern, re.MULTILINE), code, message, hint, retry, commands, of_commit, of_stdout)


_C = RefusalCode
TABLE: tuple[Row, ...] = (
    _row(
        r"detected dubious ownership",
        _C.UNSAFE_REPOSITORY,
        "git refuses this repository: dubious ownership, it belongs to another user",
        "If you trust it, add it yourself: git config --global --add safe.directory <path>. Nothing was added.",
    ),
    _row(
        r"cannot use bare repository|safe\.bareRepository",
        _C.UNSAFE_REPOSITORY,
        "git refuses a bare repository found inside another work tree",
        "Open the bare repository as a workspace folder of its own if it is meant.",
    ),
    _row(
        r"not a git repository",
        _C.NOT_A_REPOSITORY,
        "this directory is no git repository any more",
        "Check that it still exists and still has its .git.",
    ),
    _row(
        r"unknown repository extension|Expected git repo version",
        _C.UNSAFE_REPOSITORY,
        "this repository uses a format that the installed git does not know",
        "Update git, or open the repository with the git that made it.",
    ),
    _row(
        r"must be run in a work tree|this operation must be run in a work tree",
        _C.BARE_REPOSITORY,
        "this repository is bare: it has no work tree",
        "Use a worktree of it.",
    ),
    _row(
        r"Unable to create '[^']*\.lock': File exists|cannot lock ref .*Unable to create|could not lock config file",
        _C.REPOSITORY_LOCKED,
        "another git process holds this repository's lock",
        "Try again when it has ended; if none runs, remove the .lock file that git names by hand.",
    ),
    _row(
        r"Please tell me who you are|unable to auto-detect email address|empty ident name|no email was given|"
        r"no name was given",
        _C.IDENTITY_MISSING,
        "git does not know who commits: user.name and user.email are not set",
        "Set them: git config user.name … and git config user.email …",
    ),
    _row(
        # A signer of ssh's kind that fails without a word leaves only the last line; a store that cannot be written to
        # ends in it too, but says why.
        r"(?s:\A(?!.*(?:unable to |insufficient permission|No space left)).*failed to write commit object)|"
        r"gpg failed to sign|failed to write commit object.*sign|error: gpg |unable to sign the tag|"
        r"user\.signingkey needs to be set|Load key .*|error: ssh-keygen|Couldn't load public key|No private key found",
        _C.SIGNING_FAILED,
        "signing failed, so nothing was made",
        "Unlock or configure the signing key; signing is never switched off on its own.",
    ),
    _row(
        r"could not read (?:Username|Password)|Authentication failed|terminal prompts disabled|"
        r"Permission denied \((?:publickey|password|keyboard)|Host key verification failed|"
        r"HTTP Basic: Access denied|The requested URL returned error: 40[13]",
        _C.AUTH_REQUIRED,
        "the remote wants a sign-in that nobody can give here",
        "Sign in once in a terminal or with a credential helper (ssh-add, git credential), then try again.",
        commands=_NETWORK,
    ),
    _row(
        r"\[rejected\].*\((?:fetch first|non-fast-forward|needs force)\)|\[rejected\].*stale info|non-fast-forward|"
        r"Updates were rejected because",
        _C.NOT_FAST_FORWARD,
        "the remote branch has commits that this push would drop",
        "Fetch and merge or rebase first, then push again.",
        commands=_NETWORK,
    ),
    _row(
        r"\[remote rejected\]|pre-receive hook declined|protected branch hook declined|remote: error:",
        _C.REMOTE_REJECTED,
        "the remote refused it",
        "What it said is in stderr; only who runs the remote can change that.",
        commands=_NETWORK,
    ),
    _row(
        r"Could not resolve host|unable to access '|Connection (?:refused|timed out|reset)|Network is unreachable|"
        r"does not appear to be a git repository|Could not read from remote repository|unable to connect to",
        _C.COMMAND_FAILED,
        "the remote could not be reached",
        "Check the network and the remote's URL (git remote -v), then try again.",
        retry=Retry.LATER,
        commands=_NETWORK,
    ),
    _row(
        r"Not possible to fast-forward|Need to specify how to reconcile divergent branches|"
        r"divergent branches|Diverging branches can't be fast-forwarded",
        _C.NOT_FAST_FORWARD,
        "the branches have diverged, so this cannot be fast-forwarded",
        "Say how to join them: a merge, or a rebase.",
    ),
    _row(
        r"because you have unmerged files|Exiting because of an unresolved conflict|Pulling is not possible|"
        r"Merging is not possible|you need to resolve your current index first|"
        r"cannot do a partial commit during a|Committing is not possible|needs merge$|"
        r"you have unmerged paths|is unmerged$",
        _C.OPERATION_IN_PROGRESS,
        "an operation with unresolved or unfinished work is in progress",
        "Resolve the conflicts and stage them, then continue or abort it.",
    ),
    _row(
        r"You have not concluded your|cannot switch branch while|in the middle of a|rebase in progress|"
        r"is already in progress|already a rebase-(?:merge|apply)|MERGE_HEAD exists|CHERRY_PICK_HEAD exists",
        _C.OPERATION_IN_PROGRESS,
        "another git operation is in progress",
        "Finish or abort it first.",
    ),
    _row(
        r"^CONFLICT |Automatic merge failed|after resolving the conflicts|could not apply|"
        r"Merge conflict in|The stash entry is kept in case you need it again",
        _C.CONFLICT,
        "changes on both sides conflict",
        "Resolve the conflicts and stage the files, or abort.",
    ),
    _row(
        r"would be overwritten by (?:merge|checkout|reset)|local changes .*would be overwritten|"
        r"Please commit your changes or stash them|contains modified or untracked files|"
        r"cannot (?:rebase|pull with rebase): You have unstaged changes|Your index contains uncommitted changes|"
        r"has local modifications|has changes staged in the index|has staged content different from both|"
        r"Cannot merge\.|already exists, no checkout|could not restore untracked files from stash|"
        r"untracked working tree files would be",
        _C.DIRTY_WORKTREE,
        "uncommitted work stands in the way",
        "Commit or stash it first; nothing was overwritten.",
    ),
    _row(
        r"^(?:nothing to commit|no changes added to commit|nothing added to commit|No changes$)",
        _C.NOTHING_TO_COMMIT,
        "nothing is staged, so there is nothing to commit",
        "Stage changes with git_add first.",
        of_commit=True,
        of_stdout=True,
    ),
    _row(
        r"^Aborting commit due to empty commit message",
        _C.INVALID_ARGUMENTS,
        "the commit message is empty",
        "Give a message with at least one word.",
        of_commit=True,
    ),
    _row(
        r"^error: pathspec '.*' did not match any file",
        _C.PATH_NOT_FOUND,
        "git knows no such path",
        "Paths are literal; check the spelling with git_status.",
        of_commit=True,
    ),
    _row(
        r"You have nothing to amend|does not have any commits yet|No local changes to save|No stash entries found|"
        r"You do not have the initial commit yet|There is no merge to abort|[Nn]o rebase in progress|"
        r"nothing to abort|no cherry-pick or revert in progress",
        _C.NOTHING_TO_DO,
        "there is nothing that this call could work on",
    ),
    _row(
        r"pathspec '.*' did not match any file|did not match any file\(s\) known to git|no such path|"
        r"exists on disk, but not in|does not exist in|bad source, source=|is outside repository|"
        r"is beyond a symbolic link",
        _C.PATH_NOT_FOUND,
        "git knows no such path",
        "Paths are literal; check the spelling with git_status.",
    ),
    _row(
        r"is in submodule '",
        _C.PATH_NOT_FOUND,
        "the path lies in a submodule, which is a repository of its own",
        "Name that repository by `repository` or `workdir`.",
    ),
    _row(
        r"outside of your sparse-checkout definition",
        _C.COMMAND_FAILED,
        "the path lies outside of the sparse checkout",
        "Let the person widen it (git sparse-checkout add), then try again.",
    ),
    _row(
        r"already checked out at '|already used by worktree at '|is checked out at '",
        _C.COMMAND_FAILED,
        "that branch is checked out in another worktree",
        "Work in that worktree, or use another branch.",
    ),
    _row(
        r"refusing to merge unrelated histories",
        _C.COMMAND_FAILED,
        "the two histories have no common commit",
        "If they belong together, let the person merge them.",
        retry=Retry.ASK_USER,
    ),
    _row(
        r"No space left on device",
        _C.COMMAND_FAILED,
        "the disk is full",
        retry=Retry.ASK_USER,
    ),
    _row(
        r"a (?:branch|tag) named '.*' already exists|tag '.*' already exists|already exists\.$|"
        r"cannot lock ref .*exists; cannot create|reference already exists",
        _C.REF_EXISTS,
        "that name is taken",
        "Choose another name.",
    ),
    _row(
        r"unknown revision|bad revision|invalid reference|ambiguous argument|not a valid (?:object|ref|commit)|"
        r"Not a valid object name|not something we can merge|does not point to a commit|Needed a single revision|"
        r"bad object|branch '.*' not found|tag '.*' not found|is not a valid reference|couldn't find remote ref|"
        r"src refspec .* does not match|not a commit|Failed to resolve|no such (?:ref|branch)|Invalid object name|"
        r"is not a stash|Not a valid|not a valid branch",
        _C.REF_NOT_FOUND,
        "there is no such revision or name",
        "List what exists with git_branch, git_tag or git_log.",
    ),
    _row(
        r"not fully merged",
        _C.INVALID_ARGUMENTS,
        "the branch holds commits that no other branch has",
        "Merge it first, or say force: true to drop them.",
    ),
)

_HOOKED = frozenset({"commit", "merge", "push", "rebase", "am", "cherry-pick", "revert", "pull", "switch", "checkout"})


def tail_text(raw: bytes) -> str | None:
    """The end of what a process printed, decoded, passwords hidden, at most TAIL_CHARACTERS; None for nothing."""
    text = raw.decode("utf-8", "replace").strip("\n")
    # More than is kept is redacted, since a URL that is cut would not be known for one.
    return redact(text[-2 * TAIL_CHARACTERS :])[-TAIL_CHARACTERS:] or None


def refusal_for(subcommand: str, completed: Completed) -> Refusal:
    """The refusal that a failed git call means; what git and its hooks printed goes with it, tail kept."""
    stderr, stdout = tail_text(completed.stderr), tail_text(completed.stdout[-4 * TAIL_CHARACTERS :])
    said = "\n".join(part for part in (stderr, stdout) if part)
    row = _find_row(subcommand, completed.code, said, stdout or "")
    if row is not None:
        code, message, hint, retry = row.code, row.message, row.hint, row.retry
    elif _is_hook(subcommand, completed.code, said, stderr or ""):
        code, message, retry = _C.HOOK_REJECTED, f"a hook refused git {subcommand}", None
        hint = "Do what the hook asks for; hooks are never skipped."
    else:
        first = next((line for line in said.split("\n") if line.strip()), f"exit status {completed.code}")
        code, message, hint, retry = _C.COMMAND_FAILED, f"git {subcommand} failed: {first[:300]}", None, None
    return Refusal(code, message, hint, retry, stderr=stderr, stdout=stdout, exit_code=completed.code)


def _find_row(subcommand: str, code: int, said: str, stdout: str) -> Row | None:
    # git commit itself ends with 1 for few reasons; for all others it is a hook that has spoken, in any words.
    spoken_over = subcommand == "commit" and code == 1
    for row in TABLE:
        if (row.commands and subcommand not in row.commands) or (spoken_over and not row.of_commit):
            continue
        if row.pattern.search(stdout if row.of_stdout else said):
            return row
    return None


def _is_hook(subcommand: str, code: int, said: str, stderr: str) -> bool:
    if subcommand == "commit":
        return code == 1
    if subcommand == "push" and "failed to push some refs" in said:
        return True
    # git's own failures begin with a word of git's; what is left over from a command that runs hooks is a hook's.
    spoke = re.search(r"^(?:fatal|error|warning|usage|BUG): ", stderr, re.MULTILINE)
    return subcommand in _HOOKED and spoke is None
