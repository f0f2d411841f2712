"""Options of the subcommands that talk to a remote (git-push(1), git-fetch(1), git-pull(1))."""

from git_sidecar.options.table import read_table
from git_sidecar.options.tables.destructive import MERGING

PUSH = read_table(
    """
    -v --[no-]verbose
    -q --[no-]quiet
    --[no-]repo=TEXT                    refused: it may be a URL; name a configured remote as the first argument
    --[no-]all --branches
    --[no-]mirror                       refused: it overwrites and deletes everything on the remote
    -d --[no-]delete
    --[no-]tags
    -n --[no-]dry-run
    --[no-]porcelain
    -f --[no-]force
    --[no-]force-with-lease[=TEXT]
    --[no-]force-if-includes
    --[no-]recurse-submodules=check|no
    --[no-]thin
    --[no-]receive-pack=TEXT            refused: it runs a program
    --[no-]exec=TEXT                    refused: it runs a program
    -u --[no-]set-upstream
    --[no-]progress
    --[no-]prune                        refused: it deletes branches of the remote; --delete names them
    --no-verify                         refused: it skips a hook
    --verify
    --[no-]follow-tags
    --[no-]signed[=TEXT]                refused: it runs the signature program; push.gpgSign decides about signing
    --[no-]atomic
    -o --[no-]push-option=TEXT          refused: what the server makes of it is not known
    -4 --[no-]ipv4
    -6 --[no-]ipv6
    """
)

_FETCHING = """
    -v --[no-]verbose
    -q --[no-]quiet
    --[no-]all
    --[no-]set-upstream
    -a --[no-]append
    --[no-]upload-pack=TEXT             refused: it runs a program
    -f --[no-]force                     refused: it overwrites local refs
    -t --[no-]tags
    -p --[no-]prune
    --[no-]dry-run
    -k --[no-]keep
    --[no-]progress
    --[no-]depth=N                      refused: it cuts off history
    --[no-]shallow-since=TEXT           refused: it cuts off history
    --[no-]shallow-exclude=TEXT         refused: it cuts off history
    --[no-]deepen=N
    --unshallow
    --[no-]update-shallow               refused: it cuts off history
    --refmap=TEXT                       refused: it decides which refs are written
    -o --[no-]server-option=TEXT        refused: what the server makes of it is not known
    -4 --[no-]ipv4
    -6 --[no-]ipv6
    --[no-]negotiation-tip=TEXT         refused: it belongs to scripts
    --[no-]show-forced-updates
    """

FETCH = read_table(
    _FETCHING
    + """--[no-]atomic
    -m --[no-]multiple
    -n
    -j --[no-]jobs=N
    --[no-]prefetch                     refused: it writes other refs than fetch does
    -P --[no-]prune-tags                refused: it deletes local tags
    --[no-]recurse-submodules[=TEXT]    refused: it contacts the submodules' URLs
    --[no-]write-fetch-head
    -u --[no-]update-head-ok            refused: it moves the branch that is checked out
    --refetch
    --[no-]submodule-prefix=TEXT        refused: it belongs to scripts
    --[no-]recurse-submodules-default=TEXT   refused: it contacts the submodules' URLs
    --[no-]negotiate-only               refused: it belongs to scripts
    --[no-]filter=TEXT                  refused: it leaves objects out, to be fetched later without asking
    --[no-]auto-maintenance
    --[no-]auto-gc
    --[no-]write-commit-graph
    --[no-]stdin                        refused: it waits for standard input; give the refspecs as arguments
    """
)

PULL = read_table(
    _FETCHING
    + MERGING
    + """-r --[no-]rebase[=true|false|merges|t|f|m]
    --[no-]recurse-submodules[=TEXT]    refused: it contacts the submodules' URLs
    -j --[no-]jobs[=N]
    --verify
    --no-verify                         refused: it skips the hooks
    --[no-]allow-unrelated-histories    refused: it joins histories that have nothing in common
    """
)
