"""Options of the subcommands that overwrite, delete or rewrite (git-reset(1), git-rebase(1), git-merge(1) …)."""

from git_sidecar.options.table import read_table

RESET = read_table(
    """
    -q --[no-]quiet
    --no-refresh
    --refresh
    --[no-]mixed
    --[no-]soft
    --[no-]hard
    --[no-]merge
    --[no-]keep
    --[no-]recurse-submodules[=TEXT]    refused: it overwrites the submodules' work trees too
    -p --[no-]patch                     refused: it waits for a person; name the paths
    -N --[no-]intent-to-add
    --[no-]pathspec-from-file=TEXT      refused: it reads a file; give the paths as arguments
    --[no-]pathspec-file-nul            refused: it belongs to --pathspec-from-file
    """
)

CLEAN = read_table(
    """
    -q --[no-]quiet
    -n --[no-]dry-run
    -f --[no-]force                     destructive
    -i --[no-]interactive               refused: it waits for a person; --dry-run shows what would go
    -d
    -e --exclude=TEXT
    -x
    -X
    """
)

CHECKOUT = read_table(
    """
    -b=NAME
    -B=NAME
    -l
    --[no-]guess
    --[no-]overlay
    -q --[no-]quiet
    --[no-]recurse-submodules[=TEXT]    refused: it overwrites the submodules' work trees too
    --[no-]progress
    -m --[no-]merge
    --[no-]conflict=merge|diff3|zdiff3
    -d --[no-]detach
    -t --[no-]track[=direct|inherit]
    -f --[no-]force
    --[no-]orphan=NAME
    --[no-]overwrite-ignore
    --[no-]ignore-other-worktrees
    -2 --ours
    -3 --theirs
    -p --[no-]patch                     refused: it waits for a person; name the paths
    --[no-]ignore-skip-worktree-bits
    --[no-]pathspec-from-file=TEXT      refused: it reads a file; give the paths as arguments
    --[no-]pathspec-file-nul            refused: it belongs to --pathspec-from-file
    """
)

RESTORE = read_table(
    """
    -s --[no-]source=REV
    -S --[no-]staged
    -W --[no-]worktree
    --[no-]ignore-unmerged
    --[no-]overlay
    -q --[no-]quiet
    --[no-]recurse-submodules[=TEXT]    refused: it overwrites the submodules' work trees too
    --[no-]progress
    -m --[no-]merge
    --[no-]conflict=merge|diff3|zdiff3
    -2 --ours
    -3 --theirs
    -p --[no-]patch                     refused: it waits for a person; name the paths
    --[no-]ignore-skip-worktree-bits
    --[no-]pathspec-from-file=TEXT      refused: it reads a file; give the paths as arguments
    --[no-]pathspec-file-nul            refused: it belongs to --pathspec-from-file
    """
)

REBASE = read_table(
    """
    --[no-]onto=REV
    --[no-]keep-base
    --no-verify                         refused: it skips a hook
    --verify
    -q --[no-]quiet
    -v --[no-]verbose
    -n --no-stat
    --stat
    --[no-]signoff
    --[no-]committer-date-is-author-date
    --[no-]reset-author-date --ignore-date
    -C=N
    --[no-]ignore-whitespace
    --[no-]whitespace=nowarn|warn|fix|error|error-all|strip
    -f --[no-]force-rebase
    --no-ff
    --ff
    --continue
    --skip
    --abort
    --quit
    --edit-todo                         refused: it opens an editor
    --show-current-patch                refused: it runs textconv programs; git show REBASE_HEAD shows the same
    --apply
    -m --merge
    -i --interactive                    refused: it opens an editor; reset --soft and commit put commits together
    --[no-]preserve-merges              refused: git has removed it; use --rebase-merges
    --[no-]rerere-autoupdate
    --empty=drop|keep|stop
    --[no-]keep-empty
    --[no-]autosquash
    --[no-]update-refs
    -S --[no-]gpg-sign[=TEXT]           refused: it runs the signature program; commit.gpgSign decides about signing
    --[no-]autostash
    -x --[no-]exec=TEXT                 refused: it runs a command
    --[no-]allow-empty-message
    -r --[no-]rebase-merges[=rebase-cousins|no-rebase-cousins]
    --[no-]fork-point
    -s --[no-]strategy=ort|recursive|resolve|octopus|ours|subtree
    -X --[no-]strategy-option=WORD
    --[no-]root
    --[no-]reschedule-failed-exec       refused: it belongs to --exec
    --[no-]reapply-cherry-picks
    """
)

_SEQUENCER = """
    --quit
    --continue
    --abort
    --skip
    --[no-]cleanup=strip|whitespace|verbatim|scissors|default
    -n --no-commit
    --commit
    -e --[no-]edit                      refused: it opens an editor; the prepared message is taken
    -s --[no-]signoff
    -m --[no-]mainline=N
    --[no-]rerere-autoupdate
    --[no-]strategy=ort|recursive|resolve|octopus|ours|subtree
    -X --[no-]strategy-option=WORD
    -S --[no-]gpg-sign[=TEXT]           refused: it runs the signature program; commit.gpgSign decides about signing
    """

REVERT = read_table(_SEQUENCER + "--[no-]reference")

CHERRY_PICK = read_table(
    _SEQUENCER
    + """-x
    -r
    --[no-]ff
    --[no-]allow-empty
    --[no-]allow-empty-message
    --[no-]keep-redundant-commits
    --empty=drop|keep|stop
    """
)

# Of git-merge(1), and of git-pull(1) where it hands them on.
MERGING = """
    -n
    --[no-]stat
    --[no-]summary
    --[no-]log[=N]
    --[no-]squash
    --[no-]commit
    --[no-]edit                         refused: it opens an editor; the prepared message is taken
    --[no-]cleanup=strip|whitespace|verbatim|scissors|default
    --[no-]ff
    --ff-only
    --[no-]verify-signatures            refused: it runs the signature program
    -s --[no-]strategy=ort|recursive|resolve|octopus|ours|subtree
    -X --[no-]strategy-option=WORD
    -S --[no-]gpg-sign[=TEXT]           refused: it runs the signature program; commit.gpgSign decides about signing
    --[no-]autostash
    --[no-]signoff
    """

MERGE = read_table(
    MERGING
    + """-e                              refused: it opens an editor; the prepared message is taken
    --[no-]rerere-autoupdate
    -m --[no-]message=TEXT
    -F --file=TEXT                      refused: it reads a file; give the text with --message
    --[no-]into-name=TEXT
    -v --[no-]verbose
    -q --[no-]quiet
    --[no-]abort
    --[no-]quit
    --[no-]continue
    --[no-]allow-unrelated-histories
    --[no-]progress
    --[no-]overwrite-ignore
    --no-verify                         refused: it skips the hooks
    --verify
    """
)
