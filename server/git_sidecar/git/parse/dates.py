"""Dates as git prints them: strict ISO 8601, or seconds and a zone."""

import re
from datetime import UTC, datetime, timedelta, timezone

_LAST_S = 253_402_300_799  # the end of the year 9999, the last that ISO 8601 writes with four digits
_ZONE = re.compile(r"([+-])(\d\d)(\d\d)")


def parse_iso_date(text: str) -> str:
    """The date with a numeric offset: git 2.45 and later write UTC as `Z`, earlier ones as `+00:00`."""
    return text.removesuffix("Z") + "+00:00" if text.endswith("Z") else text


def format_iso_date(time_s: int, zone: str) -> str:
    """Seconds since 1970 and git's `+hhmm` in ISO 8601; times that no calendar holds become 1970, as git has it."""
    match = _ZONE.fullmatch(zone)
    minutes = int(f"{match[1]}{int(match[2]) * 60 + int(match[3])}") if match else 0
    offset = timezone(timedelta(minutes=minutes)) if abs(minutes) < 24 * 60 else UTC
    return datetime.fromtimestamp(time_s if 0 <= time_s <= _LAST_S - 86_400 else 0, offset).isoformat()
