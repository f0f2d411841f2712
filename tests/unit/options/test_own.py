"""Our own argument lists: what plumbing does, and what even we may not run."""

import shlex

import pytest

from git_sidecar.git.diff_defaults import PATCH_OPTIONS
from git_sidecar.git.staged_diff import ARGV
from git_sidecar.model.refusal import Refusal
from git_sidecar.model.tier import Tier
from git_sidecar.options.own import classify_argv


@pytest.mark.parametrize(
    ("written", "tier"),
    [
        ("version", "read"),
        ("status --porcelain=v2 -z --branch --show-stash --untracked-files=all -- src", "read"),
        ("diff --raw --numstat -z --no-abbrev HEAD --", "read"),
        ("log -z --max-count=3 --format=%H%x00%an --no-mailmap --no-follow main --", "read"),
        ("for-each-ref '--format=%(refname) %(objectname)' refs/heads/", "read"),
        ("rev-parse --verify --quiet HEAD^{commit}", "read"),
        ("rev-parse --path-format=absolute --git-path index", "read"),
        ("cat-file --batch", "read"),
        ("cat-file --batch-check --buffer", "read"),
        ("ls-tree -z -l --full-tree HEAD -- src", "read"),
        ("ls-files -v -z -- app.py", "read"),
        ("config --list -z --name-only --includes", "read"),
        ("config -z --get-regexp ^core[.]", "read"),
        ("merge-base main topic", "read"),
        ("rev-list --count --left-right main...topic", "read"),
        ("symbolic-ref --quiet HEAD", "read"),
        ("check-attr --cached -z --stdin diff", "read"),
        ("pack-objects -q --stdout --delta-base-offset", "read"),
        ("blame --porcelain --ignore-revs-file= -- app.py", "read"),
        ("commit -F - --cleanup=verbatim", "write"),
        ("commit -F - --pathspec-from-file=- --pathspec-file-nul", "write"),
        ("commit --amend -F -", "destructive"),
        ("add -A --pathspec-from-file=- --pathspec-file-nul", "write"),
        ("apply --cached --unidiff-zero", "write"),
        ("apply --index", "destructive"),
        ("hash-object -w --stdin", "write"),
        ("update-index -z --index-info", "write"),
        ("update-index --add --cacheinfo 100644,abc,app.py", "write"),
        ("read-tree HEAD", "write"),
        ("read-tree -u -m HEAD", "destructive"),
        ("write-tree", "write"),
        ("commit-tree abc -p def -F -", "write"),
        ("update-ref -m why refs/heads/x abc", "write"),
        ("update-ref -d refs/heads/x", "destructive"),
        ("symbolic-ref -m why HEAD refs/heads/x", "write"),
        ("symbolic-ref HEAD refs/heads/x", "write"),
        ("symbolic-ref -d refs/x", "destructive"),
        ("checkout-index -f -q -z --stdin", "destructive"),
        ("stash create", "write"),
        ("stash store -m why abc", "write"),
        ("stash push --pathspec-from-file=- --pathspec-file-nul", "write"),
        ("restore --staged -- app.py", "write"),
        ("restore --staged --pathspec-from-file=- --pathspec-file-nul", "write"),
        ("restore --staged --worktree -- app.py", "destructive"),
        ("reset --pathspec-from-file=-", "destructive"),
        ("branch -D -- x", "destructive"),
        ("push --porcelain --force-with-lease=refs/heads/main:abc origin refs/heads/main:refs/heads/main", "network"),
        ("fetch --prune origin", "network"),
        ("ls-remote --heads origin", "network"),
    ],
)
def test_an_argument_list_of_ours_has_its_tier(written: str, tier: str) -> None:
    """The most that it can do."""
    found = classify_argv(shlex.split(written))
    assert not isinstance(found, Refusal), found
    assert found.tier == tier


@pytest.mark.parametrize(
    "written",
    [
        "''",
        "config user.name x",
        "config --get a b c",
        "config --unset user.name",
        "apply patch",
        "pack-objects name",
        "index-pack name.pack",
        "interpret-trailers --trailer a=b",
        "diff -O/etc/passwd",
        "diff --output=x",
        "log --textconv",
        "blame --ignore-revs-file=x app.py",
        "commit -F message.txt",
        "commit --no-verify -F -",
        "add --pathspec-from-file=list",
        "hash-object -w ../x --path=../x",
        "rev-list HEAD --output=x",
        "ls-tree HEAD -- ../x",
        "gc",
        "filter-branch",
        "submodule update",
        "stash nothing",
    ],
)
def test_what_even_we_do_not_run(written: str) -> None:
    """Not in the table: whoever needs it has to write it down there."""
    found = classify_argv(shlex.split(written))
    assert isinstance(found, Refusal), found


def test_the_staged_diff_is_a_read() -> None:
    """The very list that is run, with our diff options."""
    found = classify_argv(ARGV)
    assert not isinstance(found, Refusal), found
    assert found.tier is Tier.READ
    assert set(PATCH_OPTIONS) <= {*found.options, *found.forced}
