"""Patches: formatting undoes parsing of what git prints; hunks hold what their headers say."""

import subprocess
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from git_sidecar.git.parse.names import quote_name
from git_sidecar.git.parse.patch import format_patch, parse_patch
from git_sidecar.model.patch import FilePatch, Hunk
from git_sidecar.model.refs import RepoPath
from tests.support.strategies import paths

contents = st.lists(
    st.one_of(
        st.binary(max_size=8).map(lambda raw: raw.replace(b"\n", b" ").replace(b"\0", b" ")),
        st.sampled_from([b"@@ -1 +1 @@", b"diff --git a/x b/x", b"-- a", b"++ b", b"\\ No newline", b"", b"\r"]),
    ),
    max_size=8,
)


sides = st.tuples(contents, st.sampled_from([b"", b"\n"])).map(lambda side: b"\n".join(side[0]) + side[1])


@st.composite
def hunks(draw: st.DrawFn) -> Hunk:
    """A hunk whose lines add up to its counts; heading and a missing last line end included."""
    lines = draw(
        st.lists(st.tuples(st.sampled_from([b" ", b"+", b"-"]), contents.map(b" ".join)), min_size=1, max_size=6)
    )
    old = sum(kind in b" -" for kind, _ in lines)
    new = sum(kind in b" +" for kind, _ in lines)
    rows = [kind + text for kind, text in lines]
    if draw(st.booleans()):
        rows.append(b"\\ No newline at end of file")
    heading = draw(st.sampled_from([b"", b" def f():", b" @@ odd @@"]))
    return Hunk(draw(st.integers(0, 99)), old, draw(st.integers(0, 99)), new, heading, tuple(rows))


@st.composite
def files(draw: st.DrawFn) -> FilePatch:
    """A changed file, with any name."""
    name = draw(paths)
    # git marks the end of a name with a blank, here and in patch(1), by a tab.
    mark = b"\t" if b" " in name and quote_name(b"a/" + name) == b"a/" + name else b""
    header = (
        b"diff --git %b %b" % (quote_name(b"a/" + name), quote_name(b"b/" + name)),
        b"index 1111111..2222222 100644",
        b"--- %b%b" % (quote_name(b"a/" + name), mark),
        b"+++ %b%b" % (quote_name(b"b/" + name), mark),
    )
    path = RepoPath.from_bytes(name)
    return FilePatch(header, path, path, tuple(draw(st.lists(hunks(), min_size=1, max_size=3))))


@given(st.lists(files(), max_size=3))
def test_parsing_undoes_formatting(items: list[FilePatch]) -> None:
    assert parse_patch(format_patch(items)) == items


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(sides, sides, st.integers(0, 3))
def test_gits_own_patches_come_back_whole(tmp_path: Path, old: bytes, new: bytes, context: int) -> None:
    (tmp_path / "old").write_bytes(old)
    (tmp_path / "new").write_bytes(new)
    done = subprocess.run(
        ["git", "diff", "--no-index", "--text", f"--unified={context}", "old", "new"],
        cwd=tmp_path,
        env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "GIT_CONFIG_NOSYSTEM": "1"},
        capture_output=True,
        check=False,
        timeout=30,
    )
    parsed = parse_patch(done.stdout)
    assert format_patch(parsed) == done.stdout
    for file in parsed:
        for hunk in file.hunks:
            kinds = [line[:1] for line in hunk.lines]
            assert sum(kind in (b" ", b"-") for kind in kinds) == hunk.old_count
            assert sum(kind in (b" ", b"+") for kind in kinds) == hunk.new_count
