"""git-push(1): rebuilt with an explicit remote and full refspecs, so that configuration adds nothing unseen."""

from dataclasses import replace

from git_sidecar.model.tier import Tier
from git_sidecar.options.assembly import assemble, read_call
from git_sidecar.options.call import Classified, Facts, RefSpec
from git_sidecar.options.grammar import Given, Parsed, spell
from git_sidecar.options.operands import Operands
from git_sidecar.options.refspecs import (
    HEADS,
    MATCHING,
    full_name,
    join_refspec,
    protected_match,
    resolve_push,
    split_refspec,
    split_refspecs,
)
from git_sidecar.options.refusals import invalid, protected, set_by_config
from git_sidecar.options.remotes import check_remote, fetch_remote, push_remote
from git_sidecar.options.tables import network

_WORDS = ("push",)
_FORCING = ("force", "force-with-lease")
_OWN_SUBMODULE_SETTINGS = frozenset({"check", "no", "false"})


def classify_push(args: tuple[str, ...], facts: Facts) -> Classified:
    """git-push(1); a forced update or deletion of a protected branch is refused, whatever asks for it."""
    parsed = read_call(_WORDS, args, network.PUSH, facts)
    operands = parsed.operands
    remote = operands[0] if operands else push_remote(facts)
    if remote is not None:
        check_remote("push", remote, facts)
        _check_mirror(remote, facts)
    specs = _refspecs(parsed, remote, operands[1:], facts)
    if parsed.on("delete"):
        specs = tuple(RefSpec(None, full_name(spec.src or "", facts), forced=spec.forced) for spec in specs)
    forcing = parsed.on(*_FORCING)
    _check_protected(parsed, specs, facts, forcing=forcing)
    parsed = _with_configured_options(parsed.drop("delete"), facts)
    found = assemble(_WORDS, parsed, _tail(remote, specs), tier=Tier.NETWORK, action="push")
    deletes = any(spec.src is None and spec.dst is not None for spec in specs)
    forced = forcing or deletes or any(spec.forced for spec in specs)
    return replace(
        found,
        action="delete" if deletes else "forced-push" if forced else "push",
        forced=_submodules(parsed, facts),
        remote=remote,
        refspecs=specs,
        forced_push=forced,
    )


def _refspecs(parsed: Parsed, remote: str | None, words: tuple[str, ...], facts: Facts) -> tuple[RefSpec, ...]:
    everything = parsed.on("all", "tags")
    if words:
        if parsed.on("all"):
            raise invalid("git push --all takes no refspecs")
        written = split_refspecs("push", words)
        if parsed.on("delete"):
            if any(spec.src is None or spec.dst is not None or spec.forced for spec in written):
                raise invalid("git push --delete takes names of refs, without ':' and '+'")
            return written
        return tuple(resolve_push(spec, facts) for spec in written)
    if parsed.on("delete"):
        raise invalid("git push --delete needs the refs to delete")
    if everything or remote is None:
        return ()
    configured = facts.values(f"remote.{remote}.push")
    if configured:
        return tuple(resolve_push(split_refspec(word), facts) for word in configured)
    return _by_default(parsed, remote, facts)


def _by_default(parsed: Parsed, remote: str, facts: Facts) -> tuple[RefSpec, ...]:
    """What push.default makes of a push without refspecs (git-config(1))."""
    mode = facts.value("push.default") or "simple"
    if mode == "nothing":
        raise invalid("git push: push.default is nothing, so a refspec is needed")
    if mode == "matching":
        return (MATCHING,)
    if not facts.head_known:
        return ()
    branch = facts.current_branch
    if branch is None:
        raise invalid("git push: HEAD is detached", "Write HEAD:refs/heads/NAME.")
    source = f"{HEADS}{branch}"
    upstream = facts.value(f"branch.{branch}.merge")
    central = remote == fetch_remote(facts)
    if mode == "current" or (mode == "simple" and not central):
        return (RefSpec(source, source, forced=False),)
    if upstream is None and (parsed.on("set-upstream") or facts.is_true("push.autosetupremote")):
        upstream = source
    if upstream is None:
        raise invalid(f"git push: {branch} has no upstream branch", "Add --set-upstream, the remote and the branch.")
    if not central or (mode == "simple" and upstream != source):
        raise invalid(
            f"git push: the upstream of {branch} is {upstream}, which push.default={mode} does not push to",
            "Name the remote and the refspec.",
        )
    return (RefSpec(source, upstream, forced=False),)


def _check_mirror(remote: str, facts: Facts) -> None:
    if facts.is_true(f"remote.{remote}.mirror"):
        raise set_by_config(
            f"git push: remote.{remote}.mirror is set, so every push overwrites and deletes all that {remote} has",
        )


def _check_protected(parsed: Parsed, specs: tuple[RefSpec, ...], facts: Facts, *, forcing: bool) -> None:
    what = "a forced push" if forcing else "a forced push or deletion"
    # What goes out besides, or was not looked up, may be any branch.
    reach = (*specs, *((MATCHING,) if parsed.on("all") or not (specs or parsed.on("tags")) else ()))
    for spec in reach:
        if forcing or spec.forced or (spec.src is None and spec.dst is not None):
            branch = protected_match(spec, facts)
            if branch is not None:
                raise protected(branch, what)


def _with_configured_options(parsed: Parsed, facts: Facts) -> Parsed:
    """With what push.followTags and push.autoSetupRemote would add, so that it is seen."""
    added: list[Given] = []
    if facts.is_true("push.followtags") and parsed.last("follow-tags") is None:
        added.append(spell(network.PUSH, "follow-tags"))
    if facts.is_true("push.autosetupremote") and not parsed.operands and not parsed.on("set-upstream", "all", "tags"):
        added.append(spell(network.PUSH, "set-upstream"))
    return replace(parsed, options=(*parsed.options, *added))


def _submodules(parsed: Parsed, facts: Facts) -> tuple[str, ...]:
    """Our option against configuration that pushes submodules too."""
    configured = facts.value("push.recursesubmodules")
    if parsed.on("recurse-submodules") or (configured is None and not facts.is_true("submodule.recurse")):
        return ()
    return () if configured in _OWN_SUBMODULE_SETTINGS else ("--recurse-submodules=no",)


def _tail(remote: str | None, specs: tuple[RefSpec, ...]) -> Operands:
    written = tuple(map(join_refspec, specs))
    return Operands(revisions=written, tail=(*(() if remote is None else (remote,)), *written))
