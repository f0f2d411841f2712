"""The names of all tools, in the order of the catalogue: told at `initialize`, before a tool is imported."""

TOOL_NAMES: tuple[str, ...] = (
    "git_staged_diff",
    "git_status",
    "git_diff",
    "git_log",
    "git_show",
    "git_blame",
    "git_add",
    "git_commit",
    "git_branch",
    "git_restore",
    "git_merge",
    "git_stash",
    "git_tag",
    "git_fetch",
    "git_pull",
    "git_push",
    "git_undo",
    "git_operations",
    "git",
)
