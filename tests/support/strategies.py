"""What property tests draw from: names and texts as they occur in repositories, odd ones often."""

from hypothesis import strategies as st

ODD_NAMES = (
    b"plain.txt",
    b"a b.txt",
    b'quo"te',
    b"back\\slash",
    b"tab\there",
    b"new\nline",
    b"a -> b",
    "caf\u00e9 \u00fc.txt".encode(),
    "\U0001f680_old.rs".encode(),
    b"latin1-\xe9.txt",
    b"-test.txt",
    b"--all",
    b"R100",
    b"1 .M N...",
    b"diff --git a",
    b" leading and trailing ",
    b"\x01\x7f",
)

_names = st.one_of(
    st.sampled_from(ODD_NAMES),
    st.binary(min_size=1, max_size=12).map(lambda raw: raw.replace(b"\0", b"_").replace(b"/", b"_")),
).filter(lambda name: name not in (b".", b".."))

paths = st.lists(_names, min_size=1, max_size=3).map(b"/".join)
"""Paths as git's bytes: relative, no NUL, no dot parts."""

oids = st.sampled_from([40, 64]).flatmap(lambda size: st.text("0123456789abcdef", min_size=size, max_size=size))
"""Object ids of both formats."""

one_line = st.text(st.characters(codec="utf-8", exclude_characters="\0\n"), max_size=20)
"""Text without NUL and line feed; other control characters and separators may be in it."""


def split_everywhere(data: bytes) -> list[tuple[bytes, bytes]]:
    """The data in two parts, at each place."""
    return [(data[:at], data[at:]) for at in range(len(data) + 1)]
