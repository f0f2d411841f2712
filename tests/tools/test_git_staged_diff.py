"""git_staged_diff: the same value as git/stagedDiff."""

import hashlib

from git_sidecar.tools.contract import DiffCard
from tests.support.scratch import ScratchRepo
from tests.support.toolbox import Toolbox
from tests.tools.conftest import OpenToolbox


async def test_what_is_staged(repo: ScratchRepo, toolbox: Toolbox) -> None:
    head = repo.commit("base", **{"env.txt": "1\n"})
    repo.write("env.txt", "1\nmore\n")
    repo.write("Dockerfile", "FROM\n")
    repo.git("add", "Dockerfile")
    answer = await toolbox.call("git_staged_diff")
    value = answer.value
    assert value["diff"].encode() == repo.git("diff", "--cached")
    assert [file["path"] for file in value["files"]] == ["Dockerfile"]
    raw = repo.git("diff", "--cached", "--raw", "-z", "--no-abbrev")
    assert value["fingerprint"] == {"head": head, "branch": "main", "index": hashlib.sha256(raw).hexdigest()}
    assert value["repository"] == {"label": "r", "root": str(repo.root), "rootUri": repo.root.as_uri()}
    (card,) = answer.cards
    assert isinstance(card, DiffCard)
    assert (card.diffs[0].old_text, card.diffs[0].new_text) == ("", "FROM\n")


async def test_nothing_staged(repo: ScratchRepo, toolbox: Toolbox) -> None:
    answer = await toolbox.call("git_staged_diff")
    assert (answer.value["diff"], answer.value["files"], answer.value["fingerprint"]["head"]) == ("", [], None)
    assert answer.text == "Nothing is staged in r."


async def test_a_long_diff_is_cut_and_told(repo: ScratchRepo, open_toolbox: OpenToolbox) -> None:
    repo.write("long.txt", "".join(f"{n}\n" for n in range(300)))
    repo.git("add", "-A")
    answer = await open_toolbox(repo, settings={"limits": {"headLines": 20, "tailLines": 5}}).call("git_staged_diff")
    assert answer.value["truncated"] is True
    assert answer.value["files"][0]["additions"] == 300
    assert f"{answer.value['omittedLines']} lines" in answer.text
    (card,) = answer.cards
    assert isinstance(card, DiffCard)
    assert [(diff.path, diff.new_text) for diff in card.diffs] == [("long.txt", None)]
