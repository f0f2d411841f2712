"""Options of the subcommands that list, make and delete names (git-branch(1), git-tag(1), git-reflog(1) …)."""

from git_sidecar.options.table import read_table

BRANCH = read_table(
    """
    -v --[no-]verbose
    -q --[no-]quiet
    -t --[no-]track[=direct|inherit]
    --[no-]set-upstream                 refused: git has removed it; use --set-upstream-to
    -u --[no-]set-upstream-to=REV       write
    --[no-]unset-upstream               write
    --[no-]color[=always|never|auto]
    -r --[no-]remotes
    --contains --with=REV?
    --no-contains --without=REV?
    --[no-]abbrev[=N]
    -a --[no-]all
    -d --[no-]delete                    destructive
    -D                                  destructive
    -m --[no-]move                      write
    -M                                  destructive
    -c --[no-]copy                      write
    -C                                  destructive
    -l --[no-]list
    --[no-]show-current
    --[no-]create-reflog
    --[no-]edit-description             refused: it opens an editor
    -f --[no-]force                     destructive
    --merged=REV?
    --no-merged=REV?
    --[no-]column[=WORD]
    --[no-]sort=REFFORMAT
    --[no-]points-at=REV
    -i --[no-]ignore-case
    --[no-]recurse-submodules           refused: it makes branches in submodules too
    --[no-]format=REFFORMAT
    """
)

TAG = read_table(
    """
    -l --list
    -n[=N]
    -d --delete                         destructive
    -v --verify                         refused: it runs the signature program; git show shows the tag
    -a --[no-]annotate
    -m --message=TEXT
    -F --[no-]file=TEXT                 refused: it reads a file; give the text with --message
    --trailer=TEXT                      refused: it runs the program that the configuration names
    -e --[no-]edit                      refused: it opens an editor; give the text with --message
    -s --[no-]sign                      refused: it runs the signature program; tag.gpgSign decides about signing
    --[no-]cleanup=verbatim|whitespace|strip
    -u --[no-]local-user=TEXT           refused: it runs the signature program; tag.gpgSign decides about signing
    -f --[no-]force                     destructive
    --[no-]create-reflog
    --[no-]column[=WORD]
    --contains --with=REV?
    --no-contains --without=REV?
    --merged=REV?
    --no-merged=REV?
    --[no-]sort=REFFORMAT
    --[no-]points-at=REV?
    --[no-]format=REFFORMAT
    --[no-]color[=always|never|auto]
    -i --[no-]ignore-case
    """
)

REMOTE = read_table("-v --[no-]verbose")
REMOTE_SHOW = read_table("-n")
REMOTE_GET_URL = read_table(
    """
    --[no-]push
    --[no-]all
    """
)

NOTES = read_table("--[no-]ref=NAME")

WORKTREE_LIST = read_table(
    """
    --[no-]porcelain
    -v --[no-]verbose
    --[no-]expire=TEXT
    -z
    """
)

WORKTREE_ADD = read_table(
    """
    -f --[no-]force                     destructive
    -b=NAME
    -B=NAME                             destructive
    -d --[no-]detach
    --[no-]orphan
    --[no-]checkout
    --[no-]lock
    --[no-]reason=TEXT
    -q --[no-]quiet
    --[no-]track
    --[no-]guess-remote
    --[no-]relative-paths               refused: older gits do not know the extension that it sets
    """
)

WORKTREE_REMOVE = read_table("-f --[no-]force")

NO_OPTIONS = read_table("")
