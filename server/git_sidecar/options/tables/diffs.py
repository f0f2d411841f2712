"""Options of the diff and revision family, which many subcommands share (git-diff(1), git-log(1), git-rev-list(1)).

git takes no beginnings of these names. Those that write a file, run a program, read standard input or a file by name,
or run a merge driver are known, and refused.
"""

from git_sidecar.options.table import read_table

DIFFS = read_table(
    """
    -p -u --patch
    -s --no-patch
    -U --unified[=N]
    --output=TEXT                       refused: it writes a file; the output comes back as stdout
    --output-indicator-new=TEXT
    --output-indicator-old=TEXT
    --output-indicator-context=TEXT
    --raw
    --patch-with-raw
    --patch-with-stat
    --[no-]indent-heuristic
    --minimal
    --patience
    --histogram
    --anchored=TEXT
    --diff-algorithm=default|myers|minimal|patience|histogram
    --stat[=WORD]
    --stat-width=N
    --stat-name-width=N
    --stat-graph-width=N
    --stat-count=N
    --[no-]compact-summary
    --numstat
    --shortstat
    -X --dirstat[=WORD]
    --cumulative
    --dirstat-by-file[=WORD]
    --summary
    --name-only
    --name-status
    --submodule[=short|log]
    --[no-]color[=always|never|auto]
    --[no-]color-moved[=WORD]
    --[no-]color-moved-ws=WORD
    --word-diff[=color|plain|porcelain|none]
    --word-diff-regex=TEXT
    --color-words[=TEXT]
    --[no-]renames
    --[no-]rename-empty
    --check
    --ws-error-highlight=WORD
    --[no-]full-index
    --binary
    --[no-]abbrev[=N]
    -B --break-rewrites[=WORD]
    -M --find-renames[=WORD]
    -C --find-copies[=WORD]
    --find-copies-harder
    -D --irreversible-delete
    -l=N
    --diff-filter=WORD
    -S=TEXT
    -G=TEXT
    --find-object=REV
    --pickaxe-all
    --pickaxe-regex
    -O=TEXT                             refused: it reads a file by name
    --skip-to=TEXT
    --rotate-to=TEXT
    -R
    --[no-]relative[=PATH]
    -a --[no-]text
    --ignore-cr-at-eol
    --ignore-space-at-eol
    -b --ignore-space-change
    -w --ignore-all-space
    --ignore-blank-lines
    -I --ignore-matching-lines=TEXT
    --inter-hunk-context=N
    -W --[no-]function-context
    --exit-code
    --quiet
    --[no-]ext-diff                     refused: it runs the program that the configuration names
    --[no-]textconv                     refused: it runs the program that the configuration names
    --ignore-submodules[=none|untracked|dirty|all]
    --src-prefix=TEXT
    --dst-prefix=TEXT
    --no-prefix
    --line-prefix=TEXT
    --ita-invisible-in-index
    --ita-visible-in-index
    --no-index                          refused: it reads files that are not of the repository
    --cc
    -c
    -m
    -t
    -r
    -z
    --combined-all-paths
    """,
    abbreviations=False,
)

HISTORY = read_table(
    """
    -# -n --max-count=N
    --skip=N
    --since --after=TEXT
    --since-as-filter=TEXT
    --until --before=TEXT
    --max-age=N
    --min-age=N
    --author=TEXT
    --committer=TEXT
    --grep-reflog=TEXT
    --grep=TEXT
    --all-match
    --invert-grep
    -i --regexp-ignore-case
    --basic-regexp
    -E --extended-regexp
    -F --fixed-strings
    -P --perl-regexp
    --remove-empty
    --merges
    --no-merges
    --min-parents=N
    --max-parents=N
    --no-min-parents
    --no-max-parents
    --first-parent
    --exclude-first-parent-only
    --not                               revision
    --all                               revision
    --branches[=TEXT]                   revision
    --tags[=TEXT]                       revision
    --remotes[=TEXT]                    revision
    --glob=TEXT                         revision
    --exclude=TEXT                      revision
    --reflog                            revision
    --bisect                            revision
    --single-worktree                   revision
    --alternate-refs                    refused: it runs the program that the configuration names
    --stdin                             refused: it waits for standard input; give the revisions as arguments
    --ignore-missing
    --cherry-mark
    --cherry-pick
    --cherry
    --left-only
    --right-only
    --left-right
    -g --walk-reflogs
    --merge
    --boundary
    --simplify-by-decoration
    --show-pulls
    --full-history
    --dense
    --sparse
    --simplify-merges
    --ancestry-path[=REV]
    --date-order
    --author-date-order
    --topo-order
    --reverse
    --no-walk[=sorted|unsorted]
    --do-walk
    --pretty --format[=FORMAT]
    --oneline
    --[no-]abbrev-commit
    --encoding=WORD
    --[no-]expand-tabs[=N]
    --[no-]notes[=NAME]
    --show-notes[=NAME]
    --show-notes-by-default
    --[no-]standard-notes
    --[no-]show-signature               refused: it runs the signature program that the configuration names
    --relative-date
    --date=TEXT
    --parents
    --children
    --[no-]graph
    --show-linear-break[=TEXT]
    --[no-]diff-merges=off|none|first-parent|1|separate|combined|c|dense-combined|cc
    --remerge-diff                      refused: it runs the merge drivers that the configuration names
    -L=LINES
    --[no-]follow
    --full-diff
    --[no-]decorate[=short|full|auto|no]
    --decorate-refs=TEXT
    --decorate-refs-exclude=TEXT
    --clear-decorations
    --[no-]source
    --[no-]use-mailmap --mailmap
    --log-size
    -q --quiet
    """,
    base=DIFFS,
    abbreviations=False,
)

DIFF = read_table(
    """
    --cached --staged
    --merge-base
    -1 --base
    -2 --ours
    -3 --theirs
    -0
    """,
    base=DIFFS,
    abbreviations=False,
)

SHORTLOG = read_table(
    """
    -c --[no-]committer
    -n --[no-]numbered
    -s --[no-]summary
    -e --[no-]email
    -w[=WORD]
    --[no-]group=TEXT
    """,
    base=HISTORY,
)

STASH_SHOW = read_table(
    """
    -u --[no-]include-untracked
    --only-untracked
    """,
    base=DIFFS,
)
