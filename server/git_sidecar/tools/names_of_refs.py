"""Branch and tag names as arguments, checked when the call is read."""

from typing import Annotated

from pydantic import AfterValidator

from git_sidecar.model.refs import BranchName
from git_sidecar.tools.contract import Text


def _check_name(text: str) -> str:
    BranchName(text)
    return text


BranchText = Annotated[Text, AfterValidator(_check_name)]
"""A branch's or a tag's short name, as git-check-ref-format(1) allows it."""
