"""Refusals: failures that the model or the person can act on (wire contract, section 6)."""

from dataclasses import dataclass
from enum import StrEnum

from git_sidecar.model.changes import Conflict


class RefusalCode(StrEnum):
    """Every code that a refusal may carry on the wire."""

    INVALID_ARGUMENTS = "invalid_arguments"
    UNKNOWN_TOOL = "unknown_tool"
    UNKNOWN_REPOSITORY = "unknown_repository"
    AMBIGUOUS_REPOSITORY = "ambiguous_repository"
    NO_REPOSITORY_SELECTED = "no_repository_selected"
    BARE_REPOSITORY = "bare_repository"
    OUTSIDE_WORKSPACE = "outside_workspace"
    NOT_A_REPOSITORY = "not_a_repository"
    UNSAFE_REPOSITORY = "unsafe_repository"
    UNTRUSTED_WORKSPACE = "untrusted_workspace"
    NOTHING_TO_COMMIT = "nothing_to_commit"
    NOTHING_TO_DO = "nothing_to_do"
    PATH_NOT_FOUND = "path_not_found"
    REF_NOT_FOUND = "ref_not_found"
    REF_EXISTS = "ref_exists"
    CONFLICT = "conflict"
    OPERATION_IN_PROGRESS = "operation_in_progress"
    DIRTY_WORKTREE = "dirty_worktree"
    HOOK_REJECTED = "hook_rejected"
    SIGNING_FAILED = "signing_failed"
    IDENTITY_MISSING = "identity_missing"
    NOT_FAST_FORWARD = "not_fast_forward"
    REMOTE_REJECTED = "remote_rejected"
    AUTH_REQUIRED = "auth_required"
    REPOSITORY_LOCKED = "repository_locked"
    TIMED_OUT = "timed_out"
    TOO_LARGE = "too_large"
    OPTION_NOT_ALLOWED = "option_not_allowed"
    SUBCOMMAND_NOT_ALLOWED = "subcommand_not_allowed"
    DENIED_BY_POLICY = "denied_by_policy"
    CONFIRM_REQUIRED = "confirm_required"
    CONFIRMATION_UNAVAILABLE = "confirmation_unavailable"
    DENIED_BY_USER = "denied_by_user"
    TICKET_INVALID = "ticket_invalid"
    CHANGED_SINCE_CONFIRMED = "changed_since_confirmed"
    MOVED_BY_OTHER_SESSION = "moved_by_other_session"
    HEAD_MISMATCH = "head_mismatch"
    INDEX_MISMATCH = "index_mismatch"
    PROTECTED_BRANCH = "protected_branch"
    AD_HOC_REMOTE = "ad_hoc_remote"
    SETTINGS_INVALID = "settings_invalid"
    SNAPSHOT_FAILED = "snapshot_failed"
    CANNOT_UNDO = "cannot_undo"
    MODEL_UNAVAILABLE = "model_unavailable"
    MODEL_FAILED = "model_failed"
    COMMAND_FAILED = "command_failed"


class Retry(StrEnum):
    """What would have to happen before the same call can succeed."""

    FIX_ARGUMENTS = "fix_arguments"
    CONFIRM = "confirm"
    ENABLE_POLICY = "enable_policy"
    ASK_USER = "ask_user"
    LATER = "later"
    NEVER = "never"


_ASK_USER = (
    RefusalCode.UNSAFE_REPOSITORY,
    RefusalCode.HOOK_REJECTED,
    RefusalCode.SIGNING_FAILED,
    RefusalCode.IDENTITY_MISSING,
    RefusalCode.AUTH_REQUIRED,
    RefusalCode.CONFLICT,
    RefusalCode.OPERATION_IN_PROGRESS,
    RefusalCode.DIRTY_WORKTREE,
    RefusalCode.NOT_FAST_FORWARD,
    RefusalCode.REMOTE_REJECTED,
    RefusalCode.DENIED_BY_USER,
    RefusalCode.CONFIRMATION_UNAVAILABLE,
    RefusalCode.CHANGED_SINCE_CONFIRMED,
    RefusalCode.SNAPSHOT_FAILED,
    RefusalCode.SETTINGS_INVALID,
    RefusalCode.MODEL_FAILED,
)
_ENABLE_POLICY = (RefusalCode.DENIED_BY_POLICY, RefusalCode.UNTRUSTED_WORKSPACE)
_CONFIRM = (RefusalCode.CONFIRM_REQUIRED, RefusalCode.MOVED_BY_OTHER_SESSION)
_LATER = (RefusalCode.REPOSITORY_LOCKED, RefusalCode.TIMED_OUT, RefusalCode.MODEL_UNAVAILABLE)
_NEVER = (RefusalCode.PROTECTED_BRANCH, RefusalCode.AD_HOC_REMOTE, RefusalCode.CANNOT_UNDO)


def usual_retry(code: RefusalCode) -> Retry:
    """What usually helps against a refusal with this code: mending the arguments, unless the code says otherwise."""
    for codes, retry in (
        (_ASK_USER, Retry.ASK_USER),
        (_ENABLE_POLICY, Retry.ENABLE_POLICY),
        (_CONFIRM, Retry.CONFIRM),
        (_LATER, Retry.LATER),
        (_NEVER, Retry.NEVER),
    ):
        if code in codes:
            return retry
    return Retry.FIX_ARGUMENTS


@dataclass(frozen=True, slots=True)
class Candidate:
    """A repository that a refused name could have meant."""

    label: str
    root: str
    matches: bool


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a call was not carried out, and what to do next."""

    code: RefusalCode
    message: str
    hint: str | None = None
    retry: Retry | None = None
    candidates: tuple[Candidate, ...] | None = None
    conflicts: tuple[Conflict, ...] | None = None
    setting: str | None = None
    stderr: str | None = None
    stdout: str | None = None
    exit_code: int | None = None

    @property
    def effective_retry(self) -> Retry:
        """The retry advice that goes on the wire: the given one, else the code's usual one."""
        return self.retry or usual_retry(self.code)
