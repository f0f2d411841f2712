"""`git/stagedDiff`: the staged diff of one repository, asked by nobody's leave and asking nobody."""

import time

from git_sidecar.git.errors import GitRefused
from git_sidecar.git.parse.line_cut import CutLimits
from git_sidecar.git.staged_diff import read_staged_diff
from git_sidecar.model.refusal import Refusal, RefusalCode
from git_sidecar.model.repository import KnownRepository
from git_sidecar.service.errors import RefusedRequest
from git_sidecar.service.repositories import Repositories, Workplace
from git_sidecar.settings.schema import LimitSettings
from git_sidecar.tools.wire_values import Json, repository_identity, staged_diff_value


def cut_limits(limits: LimitSettings) -> CutLimits:
    """The limits of the settings, as the cutting code takes them."""
    return CutLimits(limits.head_lines, limits.tail_lines, limits.line_length, limits.bytes)


def refuse_bare(known: KnownRepository) -> Refusal:
    """The refusal of a call that needs a work tree in a repository that has none."""
    return Refusal(
        RefusalCode.BARE_REPOSITORY,
        f"{known.label} is a bare repository: it has no index and no work tree",
        "Name a worktree of it; git_log, git_show, git_branch and git_tag work here too.",
    )


async def open_or_refuse(repositories: Repositories, name: str | None, *, bare: bool = False) -> Workplace:
    """The repository that a direct request names; raises RefusedRequest, for a bare one too unless `bare`."""
    chosen = repositories.choose(name)
    if isinstance(chosen, Refusal):
        raise RefusedRequest(chosen)
    try:
        place = await repositories.open(*chosen)
    except GitRefused as error:
        raise RefusedRequest(error.refusal) from error
    if isinstance(place, Refusal):
        raise RefusedRequest(place)
    if place.repository.location.bare and not bare:
        raise RefusedRequest(refuse_bare(place.known))
    return place


async def staged_diff(repositories: Repositories, name: str | None, file_budget: int | None) -> Json:
    """The result of git/stagedDiff; raises RefusedRequest, GitUnavailable."""
    started = time.monotonic()
    place = await open_or_refuse(repositories, name)
    try:
        staged = await read_staged_diff(place.repository, cut_limits(place.settings.limits), file_budget=file_budget)
    except GitRefused as error:
        raise RefusedRequest(error.refusal) from error
    duration_ms = round((time.monotonic() - started) * 1_000)
    return staged_diff_value(place.known, staged, duration_ms=duration_ms, warnings=())


def canceled_staged_diff(repositories: Repositories, name: str | None) -> Json:
    """The ordinary result of a canceled git/stagedDiff: empty, at once, without a look at the repository."""
    chosen = repositories.choose(name)
    if isinstance(chosen, Refusal):
        raise RefusedRequest(chosen)
    return {
        "repository": repository_identity(chosen[0]),
        "diff": "",
        "files": [],
        "fingerprint": {"head": None, "branch": None, "index": ""},
        "operation": None,
        "truncated": False,
        "omittedLines": 0,
        "omittedBytes": 0,
        "canceled": True,
        "durationMs": 0,
        "warnings": [],
    }
