"""Options of the subcommands that add to what there is (git-add(1), git-commit(1), git-switch(1), git-mv(1) …)."""

from git_sidecar.options.table import read_table

ADD = read_table(
    """
    -n --[no-]dry-run
    -v --[no-]verbose
    -i --[no-]interactive               refused: it waits for a person; git_add stages hunks
    -p --[no-]patch                     refused: it waits for a person; git_add stages hunks
    -e --[no-]edit                      refused: it opens an editor; git_add stages hunks
    -f --[no-]force
    -u --[no-]update
    --[no-]renormalize
    -N --[no-]intent-to-add
    -A --[no-]all
    --[no-]ignore-removal
    --[no-]refresh
    --[no-]ignore-errors
    --[no-]ignore-missing
    --[no-]sparse
    --[no-]chmod=+x|-x
    --[no-]warn-embedded-repo
    --[no-]pathspec-from-file=TEXT      refused: it reads a file; give the paths as arguments
    --[no-]pathspec-file-nul            refused: it belongs to --pathspec-from-file
    """
)

COMMIT = read_table(
    """
    -q --[no-]quiet
    -v --[no-]verbose                   refused: it runs textconv programs; git diff --cached shows the same
    -F --[no-]file=TEXT                 refused: it reads a file; give the text with --message
    --[no-]author=TEXT
    --[no-]date=TEXT
    -m --[no-]message=TEXT
    -c --[no-]reedit-message=TEXT       refused: it opens an editor; --reuse-message takes the message as it is
    -C --[no-]reuse-message=REV
    --[no-]fixup=TEXT
    --[no-]squash=TEXT                  refused: it opens an editor; use --fixup
    --[no-]reset-author                 destructive
    --trailer=TEXT                      refused: it runs the program that the configuration names; write it in the text
    -s --[no-]signoff
    -t --[no-]template=TEXT             refused: it reads a file; give the text with --message
    -e --[no-]edit                      refused: it opens an editor; give the text with --message
    --[no-]cleanup=strip|whitespace|verbatim|scissors|default
    --[no-]status
    -S --[no-]gpg-sign[=TEXT]           refused: it runs the signature program; commit.gpgSign decides about signing
    -a --[no-]all
    -i --[no-]include
    --[no-]interactive                  refused: it waits for a person
    -p --[no-]patch                     refused: it waits for a person
    -o --[no-]only
    -n --no-verify                      refused: it skips the hooks
    --verify
    --[no-]dry-run
    --[no-]short
    --[no-]branch
    --[no-]ahead-behind
    --[no-]porcelain
    --[no-]long
    -z --[no-]null
    --[no-]amend                        destructive
    --no-post-rewrite                   refused: it skips a hook
    --post-rewrite
    -u --[no-]untracked-files[=all|normal|no]
    --[no-]pathspec-from-file=TEXT      refused: it reads a file; give the paths as arguments
    --[no-]pathspec-file-nul            refused: it belongs to --pathspec-from-file
    --[no-]allow-empty
    --[no-]allow-empty-message
    """
)

SWITCH = read_table(
    """
    -c --[no-]create=NAME
    -C --[no-]force-create=NAME         destructive
    --[no-]guess
    --[no-]discard-changes              destructive
    -q --[no-]quiet
    --[no-]recurse-submodules[=TEXT]    refused: it overwrites the submodules' work trees too
    --[no-]progress
    -m --[no-]merge                     destructive
    --[no-]conflict=merge|diff3|zdiff3  destructive
    -d --[no-]detach
    -t --[no-]track[=direct|inherit]
    -f --[no-]force                     destructive
    --[no-]orphan=NAME                  destructive
    --[no-]overwrite-ignore             destructive
    --[no-]ignore-other-worktrees       destructive
    """
)

MV = read_table(
    """
    -v --[no-]verbose
    -n --[no-]dry-run
    -f --[no-]force                     destructive
    -k
    --[no-]sparse
    """
)

RM = read_table(
    """
    -n --[no-]dry-run
    -q --[no-]quiet
    --[no-]cached
    -f --[no-]force                     destructive
    -r
    --[no-]ignore-unmatch
    --[no-]sparse
    --[no-]pathspec-from-file=TEXT      refused: it reads a file; give the paths as arguments
    --[no-]pathspec-file-nul            refused: it belongs to --pathspec-from-file
    """
)

STASH_PUSH = read_table(
    """
    -k --[no-]keep-index
    -S --[no-]staged
    -p --[no-]patch                     refused: it waits for a person; name the paths
    -q --[no-]quiet
    -u --[no-]include-untracked
    -a --[no-]all
    -m --[no-]message=TEXT
    --[no-]pathspec-from-file=TEXT      refused: it reads a file; give the paths as arguments
    --[no-]pathspec-file-nul            refused: it belongs to --pathspec-from-file
    """
)

STASH_APPLY = read_table(
    """
    -q --[no-]quiet
    --[no-]index
    """
)

STASH_DROP = read_table("-q --[no-]quiet")
