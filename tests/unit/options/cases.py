"""Calls and the class that each falls in: `facts  class  call`, the class being a tier or a refusal's code.

Facts are named in `FACTS`: what is known of a repository with `main` checked out, tracking origin/main, unless said
otherwise.
"""

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from git_sidecar.options.call import Call, Facts

_UPSTREAM = {"branch.main.remote": ("origin",), "branch.main.merge": ("refs/heads/main",)}


def _with(**config: str) -> Facts:
    """The plain facts with some keys more; `__` stands for a dot."""
    more = {key.replace("__", "."): (value,) for key, value in config.items()}
    return replace(PLAIN, config={**_UPSTREAM, **more})


PLAIN = Facts(
    root="/home/u/app",
    remotes=frozenset({"origin", "backup"}),
    head_known=True,
    current_branch="main",
    config=_UPSTREAM,
    existing_paths=frozenset({"app.py", "src", "src/util.py", ".", "both", "a[1].py", "deep/"}),
    revisions=frozenset({"HEAD", "HEAD~1", "main", "topic", "both", "HEAD:app.py", "main..topic", "v1", "^topic"}),
    branches=frozenset({"main", "topic", "release/1", "both"}),
    tags=frozenset({"v1", "both"}),
)
FACTS: Mapping[str, Facts] = {
    "none": Facts(),
    "plain": PLAIN,
    "below": replace(PLAIN, prefix="src/deep"),
    "detached": replace(PLAIN, current_branch=None),
    "topic": replace(PLAIN, current_branch="topic", config={}),
    "guarded": replace(PLAIN, protected_branches=("main", "release/*")),
    "elsewhere": replace(PLAIN, work_tree_elsewhere=True),
    "clean": replace(PLAIN, staged_matches_head=True),
    "dirty": replace(PLAIN, staged_matches_head=False),
    "workspace": replace(PLAIN, workspace=("/home/u",)),
    "windows": replace(PLAIN, root="C:\\Users\\u\\app"),
    "mirror": _with(remote__origin__mirror="true"),
    "mirror-off": _with(remote__origin__mirror="off"),
    "forced": _with(remote__origin__push="+refs/heads/main:refs/heads/main"),
    "mapped": _with(remote__origin__push="refs/heads/main:refs/heads/review"),
    "matching": _with(push__default="matching"),
    "nothing": _with(push__default="nothing"),
    "renamed": _with(branch__main__merge="refs/heads/trunk"),
    "pathremote": _with(branch__main__pushremote="../elsewhere.git"),
    "pushdefault": _with(remote__pushdefault="backup"),
    "fetchall": _with(remote__origin__fetch="+refs/heads/*:refs/heads/*"),
    "grouped": _with(remotes__origin="../x ../y"),
    "tracking": _with(remote__origin__fetch="+refs/heads/*:refs/remotes/origin/*"),
    "interactive": _with(pull__rebase="interactive"),
    "ours": _with(branch__main__mergeoptions="--no-ff -s ours"),
    "noff": _with(branch__main__mergeoptions="--no-ff"),
    "remerge": _with(log__diffmerges="remerge"),
    "signing": _with(pretty__mine="%h %+GS"),
}

_CASES = """
# What is no subcommand of ours, whatever it looks like.
none    subcommand_not_allowed  clone https://host.invalid/x
none    subcommand_not_allowed  ''
none    subcommand_not_allowed  'log; rm'
none    subcommand_not_allowed  -C .. status
none    subcommand_not_allowed  --exec-path=x log
none    subcommand_not_allowed  config user.email
none    subcommand_not_allowed  update-ref -d refs/heads/main
none    subcommand_not_allowed  LOG
none    subcommand_not_allowed  bisect run make
none    subcommand_not_allowed  bisect
none    subcommand_not_allowed  stash store abc
none    subcommand_not_allowed  notes append -m x
none    subcommand_not_allowed  reflog delete HEAD@{1}
none    subcommand_not_allowed  reflog expire --all
none    subcommand_not_allowed  remote set-url origin x
none    subcommand_not_allowed  remote -v update
none    subcommand_not_allowed  worktree prune
none    subcommand_not_allowed  worktree
elsewhere unsafe_repository     status

# Options that write, run, read elsewhere or wait.
none    option_not_allowed      log --output=x
none    option_not_allowed      diff HEAD --output x
none    option_not_allowed      stash list --output=x
none    option_not_allowed      shortlog --output=x HEAD
none    option_not_allowed      blame --output=x app.py
none    option_not_allowed      show --ext-diff
none    option_not_allowed      log --textconv -p
none    option_not_allowed      log --show-signature
none    option_not_allowed      log --remerge-diff
none    option_not_allowed      log --diff-merges=remerge
none    option_not_allowed      diff --submodule=diff
none    option_not_allowed      diff --no-index app.py src
none    option_not_allowed      diff -Oorder
none    option_not_allowed      diff -pOorder
none    option_not_allowed      log --stdin
none    option_not_allowed      log --alternate-refs
none    option_not_allowed      log --help
none    option_not_allowed      status -h
none    option_not_allowed      status -v
none    option_not_allowed      status -sbv
none    option_not_allowed      log --format=%GK
none    option_not_allowed      log '--pretty=format:%h% GS'
none    option_not_allowed      stash list --format=%G?
signing option_not_allowed      log --format=mi
signing read                    log --format=short
plain   read                    log --format=mine
remerge option_not_allowed      log -p -m
remerge read                    log -p --diff-merges=separate
plain   read                    log -p -m
none    option_not_allowed      blame --contents=x app.py
none    option_not_allowed      blame app.py --cont x
none    option_not_allowed      blame --ignore-revs-f=x app.py
none    option_not_allowed      blame -Srevs app.py
none    option_not_allowed      grep -Ovi needle
none    option_not_allowed      grep -inOvi needle
none    option_not_allowed      grep --open-f=vi needle
none    option_not_allowed      grep -f patterns
none    option_not_allowed      grep --no-index needle
none    option_not_allowed      grep --recurse-submodules needle
none    option_not_allowed      check-ignore --stdi
none    option_not_allowed      ls-files -X list
none    option_not_allowed      cat-file --batch
none    option_not_allowed      cat-file --filters HEAD:app.py
none    option_not_allowed      describe --dirty
none    option_not_allowed      describe --broken=x
none    option_not_allowed      rev-parse --parseopt
none    option_not_allowed      branch --edit-desc
none    option_not_allowed      branch --format=%(signature:key)
none    option_not_allowed      branch --sort=signature
none    option_not_allowed      tag -s v2 -m x
none    option_not_allowed      tag -v v1
none    option_not_allowed      tag -afm v2 -F file
none    option_not_allowed      add -vi
none    option_not_allowed      add --pat
none    option_not_allowed      add --pathspec-from-file=x
none    option_not_allowed      commit -m x -n
none    option_not_allowed      commit -nm x
none    option_not_allowed      commit -F x
none    option_not_allowed      commit -aFx
none    option_not_allowed      commit -m x --trailer a=b
none    option_not_allowed      commit --fixup=reword:HEAD
none    option_not_allowed      commit -m x -Skey
none    option_not_allowed      rebase -i HEAD~1
none    option_not_allowed      rebase --ex make HEAD~1
none    option_not_allowed      rebase -qxmake HEAD~1
none    option_not_allowed      rebase -smine HEAD~1
none    option_not_allowed      merge --strategy mine topic
none    option_not_allowed      merge -e topic
none    option_not_allowed      merge --file=x topic
none    option_not_allowed      revert -eS HEAD
none    option_not_allowed      clean -fi
none    option_not_allowed      clean --interact
none    option_not_allowed      reset -p
none    option_not_allowed      checkout -p
none    option_not_allowed      restore -qp app.py
none    option_not_allowed      switch --recurse-submodules topic
none    option_not_allowed      fetch --upload-p=x origin
none    option_not_allowed      fetch -uf
none    option_not_allowed      fetch -pP
none    option_not_allowed      fetch --depth 1
none    option_not_allowed      pull --rebase=interactive
none    option_not_allowed      pull --no-verify
none    option_not_allowed      push --receive-pack=x origin main
none    option_not_allowed      push --exec x origin main
none    option_not_allowed      push --repo=x
none    option_not_allowed      push --mir origin
none    option_not_allowed      push --prune origin
none    option_not_allowed      push -ocheat origin main
none    option_not_allowed      push --no-verify

# Beginnings that could be several options, and what takes no value or lacks one.
none    option_not_allowed      push --fo
none    option_not_allowed      branch --no- x
none    option_not_allowed      commit --no-ver -m x
none    invalid_arguments       status --short=yes
none    invalid_arguments       log --max-count
none    invalid_arguments       log -n ten
none    invalid_arguments       branch --no-sort=x
none    option_not_allowed      status --untracked-files=some

# Values that look like options are values, and the other way round.
none    read                    log -S --output=x
none    read                    log --grep --output=x
none    read                    log --since --output=x
none    option_not_allowed      log --pretty --output=x
none    option_not_allowed      diff -U --output=x
none    option_not_allowed      blame -C --output=x app.py
none    write                   commit -m --amend
none    write                   commit -m--amend
none    destructive             commit -m x --am
none    write                   branch --sort -d x
none    destructive             branch --track -d x
none    destructive             tag -n -d v1

# Listing, making and deleting names.
none    read                    branch
none    read                    branch -vv
none    read                    branch --list x
none    read                    branch --contains
none    read                    branch --merged topic
none    read                    branch -r --no-contains HEAD
none    write                   branch x
none    write                   branch -v x
none    write                   branch --sort=refname --column x
none    write                   branch --list --no-list x
none    write                   branch -m a b
none    write                   branch -c a b
none    write                   branch --unset-upstream
none    destructive             branch -d x
none    destructive             branch -qD x
none    destructive             branch -rd origin/x
none    destructive             branch x -d
none    invalid_arguments       branch -- x --force
none    destructive             branch -f x HEAD
none    destructive             branch -M a b
none    destructive             branch --dele x
none    write                   branch -f --no-force x
none    invalid_arguments       branch -a x
none    invalid_arguments       branch -d -m x
none    invalid_arguments       branch --list -f x
none    invalid_arguments       branch -d
none    read                    tag
none    read                    tag -n3
none    read                    tag --points-at HEAD
none    read                    tag --list x
none    write                   tag x
none    write                   tag --sort=refname x
none    write                   tag -m text x
none    destructive             tag -d x
none    destructive             tag x --del
none    destructive             tag -fm text x
none    invalid_arguments       tag -a x
none    invalid_arguments       tag -l -d x
none    read                    stash list
none    read                    stash show -p
none    write                   stash
none    write                   stash -u
none    write                   stash push -- app.py
none    write                   stash -- app.py
none    write                   stash pop --index
none    write                   stash branch x
none    destructive             stash drop
none    destructive             stash clear
none    subcommand_not_allowed  stash app.py
none    invalid_arguments       stash -u app.py
none    read                    reflog
none    read                    reflog HEAD
none    read                    reflog exists refs/heads/main
none    read                    remote -v
none    read                    remote show -n origin
none    invalid_arguments       remote show origin
none    read                    notes
none    read                    notes --ref=x show HEAD
none    read                    bisect log
none    read                    worktree list --porcelain
plain   outside_workspace       worktree add ../beside
workspace write                 worktree add ../beside
workspace destructive           worktree add -B topic ../beside
workspace outside_workspace     worktree add ../../beside
workspace destructive           worktree remove ../beside
workspace outside_workspace     worktree add .git/beside

# Changing files.
none    write                   add .
none    write                   add -f ignored
none    write                   add -- -f
none    write                   mv a b
none    destructive             mv -kf a b
none    read                    mv -n a b
none    outside_workspace       mv a ../b
none    outside_workspace       mv a .git/hooks/pre-commit
none    outside_workspace       mv a sub/.GIT/config
none    destructive             rm a
clean   write                   rm --cached a
clean   destructive             rm -f a
dirty   destructive             rm --cached a
dirty   read                    rm -n a
none    invalid_arguments       rm
none    write                   commit -m x
none    write                   commit -C HEAD
none    write                   commit --fixup=HEAD
none    write                   commit --dry-run
none    destructive             commit --amend --no-edit
none    invalid_arguments       commit --amend
none    invalid_arguments       commit
none    write                   switch topic
none    write                   switch -c x
none    write                   switch -d HEAD~1
none    destructive             switch -C x
none    destructive             switch -qf topic
none    destructive             switch --discard topic
none    destructive             switch --orphan x
none    destructive             switch -m topic
none    destructive             switch --overwrite-ignore topic
none    invalid_arguments       switch
none    destructive             checkout x
none    destructive             checkout -b x
none    destructive             checkout .
none    destructive             reset
none    destructive             reset --sof HEAD~1
none    destructive             restore --staged app.py
none    invalid_arguments       restore
none    destructive             clean
none    destructive             clean -fdx
none    read                    clean -n
none    read                    clean -nfd
none    destructive             clean -n --no-dry-run -f
none    destructive             merge topic
none    destructive             merge --abort
none    invalid_arguments       merge --abort topic
none    invalid_arguments       merge --abort --no-ff
none    destructive             rebase --continue
none    destructive             rebase main
none    destructive             revert HEAD
none    destructive             cherry-pick topic main
none    invalid_arguments       cherry-pick
ours    option_not_allowed      merge topic
noff    destructive             merge topic
ours    destructive             merge --abort
ours    option_not_allowed      pull
ours    network                 pull --rebase

# Revisions and paths.
plain   read                    diff main app.py
plain   read                    diff app.py src/util.py
plain   invalid_arguments       diff both
plain   read                    diff both --
plain   read                    diff -- both
none    read                    diff both
none    outside_workspace       diff ../secret /dev/null
none    outside_workspace       diff -- ../secret
none    outside_workspace       diff /dev/stdin app.py
none    outside_workspace       diff src/../../secret
none    outside_workspace       log -L1,1:../secret
none    outside_workspace       blame ../secret
none    outside_workspace       grep needle ../x
none    outside_workspace       add ':(top)../x'
none    outside_workspace       add 'C:\\x'
none    outside_workspace       add '..\\x'
none    invalid_arguments       add ':(prefix:0)x'
none    write                   add ':!app.py'
none    write                   add ':(attr:text)*.py'
plain   write                   add /home/u/app/app.py
plain   outside_workspace       add /home/u/apple/app.py
plain   outside_workspace       add /home/u/app/../x
windows write                   add 'c:\\users\\u\\APP\\app.py'
windows outside_workspace       add 'D:\\app.py'
below   read                    log -- ..
below   read                    log -- ../..
below   outside_workspace       log -- ../../..
below   read                    log -- ':(top)src'
none    invalid_arguments       log --end-of-options --output=x
none    invalid_arguments       diff '*.py' --end-of-options --output=x
none    invalid_arguments       show ''
none    read                    show :app.py
none    read                    log --all --not main
none    read                    log ^topic HEAD
none    invalid_arguments       shortlog
none    invalid_arguments       shortlog -sn --since=2020-01-01
none    invalid_arguments       shortlog -- app.py
none    read                    shortlog -sn --all
none    read                    shortlog HEAD
none    read                    grep -- -x
none    invalid_arguments       grep
none    read                    grep -e a --and ( -e b --or -e c )
none    invalid_arguments       blame
none    invalid_arguments       cat-file -p
none    invalid_arguments       cat-file blub HEAD
none    read                    cat-file blob HEAD:app.py

# Pushing.
none    network                 push
none    network                 push origin topic
none    protected_branch        push -f
none    protected_branch        push --force origin main
none    ad_hoc_remote           push https://host.invalid/x main
none    ad_hoc_remote           push ./x main
plain   network                 push
plain   network                 push origin HEAD
plain   network                 push backup
plain   network                 push --force origin topic
plain   network                 push --force --no-force origin main
plain   network                 push origin :topic
plain   network                 push -d origin topic v1
plain   network                 push --all origin
plain   network                 push --tags --force
plain   protected_branch        push -uf origin main
plain   protected_branch        push -f
plain   protected_branch        push --force-with-lease=main:abc origin topic main
plain   protected_branch        push origin +main
plain   protected_branch        push origin +HEAD
plain   protected_branch        push origin +@
plain   protected_branch        push origin +HEAD~1:main
plain   protected_branch        push origin +topic:heads/main
plain   protected_branch        push origin +topic:refs/heads/main
plain   protected_branch        push origin '+refs/heads/*:refs/heads/*'
plain   protected_branch        push origin '+refs/*:refs/*'
plain   protected_branch        push origin +:
plain   protected_branch        push origin -- +main
plain   protected_branch        push origin topic +main
plain   protected_branch        push origin :main
plain   protected_branch        push origin :refs/heads/main
plain   protected_branch        push origin -d main
plain   protected_branch        push --all -f origin
plain   protected_branch        push --branches --force
plain   protected_branch        push --fol --force origin main
plain   network                 push origin '+refs/heads/t*:refs/heads/t*'
plain   network                 push origin +refs/tags/main
plain   network                 push origin +topic:maintenance
guarded protected_branch        push -f origin release/1
guarded protected_branch        push -f origin 'refs/heads/rel*:refs/heads/rel*'
guarded network                 push -f origin topic
topic   network                 push -f origin HEAD
topic   invalid_arguments       push
topic   network                 push -u
detached invalid_arguments      push
detached invalid_arguments      push origin HEAD
detached network                push origin HEAD:topic
detached protected_branch       push origin +HEAD:main
plain   invalid_arguments       push origin main:HEAD
plain   invalid_arguments       push origin ^main
plain   invalid_arguments       push origin 'main:a b'
plain   invalid_arguments       push origin -- -x
plain   ad_hoc_remote           push other main
plain   ad_hoc_remote           push .
mirror  option_not_allowed      push origin main
mirror-off network              push origin main
forced  protected_branch        push origin
mapped  network                 push origin
matching network                push
matching protected_branch       push -f
nothing invalid_arguments       push
renamed invalid_arguments       push
renamed network                 push origin main
pathremote ad_hoc_remote        push
pushdefault network             push

# Fetching and pulling.
none    network                 fetch
none    network                 fetch origin
plain   network                 fetch
plain   network                 fetch --all
plain   network                 fetch --multiple origin backup
plain   network                 fetch origin topic
plain   network                 fetch origin tag v1
plain   network                 fetch origin +topic:refs/remotes/origin/topic
plain   option_not_allowed      fetch origin topic:topic
plain   option_not_allowed      fetch origin '+refs/heads/*:refs/heads/*'
plain   option_not_allowed      fetch origin +refs/tags/v1:refs/tags/v1
plain   ad_hoc_remote           fetch . main:x
plain   ad_hoc_remote           fetch ../x
plain   ad_hoc_remote           fetch 'ext::sh -c x'
plain   ad_hoc_remote           fetch --multiple origin ../x
plain   ad_hoc_remote           fetch other
grouped option_not_allowed      fetch origin
plain   invalid_arguments       fetch origin topic:refs/remotes/../heads/topic
plain   invalid_arguments       fetch --all origin
plain   invalid_arguments       fetch origin -- --upload-pack=x
fetchall option_not_allowed     fetch
fetchall option_not_allowed     fetch origin main
fetchall option_not_allowed     fetch --all
fetchall network                fetch backup
tracking network                fetch
plain   network                 pull
plain   network                 pull --rebase --autostash
plain   network                 pull origin topic
plain   option_not_allowed      pull origin topic:topic
plain   ad_hoc_remote           pull ../x main
interactive option_not_allowed  pull
interactive network             pull --ff-only --rebase=false
interactive network             pull --no-rebase
"""


@dataclass(frozen=True)
class Case:
    """One call, the facts it is classified with, and its class."""

    facts: str
    right: str
    call: Call

    def __str__(self) -> str:
        """What a test is called by."""
        return f"{self.facts}: {' '.join((self.call.subcommand, *self.call.args))}"


def read_cases() -> Iterator[Case]:
    """All cases, in order."""
    for line in _CASES.split("\n"):
        if line.strip() and not line.startswith("#"):
            facts, right, written = line.split(maxsplit=2)
            subcommand, *args = shlex.split(written)
            yield Case(facts, right, Call(subcommand, tuple(args)))
