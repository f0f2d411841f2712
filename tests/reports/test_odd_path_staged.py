"""A staged name may begin with a colon, like the records that git prints of it."""

from tests.reports.conftest import Opener
from tests.reports.oracle import staged_names
from tests.reports.test_odd_path import PATTERNS
from tests.support.scratch import ScratchRepo


def test_staging_a_name_that_looks_like_a_pattern_stages_it_alone(repo: ScratchRepo, open_agreeing: Opener) -> None:
    repo.commit(**{"ordinary.txt": "1\n", "sub/notes.md": "1\n"})
    repo.write("ordinary.txt", "2\n")
    repo.write("sub/notes.md", "2\n")
    for pattern in PATTERNS:
        repo.write(pattern, "t\n")
    editor = open_agreeing(repo.root)
    for number, pattern in enumerate(PATTERNS, 1):
        editor.value("git_add", workdir=str(repo.root), paths=[pattern])
        assert staged_names(repo) == sorted(PATTERNS[:number])
