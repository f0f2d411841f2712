"""What our own tools may run besides: plumbing, and forms that take standard input from us.

No caller's argument list is ever read by these tables. The note is the tier that an option raises the form to.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from git_sidecar.model.tier import Tier
from git_sidecar.options.table import Table, read_table
from git_sidecar.options.tables import destructive, diffs, reading, refs, writing


@dataclass(frozen=True, slots=True)
class OwnForm:
    """A subcommand as our tools use it: its options, its tier, and options of which one must be there."""

    table: Table
    tier: Tier
    needs: tuple[str, ...] = ()


def _form(lines: str, tier: Tier, *needs: str, base: Table | None = None) -> OwnForm:
    return OwnForm(read_table(lines, base=base, abbreviations=False), tier, needs)


_PATHS_FROM_INPUT = """
    --pathspec-from-file=-
    --pathspec-file-nul
    """
_MESSAGE_FROM_INPUT = "-F --file=-"
_TREES = """
    -m
    --merge-base
    --cached
    --root
    --no-commit-id
    --stdin
    -O=/dev/null
    """

OWN_FORMS: Mapping[str, OwnForm] = MappingProxyType(
    {
        # Reading.
        "version": _form("--build-options", Tier.READ),
        "config": _form(
            """
            -l --list
            --get
            --get-all
            --get-regexp
            --get-urlmatch
            -z --null
            --name-only
            --includes
            --no-includes
            --show-origin
            --show-scope
            --local
            --global
            --system
            --worktree
            --type=bool|int|bool-or-int|path|expiry-date|color
            --default=TEXT
            """,
            Tier.READ,
            *("list", "get", "get-all", "get-regexp", "get-urlmatch"),
        ),
        "for-each-ref": _form(
            """
            --format=REFFORMAT
            --sort=REFFORMAT
            --count=N
            --points-at=REV
            --contains=REV
            --no-contains=REV
            --merged=REV
            --no-merged=REV
            --ignore-case
            """,
            Tier.READ,
        ),
        "show-ref": _form("--heads\n--tags\n--verify\n-q --quiet\n-s --hash[=N]\n-d --dereference", Tier.READ),
        "rev-list": _form("--count\n--objects\n--stdin\n--no-commit-header", Tier.READ, base=diffs.HISTORY),
        "rev-parse": _form("--git-path=TEXT\n--path-format=absolute|relative", Tier.READ, base=reading.REV_PARSE),
        "merge-base": _form("-a --all\n--is-ancestor\n--fork-point\n--octopus\n--independent", Tier.READ),
        "name-rev": _form("--name-only\n--no-undefined\n--refs=TEXT\n--always", Tier.READ),
        "ls-tree": _form("-z\n-l --long\n-r\n-d\n-t\n--full-tree\n--full-name\n--name-only\n--format=TEXT", Tier.READ),
        "ls-files": _form("--recurse-submodules", Tier.READ, base=reading.LS_FILES),
        "cat-file": _form(
            "--batch[=TEXT]\n--batch-check[=TEXT]\n--batch-command[=TEXT]\n--buffer\n-z\n-Z",
            Tier.READ,
            base=reading.CAT_FILE,
        ),
        "check-attr": _form("-a --all\n-z\n--stdin\n--cached\n--source=REV", Tier.READ),
        "check-ignore": _form("--stdin", Tier.READ, base=reading.CHECK_IGNORE),
        "check-ref-format": _form("--branch\n--normalize\n--allow-onelevel", Tier.READ),
        "var": _form("-l", Tier.READ),
        "count-objects": _form("-v --verbose", Tier.READ),
        "interpret-trailers": _form("--parse\n--only-trailers\n--only-input\n--unfold", Tier.READ, "parse"),
        "stripspace": _form("-s --strip-comments", Tier.READ),
        "patch-id": _form("--stable\n--unstable\n--verbatim", Tier.READ),
        "pack-objects": _form("-q\n--stdout\n--delta-base-offset\n--revs\n--thin\n--non-empty", Tier.READ, "stdout"),
        "diff": _form("-O=/dev/null", Tier.READ, base=diffs.DIFF),
        "diff-tree": _form(_TREES, Tier.READ, base=diffs.DIFFS),
        "diff-index": _form(_TREES, Tier.READ, base=diffs.DIFFS),
        "diff-files": _form("-O=/dev/null\n-0\n-1\n-2\n-3\n-q", Tier.READ, base=diffs.DIFFS),
        "log": _form("--stdin\n-O=/dev/null\n--no-mailmap", Tier.READ, base=diffs.HISTORY),
        "show": _form("-O=/dev/null\n--no-mailmap", Tier.READ, base=diffs.HISTORY),
        # An empty name takes back what the configuration names.
        "blame": _form("--ignore-revs-file=", Tier.READ, base=reading.BLAME),
        "ls-remote": _form("-h --heads\n-t --tags\n--refs\n-q --quiet\n--exit-code\n--symref", Tier.NETWORK),
        # Writing objects, the index (often a private one) and refs.
        "hash-object": _form(
            "-w\n-t=blob|tree|commit|tag\n--stdin\n--stdin-paths\n--no-filters\n--path=PATH", Tier.WRITE
        ),
        "mktree": _form("-z\n--missing\n--batch", Tier.WRITE),
        "mktag": _form("--strict", Tier.WRITE),
        "write-tree": _form("--missing-ok", Tier.WRITE),
        "commit-tree": _form("-p=REV\n-F=-\n-m=TEXT", Tier.WRITE),
        "unpack-objects": _form("-q\n-n", Tier.WRITE),
        "index-pack": _form("--stdin\n--fix-thin\n--keep[=TEXT]\n-v", Tier.WRITE, "stdin"),
        "update-index": _form(
            """
            -q
            -z
            --stdin
            --index-info
            --cacheinfo
            --add
            --remove
            --force-remove
            --refresh
            --really-refresh
            --replace
            --info-only
            --unmerged
            --chmod=+x|-x
            --assume-unchanged
            --no-assume-unchanged
            --skip-worktree
            --no-skip-worktree
            --no-split-index
            """,
            Tier.WRITE,
        ),
        "read-tree": _form(
            """
            -m
            --empty
            -i
            -v
            --reset                 destructive
            -u                      destructive
            """,
            Tier.WRITE,
        ),
        "checkout-index": _form(
            "-a --all\n-f --force\n-q --quiet\n-z\n-u --index\n--stdin\n--temp\n--prefix=PATH\n--stage=WORD",
            Tier.DESTRUCTIVE,
        ),
        "apply": _form(
            """
            --cached
            -R --reverse
            --check
            --recount
            --unidiff-zero
            --whitespace=nowarn
            --allow-empty
            --index                 destructive
            """,
            Tier.WRITE,
            *("cached", "index"),
        ),
        "update-ref": _form(
            """
            -m=TEXT
            --no-deref
            --create-reflog
            -z
            --stdin
            -d                      destructive
            """,
            Tier.WRITE,
        ),
        "symbolic-ref": _form(
            """
            -q --quiet
            --short
            --no-recurse
            -m=TEXT                 write
            -d --delete             destructive
            """,
            Tier.READ,
        ),
        # Porcelain, with the paths or the message on standard input.
        "add": _form(_PATHS_FROM_INPUT, Tier.WRITE, base=writing.ADD),
        "commit": _form(_PATHS_FROM_INPUT + _MESSAGE_FROM_INPUT, Tier.WRITE, "file", "message", base=writing.COMMIT),
        "rm": _form(_PATHS_FROM_INPUT, Tier.DESTRUCTIVE, base=writing.RM),
        "reset": _form(_PATHS_FROM_INPUT, Tier.DESTRUCTIVE, base=destructive.RESET),
        "restore": _form(_PATHS_FROM_INPUT, Tier.DESTRUCTIVE, base=destructive.RESTORE),
        "checkout": _form(_PATHS_FROM_INPUT, Tier.DESTRUCTIVE, base=destructive.CHECKOUT),
        "merge": _form(_MESSAGE_FROM_INPUT, Tier.DESTRUCTIVE, "file", base=destructive.MERGE),
        "tag": _form(_MESSAGE_FROM_INPUT, Tier.WRITE, "file", base=refs.TAG),
    }
)

STASH_FORMS: Mapping[str, OwnForm] = MappingProxyType(
    {
        "store": _form("-m --message=TEXT\n-q --quiet", Tier.WRITE),
        "push": _form(_PATHS_FROM_INPUT, Tier.WRITE, base=writing.STASH_PUSH),
    }
)
