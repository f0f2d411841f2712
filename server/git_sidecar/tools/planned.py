"""The plan of a call, as the tool that made it gets it back."""

from typing import TypeVar

from git_sidecar.model.plan import Plan

T = TypeVar("T")


def details_of(plan: Plan | None, kind: type[T]) -> T:
    """The tool's own part of a plan; TypeError where another tool made it."""
    if plan is None or not isinstance(plan.details, kind):
        raise TypeError(f"this is no plan with {kind.__name__}")
    return plan.details
