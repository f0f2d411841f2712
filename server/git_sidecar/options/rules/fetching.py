"""git-fetch(1) and git-pull(1): what they may write locally is refs/remotes/ and new tags."""

from dataclasses import replace

from git_sidecar.model.tier import Tier
from git_sidecar.options.assembly import assemble, read_call
from git_sidecar.options.call import Classified, Facts, RefSpec
from git_sidecar.options.grammar import Parsed
from git_sidecar.options.operands import Operands
from git_sidecar.options.refspecs import TAGS, join_refspec, split_refspec, split_refspecs
from git_sidecar.options.refusals import invalid, not_permitted, set_by_config
from git_sidecar.options.remotes import check_remote, fetch_remote
from git_sidecar.options.rules.rewriting import check_merge_options
from git_sidecar.options.tables import network

_TRACKING = "refs/remotes/"
_INTERACTIVE = frozenset({"interactive", "i"})


def classify_fetch(args: tuple[str, ...], facts: Facts) -> Classified:
    """git-fetch(1) from configured remotes."""
    parsed = read_call(("fetch",), args, network.FETCH, facts)
    if parsed.on("multiple"):
        return _from_many(parsed, parsed.operands, facts)
    return _from_one("fetch", parsed, facts)


def classify_pull(args: tuple[str, ...], facts: Facts) -> Classified:
    """git-pull(1) from a configured remote, merging or rebasing without an editor."""
    parsed = read_call(("pull",), args, network.PULL, facts)
    found = _from_one("pull", parsed, facts)
    if parsed.last("rebase") is None:
        _check_configured_rebase(facts)
    if not parsed.on("rebase"):
        check_merge_options("pull", facts)
    return replace(found, forced=("--no-edit",), editor_accept=True)


def _from_one(subcommand: str, parsed: Parsed, facts: Facts) -> Classified:
    if parsed.on("all"):
        if parsed.operands:
            raise invalid(f"git {subcommand} --all takes no remote")
        return _from_many(parsed, (), facts)
    operands = parsed.operands
    remote = operands[0] if operands else fetch_remote(facts)
    if remote is None:
        return _assemble(parsed, Operands(), ())
    _check_source(subcommand, remote, facts)
    specs = split_refspecs(subcommand, operands[1:])
    for spec in specs:
        if not _is_harmless(spec):
            raise not_permitted(
                f"git {subcommand}: the refspec {join_refspec(spec)!r} writes {spec.dst}, a local ref",
                "Fetch the branch by its name alone, then switch, merge or make a branch from it.",
            )
    written = tuple(map(join_refspec, specs))
    found = _assemble(parsed, Operands(revisions=written, tail=(remote, *written)), (remote,))
    return replace(found, remote=remote, refspecs=specs)


def _from_many(parsed: Parsed, remotes: tuple[str, ...], facts: Facts) -> Classified:
    for remote in remotes or sorted(facts.remotes or ()):
        _check_source(parsed.subcommand, remote, facts)
    return _assemble(parsed, Operands(revisions=remotes, tail=remotes), remotes or tuple(sorted(facts.remotes or ())))


def _assemble(parsed: Parsed, operands: Operands, remotes: tuple[str, ...]) -> Classified:
    words = (parsed.subcommand,)
    found = assemble(words, parsed, operands, tier=Tier.NETWORK, action=parsed.subcommand)
    # Otherwise configuration can make every fetch delete local tags.
    keys = ("fetch.pruneTags", *(f"remote.{remote}.pruneTags" for remote in remotes))
    return replace(found, config=tuple((key, "false") for key in keys))


def _check_source(subcommand: str, remote: str, facts: Facts) -> None:
    check_remote(subcommand, remote, facts)
    group = facts.values(f"remotes.{remote}")
    if group:
        raise set_by_config(f"git {subcommand}: {remote} is also a group of remotes: {' '.join(group)}")
    for word in facts.values(f"remote.{remote}.fetch"):
        spec = split_refspec(word)
        if not word.startswith("^") and not _is_harmless(spec):
            raise set_by_config(
                f"git {subcommand}: remote.{remote}.fetch is {word!r}, so that every fetch writes {spec.dst}",
                "A person can change the setting to +refs/heads/*:refs/remotes/<remote>/*.",
            )


def _is_harmless(spec: RefSpec) -> bool:
    """Whether a fetch's refspec writes nothing, a tracking ref, or a tag that is not there yet."""
    if spec.dst is None or spec.dst.startswith(_TRACKING):
        return True
    return spec.dst.startswith(TAGS) and spec.src == spec.dst and not spec.forced


def _check_configured_rebase(facts: Facts) -> None:
    branch = f"branch.{facts.current_branch}.rebase"
    key = branch if facts.current_branch and facts.values(branch) else "pull.rebase"
    if facts.value(key) in _INTERACTIVE:
        raise set_by_config(
            f"git pull: {key} is interactive, which opens an editor", "Add --rebase, --no-rebase or --ff-only."
        )
