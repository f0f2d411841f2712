"""The vectors: each way to make git run a program of the repository's choosing, how it is armed, what sets it off."""

from collections.abc import Callable
from dataclasses import dataclass

from tests.support.hostile import Hostile

# What a program must do besides telling that it ran, so that git does not give up before the next one.
_PASS = "exec cat"
_SHOW = 'exec cat "$1"'
_FAIL = "exit 1"
_WATCH = r"printf 'token\0/\0'"
_QUIET = "exit 0"

Arm = Callable[[Hostile, str], None]


@dataclass(frozen=True)
class Vector:
    """One way. `trigger` is a command that is no read of ours, for vectors that no read sets off."""

    name: str
    arm: Arm
    fires_on_reads: bool = False
    trigger: tuple[str, ...] | None = None
    stdin: bytes = b""
    cwd: str = "repo"


def _set(key: str, then: str = _QUIET, *others: tuple[str, str], form: str = "{}") -> Arm:
    def arm(hostile: Hostile, name: str) -> None:
        hostile.configure(key, form.format(hostile.program(name, then)))
        for other, value in others:
            hostile.configure(other, value)

    return arm


def _set_in_submodule(key: str, then: str, *others: tuple[str, str]) -> Arm:
    def arm(hostile: Hostile, name: str) -> None:
        hostile.configure(key, hostile.program(name, then), where="repo/sub/.git/config")
        for other, value in others:
            hostile.configure(other, value)

    return arm


def _arm_hooks_path(hostile: Hostile, name: str) -> None:
    hostile.hooks("hooks", name)
    hostile.configure("core.hooksPath", str(hostile.directory / "hooks"))


def _arm_hooks(hostile: Hostile, name: str) -> None:
    hostile.hooks("repo/.git/hooks", name)


def _arm_pager_of_commands(hostile: Hostile, name: str) -> None:
    for command in ("status", "diff", "log", "show", "blame", "stash"):
        hostile.configure(f"pager.{command}", hostile.program(name, _PASS))


def _arm_unnamed_driver(hostile: Hostile, name: str) -> None:
    hostile.append("repo/.git/config", f'[diff ""]\n\tcommand = {hostile.program(name)}\n')


def _arm_info_attributes(hostile: Hostile, name: str) -> None:
    hostile.append("repo/.git/info/attributes", "*.info diff=informed\n")
    hostile.configure("diff.informed.textconv", hostile.program(name, _SHOW))


def _arm_include(hostile: Hostile, name: str) -> None:
    hostile.append("included", f"[core]\n\tfsmonitor = {hostile.program(name, _WATCH)}\n")
    hostile.configure("include.path", str(hostile.directory / "included"))


def _arm_conditional_include(hostile: Hostile, name: str) -> None:
    hostile.append("included", f'[filter "cleaned"]\n\tclean = {hostile.program(name, _PASS)}\n')
    hostile.configure("includeIf.onbranch:main.path", str(hostile.directory / "included"))


def _arm_worktree_config(hostile: Hostile, name: str) -> None:
    hostile.configure("extensions.worktreeConfig", "true")
    hostile.configure("core.fsmonitor", hostile.program(name, _WATCH), where="repo/.git/config.worktree")


def _arm_promisor(hostile: Hostile, name: str) -> None:
    for key, value in (
        ("core.repositoryFormatVersion", "1"),
        ("extensions.partialClone", "lazy"),
        ("remote.lazy.promisor", "true"),
        ("remote.lazy.url", str(hostile.directory / "remote.git")),
        ("remote.lazy.uploadpack", hostile.program(name, _FAIL)),
    ):
        hostile.configure(key, value)
    for object_name in ("HEAD:f.textconv", ":f.textconv"):
        hexadecimal = hostile.read("rev-parse", object_name)
        (hostile.root / ".git" / "objects" / hexadecimal[:2] / hexadecimal[2:]).unlink()


def _arm_alternate_refs(hostile: Hostile, name: str) -> None:
    hostile.configure("core.alternateRefsCommand", hostile.program(name))
    hostile.git("init", "-q", "--bare", "alternate.git", cwd=".")
    hostile.append("repo/.git/objects/info/alternates", f"{hostile.directory}/alternate.git/objects\n")


def _arm_ext_url(hostile: Hostile, name: str) -> None:
    hostile.configure("protocol.ext.allow", "always")
    hostile.configure(f"url.ext::{hostile.program(name, _FAIL)} .insteadOf", "../remote.git")


def _arm_embedded_bare(hostile: Hostile, name: str) -> None:
    hostile.git("init", "-q", "--bare", "repo/bare", cwd=".")
    hostile.configure("core.bare", "false", where="repo/bare/config")
    hostile.configure("core.worktree", str(hostile.root), where="repo/bare/config")
    hostile.configure("core.fsmonitor", hostile.program(name, _WATCH), where="repo/bare/config")


def _arm_git_file(hostile: Hostile, name: str) -> None:
    hostile.git(
        "clone", "-q", "--no-checkout", "--separate-git-dir=elsewhere.git", "remote.git", "repo/pointed", cwd="."
    )
    hostile.configure("core.fsmonitor", hostile.program(name, _WATCH), where="elsewhere.git/config")


def _arm_elsewhere(hostile: Hostile, name: str) -> None:
    hostile.append("elsewhere/secret", "secret\n")
    hostile.configure("core.worktree", str(hostile.directory / "elsewhere"))
    hostile.configure("core.fsmonitor", hostile.program(name, _WATCH))


def _arm_legacy_remote(hostile: Hostile, name: str) -> None:
    hostile.append("repo/.git/remotes/legacy", f"URL: ext::{hostile.program(name, _FAIL)} x\n")
    hostile.configure("protocol.ext.allow", "always")


def _arm_alias(hostile: Hostile, name: str) -> None:
    for alias in ("status", "log", "st"):
        hostile.configure(f"alias.{alias}", f"!{hostile.program(name)}")


VECTORS = (
    Vector("core.fsmonitor", _set("core.fsmonitor", _WATCH), fires_on_reads=True),
    Vector("core.fsmonitor-cased", _set("CORE.FSMonitor", _WATCH), fires_on_reads=True),
    Vector("core.hooksPath", _arm_hooks_path, fires_on_reads=True),
    Vector("hooks", _arm_hooks, fires_on_reads=True),
    Vector("core.pager", _set("core.pager", _PASS)),
    Vector("pager.command", _arm_pager_of_commands),
    Vector("core.editor", _set("core.editor"), trigger=("commit", "--amend")),
    Vector("sequence.editor", _set("sequence.editor"), trigger=("rebase", "--autostash", "-i", "HEAD~1")),
    Vector(
        "core.sshCommand",
        _set("core.sshCommand", _FAIL, ("remote.far.url", "ssh://host.invalid/x")),
        trigger=("fetch", "far"),
    ),
    Vector(
        "core.gitProxy",
        _set("core.gitProxy", _FAIL, ("remote.far.url", "git://host.invalid/x")),
        trigger=("fetch", "far"),
    ),
    Vector(
        "core.askPass",
        _set("core.askPass", "echo x"),
        trigger=("credential", "fill"),
        stdin=b"protocol=https\nhost=host.invalid\n\n",
    ),
    Vector(
        "credential.helper",
        _set("credential.helper", "printf 'username=a\\npassword=b\\n'"),
        trigger=("credential", "fill"),
        stdin=b"protocol=https\nhost=host.invalid\n\n",
    ),
    Vector("diff.external", _set("diff.external"), fires_on_reads=True),
    Vector("diff.command", _set("diff.commanded.command"), fires_on_reads=True),
    Vector("diff.unnamed.command", _arm_unnamed_driver, fires_on_reads=True),
    Vector("diff.textconv", _set("diff.converted.textconv", _SHOW), fires_on_reads=True),
    Vector("diff.equals.textconv", _set("diff.a=b.textconv", _SHOW), fires_on_reads=True),
    Vector("info-attributes.textconv", _arm_info_attributes, fires_on_reads=True),
    Vector("filter.clean", _set("filter.cleaned.clean", _PASS), fires_on_reads=True),
    Vector(
        "filter.clean-required",
        _set("filter.cleaned.clean", _PASS, ("filter.cleaned.required", "true")),
        fires_on_reads=True,
    ),
    Vector("filter.process", _set("filter.processed.process", _FAIL), fires_on_reads=True),
    Vector("filter.equals.clean", _set("filter.c=d.clean", _PASS), fires_on_reads=True),
    Vector("filter.smudge", _set("filter.smudged.smudge", _PASS), trigger=("checkout", "-f", "conflicting")),
    Vector("gpg.program", _set("gpg.program", _FAIL, ("log.showSignature", "true")), fires_on_reads=True),
    Vector(
        "gpg.openpgp.program", _set("gpg.openpgp.program", _FAIL, ("log.showSignature", "true")), fires_on_reads=True
    ),
    Vector(
        "gpg.ssh.program",
        _set("gpg.ssh.program", _FAIL, ("log.showSignature", "true"), ("gpg.ssh.allowedSignersFile", "/dev/null")),
        fires_on_reads=True,
    ),
    Vector("gpg.x509.program", _set("gpg.x509.program", _FAIL, ("log.showSignature", "true")), fires_on_reads=True),
    Vector(
        "gpg.ssh.defaultKeyCommand",
        _set("gpg.ssh.defaultKeyCommand", _FAIL, ("gpg.format", "ssh"), ("commit.gpgSign", "true")),
        trigger=("commit", "-m", "x"),
    ),
    Vector("format.pretty", _set("gpg.program", _FAIL, ("format.pretty", "%h %G? %s")), fires_on_reads=True),
    Vector(
        "interactive.diffFilter",
        _set("interactive.diffFilter", _PASS, ("color.ui", "always")),
        trigger=("commit", "-p", "-m", "x", "f.plain"),
        stdin=b"q\n",
    ),
    Vector("merge.driver", _set("merge.merged.driver", _FAIL), trigger=("merge-tree", "HEAD", "conflicting")),
    Vector(
        "merge.driver-remerge", _set("merge.merged.driver", _FAIL, ("log.diffMerges", "remerge")), fires_on_reads=True
    ),
    Vector(
        "trailer.command",
        _set("trailer.t.cmd", _QUIET, ("trailer.t.key", "T")),
        trigger=("interpret-trailers", "--trailer", "T=x"),
        stdin=b"subject\n",
    ),
    Vector("url.insteadOf", _arm_ext_url, trigger=("fetch", "origin")),
    Vector("remote.uploadpack", _set("remote.origin.uploadpack", _FAIL), trigger=("fetch", "origin")),
    Vector("remote.receivepack", _set("remote.origin.receivepack", _FAIL), trigger=("push", "origin", "HEAD:x")),
    Vector(
        "remote.vcs",
        _set("remote.far.url", _FAIL, ("remote.far.vcs", "ext"), ("protocol.ext.allow", "always"), form="{} x"),
        trigger=("fetch", "far"),
    ),
    Vector("legacy-remote", _arm_legacy_remote, trigger=("fetch", "legacy")),
    Vector(
        "submodule.update",
        _set("submodule.sub.update", _QUIET, ("submodule.sub.url", "./sub"), ("submodule.recurse", "true"), form="!{}"),
        trigger=("submodule", "update", "--force", "sub"),
    ),
    Vector("submodule.fsmonitor", _set_in_submodule("core.fsmonitor", _WATCH), fires_on_reads=True),
    Vector("submodule.clean", _set_in_submodule("filter.cleaned.clean", _PASS), fires_on_reads=True),
    Vector(
        "submodule.textconv",
        _set_in_submodule("diff.converted.textconv", _SHOW, ("diff.submodule", "diff")),
        fires_on_reads=True,
    ),
    Vector(
        "submodule.ignore-none",
        _set_in_submodule("core.fsmonitor", _WATCH, ("submodule.sub.ignore", "none")),
        fires_on_reads=True,
    ),
    Vector("core.alternateRefsCommand", _arm_alternate_refs, trigger=("fetch", "origin")),
    Vector("uploadpack.packObjectsHook", _set("uploadpack.packObjectsHook", _FAIL)),
    Vector("alias", _arm_alias, trigger=("st",)),
    Vector("promisor", _arm_promisor, fires_on_reads=True),
    Vector("include.path", _arm_include, fires_on_reads=True),
    Vector("includeIf", _arm_conditional_include, fires_on_reads=True),
    Vector("config.worktree", _arm_worktree_config, fires_on_reads=True),
    Vector(
        "difftool",
        _set("difftool.t.cmd", _QUIET, ("diff.tool", "t"), ("difftool.prompt", "false")),
        trigger=("difftool", "HEAD", "--", "f.plain"),
    ),
    Vector("mergetool", _set("mergetool.t.cmd", _QUIET, ("merge.tool", "t"))),
    Vector("tar.command", _set("tar.tgz.command", _PASS), trigger=("archive", "--format=tgz", "HEAD")),
    Vector(
        "man.viewer",
        _set("man.v.cmd", _QUIET, ("man.viewer", "v"), ("help.format", "man")),
        trigger=("help", "log"),
    ),
    Vector("embedded-bare", _arm_embedded_bare, fires_on_reads=True, cwd="repo/bare"),
    Vector("git-file", _arm_git_file, fires_on_reads=True, cwd="repo/pointed"),
    Vector("core.worktree", _arm_elsewhere, fires_on_reads=True),
)
