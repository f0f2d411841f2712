"""A diff as git prints it by default, whatever anybody's configuration says (git-diff(1), git-config(1) diff.*).

A diff that is parsed, compared or shown to a model must not depend on colours, prefixes or algorithms that a person
chose for a terminal, and must not run a program that a repository names.
"""

# Last on the command line, since the last one wins (git-hazards: --ext-diff after --no-ext-diff runs the program).
PATCH_OPTIONS: tuple[str, ...] = (
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "--submodule=short",
    # Overrides submodule.<name>.ignore: what will be committed is shown. The submodule's own work tree is not entered,
    # since its configuration could run programs.
    "--ignore-submodules=dirty",
    "--src-prefix=a/",
    "--dst-prefix=b/",
    "--inter-hunk-context=0",
    "-O/dev/null",
)

# Keys for which no option exists in every supported git.
PATCH_CONFIG: tuple[tuple[str, str], ...] = (
    ("core.abbrev", "auto"),
    ("core.quotePath", "true"),
    ("core.bigFileThreshold", "512m"),
    ("diff.algorithm", "default"),
    ("diff.context", "3"),
    ("diff.indentHeuristic", "true"),
    ("diff.mnemonicPrefix", "false"),
    ("diff.noPrefix", "false"),
    ("diff.relative", "false"),
    ("diff.renames", "true"),
    ("diff.suppressBlankEmpty", "false"),
)
# diff.renameLimit has no value that means "the default"; git 2.34 raised it from 400 to 1000.
RENAME_LIMIT_BEFORE_2_34 = 400
RENAME_LIMIT = 1_000


def rename_limit(version: tuple[int, int, int]) -> tuple[str, str]:
    """The override that puts diff.renameLimit at the default of this git."""
    return ("diff.renameLimit", str(RENAME_LIMIT if version >= (2, 34, 0) else RENAME_LIMIT_BEFORE_2_34))
