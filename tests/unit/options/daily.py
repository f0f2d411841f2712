"""What people and models type all day: calls that must pass, by tier, as they are typed after `git`.

They are run in the repository that `build_daily` makes.
"""

import shlex
from collections.abc import Iterator, Mapping

from git_sidecar.model.tier import Tier
from git_sidecar.options.call import Call
from tests.support.scratch import Scratch, ScratchRepo

DAILY: Mapping[Tier, str] = {
    Tier.READ: """
        status
        status -s
        status -sb
        status --short --branch
        status --porcelain
        status --porcelain=v2 --branch -z
        status -uno
        status --untracked-files=all
        status --ignored
        status src
        diff
        diff --cached
        diff --staged
        diff --stat
        diff --staged --stat
        diff HEAD
        diff HEAD~1
        diff HEAD~1 HEAD
        diff main..feature
        diff main...feature
        diff main feature -- src
        diff --name-only
        diff --name-only main...feature
        diff --name-status HEAD~1
        diff --numstat
        diff --shortstat HEAD~1
        diff -w
        diff -U10 app.py
        diff --word-diff
        diff app.py
        diff -- app.py src/util.py
        diff --check
        diff --exit-code
        diff --quiet
        diff -M --diff-filter=AM HEAD~2
        diff --summary HEAD~2
        diff --ignore-space-change
        diff HEAD:app.py HEAD~1:app.py
        log
        log -1
        log -5
        log -n 5
        log --oneline
        log --oneline -10
        log --oneline --graph --all
        log --oneline --graph --decorate --all -20
        log -p -2
        log -3 --stat
        log --name-only -3
        log --name-status --oneline
        log --author=Case
        log --since="2 weeks ago"
        log --since=2020-01-01 --until=2030-01-01
        log --grep=fix -i
        log -S helper
        log -G "def .*" --oneline
        log --format="%h %an %ad %s" --date=short
        log --pretty=format:"%h - %an, %ar : %s"
        log --pretty=oneline
        log --pretty=fuller -1
        log main..feature
        log feature --not main
        log origin/main..HEAD
        log --first-parent --merges
        log --no-merges
        log -- app.py
        log --follow app.py
        log --follow -p -- src/util.py
        log -L 1,2:app.py
        log --reverse --oneline
        log --all --oneline -- src
        log -1 --format=%H
        log -1 --format=%B
        log --oneline v1.0..
        log --decorate=short --oneline
        log HEAD^ -1
        log --left-right --oneline main...feature
        show
        show HEAD
        show HEAD~1 --stat
        show --name-only HEAD
        show HEAD:app.py
        show main:src/util.py
        show v1.0
        show -s --format=%ci HEAD
        show HEAD -- app.py
        show :app.py
        show stash@{0}
        blame app.py
        blame -L 1,2 app.py
        blame -w app.py
        blame HEAD~1 -- app.py
        blame -e --date=short app.py
        blame --porcelain app.py
        shortlog -sn HEAD
        shortlog -sne --all
        shortlog HEAD~2..HEAD
        check-ignore -v build/out.o
        check-ignore app.py
        branch
        branch -a
        branch -r
        branch -v
        branch -vv
        branch --list
        branch --list "feat*"
        branch --show-current
        branch --merged
        branch --merged main
        branch --no-merged
        branch --contains HEAD
        branch --sort=-committerdate
        branch --format="%(refname:short)"
        tag
        tag -l
        tag -l "v*"
        tag -n
        tag --sort=-v:refname
        tag --points-at HEAD
        tag --contains HEAD~1
        stash list
        stash show
        stash show -p
        stash show -p stash@{0}
        stash show --stat
        stash show --name-only stash@{0}
        reflog
        reflog -5
        reflog show main
        remote
        remote -v
        remote get-url origin
        ls-files
        ls-files -o --exclude-standard
        ls-files -m
        ls-files --error-unmatch app.py
        grep -n helper
        grep -n "def " -- "*.py"
        grep -i -l HELPER HEAD
        grep -c helper -- src
        describe --tags
        describe --tags --always
        rev-parse HEAD
        rev-parse --short HEAD
        rev-parse --abbrev-ref HEAD
        rev-parse --abbrev-ref @{u}
        rev-parse --show-toplevel
        rev-parse --verify -q nosuch
        cat-file -p HEAD
        cat-file -t HEAD
        notes show HEAD
        worktree list
        clean -n
        clean -nd
        """,
    Tier.WRITE: """
        add app.py
        add .
        add -A
        add -u
        add src/new.py
        add -N src/new.py
        commit -m "Fix the helper"
        commit -am "Fix the helper"
        commit -m "Subject" -m "Body"
        switch feature
        switch -c topic
        switch -c topic HEAD~1
        switch -
        switch --detach HEAD~1
        branch topic
        branch topic HEAD~1
        branch -m merged renamed
        branch -u origin/main
        tag v1.1
        tag -a v1.1 -m "Version 1.1"
        tag v0.9 HEAD~1
        stash
        stash push
        stash push -m "half done"
        stash push -u
        stash -u
        stash push app.py
        stash apply --index stash@{0}
        mv src/util.py src/tool.py
        worktree add -b beside inner
        """,
    Tier.DESTRUCTIVE: """
        reset
        reset HEAD app.py
        reset --soft HEAD~1
        reset --hard
        reset --hard HEAD~1
        reset --hard origin/main
        restore app.py
        restore .
        restore --staged app.py
        restore --source=HEAD~1 app.py
        checkout feature
        checkout -b topic
        checkout app.py
        checkout -- app.py
        checkout HEAD~1 -- app.py
        clean -fd
        branch -d merged
        branch -D feature
        branch -f feature main
        tag -d v1.0
        stash drop
        stash drop stash@{0}
        stash clear
        revert --no-edit HEAD
        revert HEAD
        cherry-pick feature
        merge feature
        merge --no-ff feature
        merge --ff-only feature
        merge --squash feature
        rebase feature
        rebase --onto main HEAD~1
        rm -f src/util.py
        """,
    Tier.NETWORK: """
        fetch
        fetch origin
        fetch origin main
        fetch --all --prune
        fetch -p
        fetch --tags
        pull
        pull --rebase
        pull --ff-only
        pull origin main
        push
        push origin main
        push origin HEAD
        push -u origin feature
        push --set-upstream origin feature
        push origin v1.0
        push --tags
        push --force-with-lease origin feature
        push --dry-run
        push origin --delete merged
        """,
}

# Wanting a clean work tree: the rest is meant to be typed in the middle of work.
_CLEAN_FIRST = frozenset(
    {"revert", "cherry-pick", "merge", "rebase", "pull", "stash apply", "stash drop", "checkout feature", "switch"}
)


def daily_calls() -> Iterator[tuple[Tier, Call]]:
    """Every call with its tier."""
    for tier, lines in DAILY.items():
        for line in lines.strip().split("\n"):
            subcommand, *args = shlex.split(line)
            yield tier, Call(subcommand, tuple(args))


def wants_clean(call: Call) -> bool:
    """Whether git refuses the call over local changes, which says nothing of its options."""
    return any(" ".join((call.subcommand, *call.args)).startswith(start) for start in _CLEAN_FIRST)


def build_daily(scratch: Scratch) -> ScratchRepo:
    """A repository in the middle of somebody's day: branches, a remote, tags, a stash, notes, changes everywhere."""
    repo = scratch.repo()
    repo.write(".gitignore", "build/\n")
    repo.commit("Ignore what is built")
    repo.commit("Begin", **{"app.py": "import util\n", "src/util.py": "def helper():\n    pass\n"})
    repo.git("tag", "-a", "v1.0", "-m", "Version 1.0")
    repo.git("branch", "merged")
    repo.commit("Fix the helper", **{"app.py": "import util\nutil.helper()\n"})
    repo.git("switch", "-q", "-c", "feature")
    repo.commit("Add a feature", **{"src/feature.py": "def feature():\n    pass\n"})
    repo.git("switch", "-q", "main")
    scratch.run(scratch.base, "clone", "-q", "--bare", str(repo.root), "remote.git")
    repo.git("remote", "add", "origin", "../remote.git")
    repo.git("push", "-q", "-u", "origin", "main")
    repo.git("branch", "-q", "--set-upstream-to=origin/feature", "feature", check=False)
    repo.git("notes", "add", "-m", "A note")
    repo.write("src/util.py", "def helper():\n    return 1\n")
    repo.git("stash")
    repo.write("app.py", "import util\nutil.helper()\nutil.helper()\n")
    repo.git("add", "app.py")
    repo.write("app.py", "import util\nutil.helper()\nutil.helper()\nprint()\n")
    repo.write("src/new.py", "new = 1\n")
    repo.write("build/out.o", "object\n")
    return repo
