"""The overrides that a repository's driver and protocol names call for; the names come from git itself."""

import pytest

from git_sidecar.git.hardening import listing_for, parse_overrides
from git_sidecar.git.invocation import Invocation
from tests.support.scratch import ScratchRepo


def overrides_of(repo: ScratchRepo) -> dict[str, str]:
    """What git lists in the repository, less what the scratch HOME's own configuration calls for."""
    own = dict(parse_overrides(repo.scratch.run(repo.scratch.base, *listing_for(Invocation(("x",))).argv)))
    assert own == {"protocol.file.allow": "never"}
    found = parse_overrides(repo.git(*listing_for(Invocation(("x",))).argv))
    return {key: value for key, value in found if key not in own}


@pytest.mark.parametrize("driver", ["lfs", "a=b", "Mixed.Case", "with space", "ünï", "-c", "clean"])
def test_every_key_of_a_filter_is_switched_off(repo: ScratchRepo, driver: str) -> None:
    repo.git("config", "-f", ".git/config", f"filter.{driver}.smudge", "evil")
    assert overrides_of(repo) == {
        f"filter.{driver}.clean": "",
        f"filter.{driver}.smudge": "",
        f"filter.{driver}.process": "",
        f"filter.{driver}.required": "false",
    }


def test_diff_merge_and_protocol_keys_that_name_a_program(repo: ScratchRepo) -> None:
    for key, value in (
        ("diff.d=x.command", "evil"),
        ("DIFF.t.TextConv", "evil"),
        ("diff.t.cachetextconv", "true"),
        ("diff.t.xfuncname", "^x"),
        ("merge.m.driver", "evil %A"),
        ("merge.m.name", "harmless"),
        ("protocol.ext.allow", "always"),
        ("diff.external", "evil"),
        ("merge.tool", "x"),
    ):
        repo.git("config", key, value)
    with (repo.root / ".git" / "config").open("a") as config:
        config.write('[diff ""]\n\tcommand = evil\n')
    assert overrides_of(repo) == {
        "diff.d=x.command": "",
        "diff.t.textconv": "",
        "merge.m.driver": "false",
        "protocol.ext.allow": "never",
        "diff..command": "",
    }


def test_included_files_are_seen_and_names_that_are_not_utf8_survive(repo: ScratchRepo) -> None:
    (repo.root / "inc").write_bytes(b'[filter "\xff\xfe"]\n\tclean = evil\n')
    repo.git("config", "include.path", "../inc")
    keys = [key.encode("utf-8", "surrogateescape") for key in overrides_of(repo)]
    assert b"filter.\xff\xfe.clean" in keys
    assert len(keys) == 4


def test_a_repeated_key_is_answered_once_and_nothing_calls_for_nothing() -> None:
    assert parse_overrides(b"diff.x.command\0diff.x.command\0") == (("diff.x.command", ""),)
    assert parse_overrides(b"") == ()
    assert parse_overrides(b"core.bare\0user.name\0filter.\0.\0\0") == ()


def test_the_listing_sees_what_the_call_will_see() -> None:
    call = Invocation(("diff",), config=(("safe.bareRepository", "all"),), environment={"GIT_DIR": "/x"}, stdin=b"text")
    listing = listing_for(call)
    assert (listing.config, listing.environment, listing.stdin) == (call.config, call.environment, None)
