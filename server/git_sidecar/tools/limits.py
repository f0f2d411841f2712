"""The limits of the settings, as the readers of git take them."""

from git_sidecar.git.parse.line_cut import CutLimits
from git_sidecar.git.parse.line_window import WindowLimits
from git_sidecar.settings.schema import LimitSettings


def cut_limits(limits: LimitSettings) -> CutLimits:
    """For a diff of which head and tail are kept."""
    return CutLimits(limits.head_lines, limits.tail_lines, limits.line_length, limits.bytes)


def window_limits(limits: LimitSettings) -> WindowLimits:
    """For a page: as many lines as a cut diff has."""
    return WindowLimits(limits.head_lines + limits.tail_lines, limits.bytes, limits.line_length)
