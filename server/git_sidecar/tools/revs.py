"""Revisions as arguments: one, or a range of two."""

import re
from typing import Annotated

from pydantic import AfterValidator

from git_sidecar.model.refs import Rev
from git_sidecar.tools.contract import Text

_RANGE = re.compile(r"(.*?)(\.{2,3})(.*)", re.DOTALL)


def _check_rev(text: str) -> str:
    Rev(text)
    return text


def _check_range(text: str) -> str:
    for rev in split_range(text)[::2]:
        _check_rev(rev)
    return text


def split_range(text: str) -> tuple[str, str, str]:
    """A range's ends and the dots between them; an end left out is HEAD. Without dots: the revision, "" and HEAD."""
    match = _RANGE.fullmatch(text)
    if match is None:
        return text, "", "HEAD"
    return match[1] or "HEAD", match[2], match[3] or "HEAD"


RevText = Annotated[Text, AfterValidator(_check_rev)]
"""A revision that git cannot mistake for an option."""

RangeText = Annotated[Text, AfterValidator(_check_range)]
"""A revision, `a..b` or `a...b`."""
