"""Options of the subcommands that only read (their manual pages, and git's own `-h`)."""

from git_sidecar.options.table import read_table

STATUS = read_table(
    """
    -v --[no-]verbose                   refused: it runs textconv programs; git diff --cached shows the same
    -s --[no-]short
    -b --[no-]branch
    --[no-]show-stash
    --[no-]ahead-behind
    --[no-]porcelain[=v1|v2|1|2]
    --[no-]long
    -z --[no-]null
    -u --[no-]untracked-files[=all|normal|no]
    --[no-]ignored[=traditional|matching|no]
    --[no-]ignore-submodules[=none|untracked|dirty|all]
    --[no-]column[=WORD]
    --no-renames
    --renames
    -M --find-renames[=WORD]
    """
)

BLAME = read_table(
    """
    --[no-]incremental
    -b
    --[no-]root
    --[no-]show-stats
    --[no-]progress
    --[no-]score-debug
    -f --[no-]show-name
    -n --[no-]show-number
    -p --[no-]porcelain
    --[no-]line-porcelain
    -c
    -t
    -l
    -s
    -e --[no-]show-email
    -w
    --[no-]ignore-rev=REV
    --[no-]ignore-revs-file=TEXT        refused: it shows lines of a file by name; name the commits with --ignore-rev
    --[no-]color-lines
    --[no-]color-by-age
    --[no-]minimal
    -S=TEXT                             refused: it reads a file by name
    --[no-]contents=TEXT                refused: it shows a file by name
    -C[=WORD]
    -M[=WORD]
    -L=TEXT
    --[no-]abbrev[=N]
    """,
    base=read_table(
        """
        --since --after=TEXT
        --until --before=TEXT
        --reverse
        --first-parent
        --date=TEXT
        --encoding=WORD
        --[no-]textconv                 refused: it runs the program that the configuration names
        --output=TEXT                   refused: it writes a file; the output comes back as stdout
        """,
        abbreviations=False,
    ),
)

CHECK_IGNORE = read_table(
    """
    -q --[no-]quiet
    -v --[no-]verbose
    --[no-]stdin                        refused: it waits for standard input; give the paths as arguments
    -z
    -n --[no-]non-matching
    --no-index
    --index
    """
)

LS_FILES = read_table(
    """
    -z
    -t
    -v
    -f
    -c --[no-]cached
    -d --[no-]deleted
    -m --[no-]modified
    -o --[no-]others
    -i --[no-]ignored
    -s --[no-]stage
    -k --[no-]killed
    --[no-]directory
    --[no-]eol
    --[no-]empty-directory
    -u --[no-]unmerged
    --[no-]resolve-undo
    -x --exclude=TEXT
    -X --exclude-from=TEXT              refused: it reads a file by name; give the patterns with --exclude
    --[no-]exclude-per-directory=TEXT   refused: it reads files by name; --exclude-standard reads the usual ones
    --exclude-standard
    --full-name
    --[no-]recurse-submodules           refused: it runs with the submodules' own configuration
    --[no-]error-unmatch
    --[no-]with-tree=REV
    --[no-]abbrev[=N]
    --[no-]debug
    --[no-]deduplicate
    --[no-]sparse
    --format=TEXT
    """
)

GREP = read_table(
    """
    --[no-]cached
    --no-index                          refused: it reads files that are not of the repository
    --index
    --[no-]untracked
    --[no-]exclude-standard
    --[no-]recurse-submodules           refused: it runs with the submodules' own configuration
    -v --[no-]invert-match
    -i --[no-]ignore-case
    -w --[no-]word-regexp
    -a --[no-]text
    -I
    --[no-]textconv                     refused: it runs the program that the configuration names
    -r --[no-]recursive
    --max-depth=N
    -E --[no-]extended-regexp
    -G --[no-]basic-regexp
    -F --[no-]fixed-strings
    -P --[no-]perl-regexp
    -n --[no-]line-number
    --[no-]column
    -h
    -H
    --[no-]full-name
    -l --[no-]files-with-matches --name-only
    -L --[no-]files-without-match
    -z --[no-]null
    -o --[no-]only-matching
    -c --[no-]count
    --[no-]color[=always|never|auto]
    --[no-]break
    --[no-]heading
    -# -C --[no-]context=N
    -B --[no-]before-context=N
    -A --[no-]after-context=N
    --[no-]threads=N
    -p --[no-]show-function
    -W --[no-]function-context
    -f=TEXT                             refused: it reads a file by name; give the patterns with -e
    -e=TEXT
    --and
    --[no-]or
    --not
    -q --[no-]quiet
    --[no-]all-match
    -O --[no-]open-files-in-pager[=TEXT]   refused: it runs a program
    --[no-]ext-grep                     refused: it runs a program
    -m --[no-]max-count=N
    """,
    bare="()",
)

DESCRIBE = read_table(
    """
    --[no-]contains
    --[no-]debug
    --[no-]all
    --[no-]tags
    --[no-]long
    --[no-]first-parent
    --[no-]abbrev[=N]
    --[no-]exact-match
    --[no-]candidates=N
    --[no-]match=TEXT
    --[no-]exclude=TEXT
    --[no-]always
    --[no-]dirty[=TEXT]                 refused: it rewrites the index; git status tells what has changed
    --[no-]broken[=TEXT]                refused: it rewrites the index; git status tells what has changed
    """
)

CAT_FILE = read_table(
    """
    -e
    -p
    -t
    -s
    --[no-]allow-unknown-type
    --[no-]use-mailmap --mailmap
    --batch[=TEXT]                      refused: it waits for standard input; -p prints one object
    --batch-check[=TEXT]                refused: it waits for standard input; -t and -s tell type and size
    --batch-command[=TEXT]              refused: it waits for standard input; -p prints one object
    --batch-all-objects                 refused: it prints every object
    --[no-]buffer                       refused: it belongs to --batch
    --[no-]follow-symlinks              refused: it belongs to --batch
    --[no-]unordered                    refused: it belongs to --batch
    -z                                  refused: it belongs to --batch
    -Z                                  refused: it belongs to --batch
    --textconv                          refused: it runs the program that the configuration names; -p prints the object
    --filters                           refused: it runs the program that the configuration names; -p prints the object
    --[no-]path=TEXT                    refused: it belongs to --filters
    """
)

REV_PARSE = read_table(
    """
    --verify
    -q --quiet
    --short[=N]
    --abbrev-ref[=strict|loose]
    --symbolic
    --symbolic-full-name
    --sq
    --revs-only
    --no-revs
    --flags
    --no-flags
    --not                               revision
    --all                               revision
    --branches[=TEXT]                   revision
    --tags[=TEXT]                       revision
    --remotes[=TEXT]                    revision
    --glob=TEXT                         revision
    --exclude=TEXT                      revision
    --since --after=TEXT
    --until --before=TEXT
    --disambiguate=WORD
    --show-toplevel
    --show-prefix
    --show-cdup
    --show-superproject-working-tree
    --git-dir
    --absolute-git-dir
    --git-common-dir
    --is-inside-git-dir
    --is-inside-work-tree
    --is-bare-repository
    --is-shallow-repository
    --show-object-format[=storage|input|output]
    --parseopt                          refused: it waits for standard input
    --sq-quote                          refused: it only quotes its arguments
    --resolve-git-dir=TEXT              refused: it looks at a place by name
    --prefix=TEXT                       refused: it belongs to scripts
    --default=TEXT                      refused: it belongs to scripts; name the revision
    --git-path=TEXT                     refused: it names places inside the git directory
    """,
    abbreviations=False,
)
