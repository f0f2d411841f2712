"""The generator on real repositories, with a scripted endpoint, a scripted editor, and none."""

import asyncio
import hashlib
import json
from typing import Any

import pytest

from git_sidecar.git.process import Spawner
from git_sidecar.messages.choose import choose_writer
from git_sidecar.messages.generate import generate
from git_sidecar.messages.result import CommitMessage, MessageRequest
from git_sidecar.messages.writers import Completion, EditorWriter, ModelWish, WriterUnavailable
from git_sidecar.model.refusal import Refusal, RefusalCode
from git_sidecar.settings.schema import Settings
from tests.integration.scripted_model import Reply, ScriptedModel, scripted_model
from tests.support.opened import open_repository
from tests.support.scratch import ScratchRepo

GOOD = "fix: return an empty text for none"
SECRET = "wJalrXUtnFEMI" + "/K7MDENG/bPxRfiCYEXAMPLEKEY"


def settings(**message: Any) -> Settings:
    return Settings.model_validate({"commitMessage": message, "networkTimeoutMs": 20_000})


def no_keys(name: str) -> str | None:
    """An environment without variables."""


def one_key(name: str) -> str | None:
    """An environment that holds the endpoint's key."""
    return "key-1" if name == "MODEL_KEY" else None


def endpoint(model: ScriptedModel, **message: Any) -> Settings:
    return settings(provider="openai", baseUrl=model.base_url, model="m-1", apiKeyEnv="MODEL_KEY", **message)


async def write(
    repo: ScratchRepo, spawner: Spawner, chosen: Settings, request: MessageRequest | None = None, **kinds: Any
) -> CommitMessage | Refusal:
    """A message by the writer that the settings choose."""
    writer = choose_writer(chosen, None, one_key)
    assert not isinstance(writer, Refusal)
    opened = open_repository(repo.root, spawner, trusted=kinds.pop("trusted", True))
    return await generate(request or MessageRequest(), opened, chosen, writer, **kinds)


async def write_alone(
    repo: ScratchRepo, spawner: Spawner, request: MessageRequest | None = None, **message: Any
) -> CommitMessage:
    """A message by the offline writer."""
    made = await write(repo, spawner, settings(provider="offline", **message), request)
    assert isinstance(made, CommitMessage), made
    return made


async def refuse(repo: ScratchRepo, spawner: Spawner, chosen: Settings, **request: Any) -> Refusal:
    """The refusal of a request."""
    made = await write(repo, spawner, chosen, MessageRequest(**request))
    assert isinstance(made, Refusal), made
    return made


@pytest.fixture
def edited(repo: ScratchRepo) -> ScratchRepo:
    """A repository with a small fix staged."""
    repo.commit("feat: read files", **{"src/read.py": "def read(x):\n    return x\n"})
    repo.write("src/read.py", 'def read(x):\n    if x is None:\n        return ""\n    return x\n')
    repo.git("add", "-A")
    return repo


async def test_a_streamed_message_from_an_endpoint(edited: ScratchRepo, spawner: Spawner) -> None:
    seen: list[str] = []
    async with scripted_model(Reply(["```\n", "fix: return an ", "empty text for none", "\n```"])) as model:
        made = await write(edited, spawner, endpoint(model), on_text=seen.append)
    assert isinstance(made, CommitMessage)
    assert made.message == GOOD
    assert (made.provider, made.model) == ("openai", "scripted-1")
    assert seen[-1].startswith("fix: return an empty text for none")
    assert seen[1] == "fix: return an "
    assert all(check.ok for check in made.checks)
    request = model.requests[0]
    assert model.keys == ["Bearer key-1"]
    assert (request["model"], request["stream"], "tools" in request) == ("m-1", True, False)
    user = request["messages"][1]["content"]
    assert '+    if x is None:\n+        return ""' in user
    assert "- feat: read files" in user
    value = made.value()
    assert value["coverage"] == {"files": 1, "full": 1, "partial": 0, "omitted": 0}
    raw = edited.git("diff", "--cached", "--raw", "-z", "--no-abbrev")
    index = hashlib.sha256(raw).hexdigest()
    assert value["fingerprint"] == {"head": edited.text("rev-parse", "HEAD"), "branch": "main", "index": index}
    assert json.loads(json.dumps(value)) == value


async def test_one_repair_round(edited: ScratchRepo, spawner: Spawner) -> None:
    async with scripted_model(Reply(["Fixed parse_footer."]), Reply([GOOD])) as model:
        made = await write(edited, spawner, endpoint(model))
    assert isinstance(made, CommitMessage)
    assert made.message == GOOD
    wish = model.requests[1]["messages"][-1]["content"]
    assert "type-empty" in wish
    assert "parse_footer" in wish


async def test_a_message_that_cannot_be_mended_is_shown_with_the_rules_it_breaks(
    edited: ScratchRepo, spawner: Spawner
) -> None:
    async with scripted_model(Reply(["zxcv qwer"])) as model:
        made = await write(edited, spawner, endpoint(model))
    assert isinstance(made, CommitMessage)
    assert made.message == "zxcv qwer"
    assert {check.rule for check in made.checks if not check.ok} == {"type-empty", "subject-empty"}
    assert len(model.bodies) == 2


@pytest.mark.parametrize(
    ("reply", "code", "said"),
    [
        (Reply(status=401), RefusalCode.MODEL_UNAVAILABLE, "key"),
        (Reply(status=429), RefusalCode.MODEL_UNAVAILABLE, "429"),
        (Reply(status=404), RefusalCode.MODEL_UNAVAILABLE, "m-1"),
        (Reply(status=503), RefusalCode.MODEL_UNAVAILABLE, "503"),
        (Reply(status=400), RefusalCode.MODEL_FAILED, "400"),
        (Reply(["fix: half a mess"], finish=None), RefusalCode.MODEL_FAILED, "broke off"),
        (Reply(["fix: x"], finish="length"), RefusalCode.MODEL_FAILED, "cut off"),
        (Reply([""]), RefusalCode.MODEL_FAILED, "nothing"),
        (Reply(["I'm sorry, I can't help with that."]), RefusalCode.MODEL_FAILED, "refused"),
        (Reply(["fix: x"], finish="content_filter"), RefusalCode.MODEL_FAILED, "refused"),
        (Reply(tool=True, finish="tool_calls"), RefusalCode.MODEL_FAILED, "tool"),
        (Reply(['+    if x is None:\n+        return ""\n@@ -1,2 +1,4 @@']), RefusalCode.MODEL_FAILED, "was sent"),
        (Reply(["<!DOCTYPE html><p>login</p>"]), RefusalCode.MODEL_FAILED, "something else"),
        (Reply(body="not an event stream"), RefusalCode.MODEL_FAILED, ""),
    ],
)
async def test_what_can_go_wrong_at_an_endpoint(
    edited: ScratchRepo, spawner: Spawner, reply: Reply, code: RefusalCode, said: str
) -> None:
    async with scripted_model(reply) as model:
        refusal = await refuse(edited, spawner, endpoint(model))
    assert refusal.code is code
    assert said in refusal.message
    assert "x is None" not in refusal.message


async def test_a_busy_endpoint_is_asked_again(edited: ScratchRepo, spawner: Spawner) -> None:
    async with scripted_model(Reply(status=429), Reply([GOOD])) as model:
        made = await write(edited, spawner, endpoint(model))
    assert isinstance(made, CommitMessage)
    assert len(model.bodies) == 2


async def test_an_endpoint_that_never_answers(edited: ScratchRepo, spawner: Spawner) -> None:
    async with scripted_model(Reply(hang=True)) as model:
        chosen = endpoint(model).model_copy(update={"network_timeout_ms": 200})
        refusal = await refuse(edited, spawner, chosen)
    assert refusal.code is RefusalCode.MODEL_UNAVAILABLE
    assert "0.2 s" in refusal.message


async def test_an_endpoint_that_is_not_there(edited: ScratchRepo, spawner: Spawner) -> None:
    async with scripted_model(Reply([GOOD])) as model:
        chosen = endpoint(model)
    refusal = await refuse(edited, spawner, chosen)
    assert refusal.code is RefusalCode.MODEL_UNAVAILABLE
    assert "cannot be reached" in refusal.message


async def test_canceling_hangs_up(edited: ScratchRepo, spawner: Spawner) -> None:
    async with scripted_model(Reply(hang=True)) as model:
        task = asyncio.create_task(write(edited, spawner, endpoint(model)))
        await asyncio.wait_for(model.asked.wait(), 20)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.wait_for(model.hung_up.wait(), 20)


async def test_options_that_a_model_does_not_take_are_left_out(edited: ScratchRepo, spawner: Spawner) -> None:
    def complain(about: str) -> Reply:
        return Reply(status=400, body=json.dumps({"error": {"message": f"Unsupported parameter: '{about}'"}}))

    async with scripted_model(complain("max_tokens"), complain("temperature"), Reply([GOOD])) as model:
        made = await write(edited, spawner, endpoint(model))
    assert isinstance(made, CommitMessage)
    last = model.requests[-1]
    assert "max_completion_tokens" in last
    assert "max_tokens" not in last
    assert "temperature" not in last


async def test_without_a_model_name_the_first_listed_is_asked(edited: ScratchRepo, spawner: Spawner) -> None:
    async with scripted_model(Reply([GOOD])) as model:
        made = await write(edited, spawner, settings(provider="openai", baseUrl=model.base_url, apiKeyEnv="MODEL_KEY"))
    assert isinstance(made, CommitMessage)
    assert model.requests[-1]["model"] == "first-model"


async def test_no_secret_reaches_a_request_and_the_person_is_told(edited: ScratchRepo, spawner: Spawner) -> None:
    edited.git("commit", "-qm", f"fix: use token ghp_{'16C7e42F292c6912E7710c838347Ae178B4a'}")
    edited.write("deploy.env", f"A=1\nAWS_SECRET_ACCESS_KEY={SECRET}\n")
    edited.git("add", "-A")
    wish = MessageRequest(instructions=f"the key is {SECRET}", current="")
    async with scripted_model(Reply(["chore: add deploy.env"])) as model:
        made = await write(edited, spawner, endpoint(model), wish)
    assert isinstance(made, CommitMessage)
    sent = "".join(model.bodies)
    assert SECRET not in sent
    assert "16C7e42F292c6912E7710c838347Ae178B4a" not in sent
    assert "AWS_SECRET_ACCESS_KEY=***" in sent
    assert made.redactions >= 3
    assert "deploy.env:2: about to be committed: what looks like a secret (Secret Keyword)" in made.warnings


async def test_the_prompt_stays_within_its_tokens(repo: ScratchRepo, spawner: Spawner) -> None:
    for number in range(300):
        repo.write(f"src/m{number % 20:02}/f{number:03}.py", f"value_{number} = {number}\n" + "padding = 1\n" * 40)
    repo.write("yarn.lock", "left-pad@^1.0.0:\n" * 3_000)
    repo.git("add", "-A")
    async with scripted_model(Reply(["feat: add 300 values"])) as model:
        made = await write(repo, spawner, endpoint(model, maxPromptTokens=8_000))
    assert isinstance(made, CommitMessage)
    user = model.requests[0]["messages"][1]["content"]
    assert all(f"f{number:03}.py" in user for number in range(300))
    assert sum(f"value_{number} = {number}" in user for number in range(300)) >= 270
    assert "yarn.lock +3000 -0 (lock file)" in user
    assert "left-pad" not in user
    assert sum(len(message["content"]) for message in model.requests[0]["messages"]) < 8_000 * 4


class ScriptedEditor:
    """An editor's model that answers what it is told to."""

    def __init__(self, answer: str | Exception) -> None:
        self.answer = answer
        self.wishes: list[ModelWish] = []

    async def complete(self, wish: ModelWish) -> Completion:
        self.wishes.append(wish)
        if isinstance(self.answer, Exception):
            raise self.answer
        return Completion(self.answer, "editor-model")


async def test_the_editors_model(edited: ScratchRepo, spawner: Spawner) -> None:
    editor = ScriptedEditor(GOOD)
    writer = choose_writer(settings(), editor, no_keys)
    assert isinstance(writer, EditorWriter)
    made = await generate(MessageRequest(), open_repository(edited.root, spawner), settings(), writer)
    assert isinstance(made, CommitMessage)
    assert (made.message, made.provider, made.model) == (GOOD, "editor", "editor-model")
    wire = editor.wishes[0].value()
    assert set(wire) == {"messages", "maxTokens", "temperature", "purpose"}


async def test_an_editors_model_that_is_gone(edited: ScratchRepo, spawner: Spawner) -> None:
    editor = ScriptedEditor(WriterUnavailable("the editor offers no model now"))
    made = await generate(MessageRequest(), open_repository(edited.root, spawner), settings(), EditorWriter(editor))
    assert isinstance(made, Refusal)
    assert made.code is RefusalCode.MODEL_UNAVAILABLE


def test_the_writer_is_chosen_as_the_settings_say() -> None:
    assert choose_writer(settings(), None, no_keys) is None
    assert choose_writer(settings(provider="offline"), ScriptedEditor(""), no_keys) is None
    refused = choose_writer(settings(provider="editor"), None, no_keys)
    assert isinstance(refused, Refusal)
    assert refused.code is RefusalCode.MODEL_UNAVAILABLE
    keyless = choose_writer(settings(provider="openai", apiKeyEnv="NOT_SET"), None, no_keys)
    assert isinstance(keyless, Refusal)
    assert keyless.setting == "commitMessage.apiKeyEnv"
    chosen = choose_writer(
        settings(baseUrl="http://127.0.0.1:9/v1", apiKeyEnv="K"),
        None,
        lambda name: "secret-key" if name == "K" else None,
    )
    assert chosen is not None
    assert not isinstance(chosen, Refusal)
    assert chosen.name == "openai"
    assert "secret-key" not in repr(vars(chosen))


async def test_nothing_staged_is_refused_before_any_model(edited: ScratchRepo, spawner: Spawner) -> None:
    edited.git("reset", "-q", "--hard")
    async with scripted_model(Reply([GOOD])) as model:
        refusal = await refuse(edited, spawner, endpoint(model))
    assert refusal.code is RefusalCode.NOTHING_TO_COMMIT
    assert model.bodies == []


def branch_off(repo: ScratchRepo) -> None:
    """`f.txt` and a new file on `other`, another `f.txt` on main."""
    repo.commit("first commit", **{"f.txt": "base\n"})
    repo.git("checkout", "-q", "-b", "other")
    repo.commit("theirs", **{"f.txt": "theirs\n", "n.txt": "n\n"})
    repo.git("checkout", "-q", "main")
    repo.commit("ours", **{"f.txt": "ours\n"})


async def test_conflicts_are_refused_with_their_list(repo: ScratchRepo, spawner: Spawner) -> None:
    branch_off(repo)
    repo.git("merge", "-q", "other", check=False)
    async with scripted_model(Reply([GOOD])) as model:
        refusal = await refuse(repo, spawner, endpoint(model))
    assert refusal.code is RefusalCode.CONFLICT
    assert refusal.conflicts is not None
    assert [(conflict.path.text, conflict.code) for conflict in refusal.conflicts] == [("f.txt", "UU")]
    assert model.bodies == []


async def test_a_merge_starts_from_gits_own_message(repo: ScratchRepo, spawner: Spawner) -> None:
    branch_off(repo)
    repo.git("merge", "-q", "other", check=False)
    repo.write("f.txt", "both\n")
    repo.git("add", "-A")
    made = await write_alone(repo, spawner)
    assert made.message == "Merge branch 'other'"
    assert all(check.ok for check in made.checks)
    async with scripted_model(Reply(["Merge branch 'other'\n\nKeep both lines of f.txt."])) as model:
        asked = await write(repo, spawner, endpoint(model), MessageRequest(attempt=2))
    assert isinstance(asked, CommitMessage)
    assert asked.message == "Merge branch 'other'\n\nKeep both lines of f.txt."
    assert "Merge branch 'other'" in model.requests[0]["messages"][1]["content"]


async def test_revert_cherry_pick_and_squash_start_from_gits_own_message(repo: ScratchRepo, spawner: Spawner) -> None:
    repo.commit("feat: one", **{"f.txt": "1\n"})
    two = repo.commit("feat: two", **{"f.txt": "1\n2\n"})
    repo.git("revert", "--no-commit", "HEAD")
    assert (await write_alone(repo, spawner)).message == f'Revert "feat: two"\n\nThis reverts commit {two}.'
    repo.git("reset", "-q", "--hard")
    repo.git("checkout", "-q", "-b", "side", "HEAD^")
    repo.git("cherry-pick", "--no-commit", "main")
    assert (await write_alone(repo, spawner)).message == "feat: two"
    repo.git("reset", "-q", "--hard")
    repo.git("checkout", "-q", "main")
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit("feat: three", **{"g.py": "def three():\n    pass\n"})
    repo.commit("feat: four", **{"g.py": "def three():\n    pass\n\n\ndef four():\n    pass\n"})
    repo.git("checkout", "-q", "main")
    repo.git("merge", "-q", "--squash", "topic")
    assert (
        await write_alone(repo, spawner)
    ).message == "feat: add three and four in g.py\n\n- feat: four\n- feat: three"


async def test_an_amend_sees_the_whole_commit_and_keeps_its_change_id(repo: ScratchRepo, spawner: Spawner) -> None:
    repo.commit("feat: zero", **{"a.py": "def a():\n    pass\n"})
    repo.commit("feat: add b\n\nChange-Id: I123", **{"b.py": "def b():\n    pass\n"})
    repo.write("c.py", "def c():\n    pass\n")
    repo.git("add", "-A")
    async with scripted_model(Reply(["feat: add b and c"])) as model:
        made = await write(repo, spawner, endpoint(model), MessageRequest(amend=True))
    assert isinstance(made, CommitMessage)
    assert made.message == "feat: add b and c\n\nChange-Id: I123"
    user = model.requests[0]["messages"][1]["content"]
    assert "A b.py +2 -0" in user
    assert "A c.py +2 -0" in user
    assert "a.py" not in user
    repo.git("reset", "-q", "--hard", "HEAD^")
    first = await write_alone(repo, spawner, MessageRequest(amend=True, attempt=2))
    assert first.message == "feat: add a.py"


async def test_the_first_commit(repo: ScratchRepo, spawner: Spawner) -> None:
    repo.write("a.py", "x = 1\n")
    repo.git("add", "-A")
    assert (await write_alone(repo, spawner)).message == "chore: initial commit"
    assert (await refuse(repo, spawner, settings(provider="offline"), amend=True)).code is RefusalCode.NOTHING_TO_COMMIT


async def test_submodules_modes_and_renames_are_said_as_such(repo: ScratchRepo, spawner: Spawner) -> None:
    library = repo.scratch.repo("library")
    old = library.commit("feat: one", **{"l.txt": "1\n"})
    repo.commit("feat: begin", **{"run.sh": "echo\n", "a.py": "x = 1\n" * 20})
    repo.git("submodule", "-q", "add", str(library.root), "lib")
    repo.git("commit", "-qm", "feat: add lib")
    new = library.commit("feat: two", **{"l.txt": "2\n"})
    repo.scratch.run(repo.root / "lib", "fetch", "-q", "origin")
    repo.scratch.run(repo.root / "lib", "checkout", "-q", new)
    repo.git("add", "lib")
    assert (await write_alone(repo, spawner)).message == f"chore: update submodule lib {old[:7]}..{new[:7]}"
    repo.git("commit", "-qm", "chore: move lib")
    repo.git("update-index", "--chmod=+x", "run.sh")
    assert (await write_alone(repo, spawner)).message == "chore: make run.sh executable"
    repo.git("commit", "-qm", "chore: mode")
    repo.git("mv", "a.py", "b.py")
    assert (await write_alone(repo, spawner)).message == "refactor: rename a.py to b.py"


async def test_files_of_the_project_are_heeded_when_it_is_trusted(edited: ScratchRepo, spawner: Spawner) -> None:
    edited.write(".commitlintrc.json", '{"rules": {"type-enum": [2, "always", ["mend"]], "type-empty": [2, "never"]}}')
    edited.write(
        "AGENTS.md", "# Agents\n\nUse tabs.\n\n## Commit messages\n\nSay who is affected.\n\n## Build\n\nmake\n"
    )
    edited.write(".github/git-commit-instructions.md", "End with a haiku.\n")
    edited.write(".editorconfig", "root = true\n\n[COMMIT_EDITMSG]\nmax_line_length = 50\n")
    edited.write(".gitattributes", "src/read.py linguist-generated\n")
    edited.git("add", ".gitattributes")
    async with scripted_model(Reply(["mend: return an empty text for none"])) as model:
        made = await write(edited, spawner, endpoint(model))
        untrusted = await write(edited, spawner, endpoint(model), trusted=False)
    assert isinstance(made, CommitMessage)
    assert isinstance(untrusted, CommitMessage)
    assert all(check.ok for check in made.checks)
    first, second = (request["messages"] for request in model.requests[:2])
    for said in ("mend", "Say who is affected.", "End with a haiku.", "at most 50 characters"):
        assert said in first[0]["content"] + first[1]["content"]
        assert said not in second[0]["content"] + second[1]["content"]
    assert "Use tabs" not in first[1]["content"]
    assert "src/read.py +2 -0 (generated)" in first[1]["content"]


async def test_the_branchs_ticket_gets_into_the_message(edited: ScratchRepo, spawner: Spawner) -> None:
    edited.git("checkout", "-q", "-b", "feature/ABC-42-empty-text")
    async with scripted_model(Reply([GOOD])) as model:
        made = await write(edited, spawner, endpoint(model))
    assert isinstance(made, CommitMessage)
    assert made.message == f"{GOOD}\n\nRefs: ABC-42"


async def test_excluded_files_are_named_only(edited: ScratchRepo, spawner: Spawner) -> None:
    edited.write("private/plan.txt", "the moon\n")
    edited.git("add", "-A")
    async with scripted_model(Reply([GOOD])) as model:
        await write(edited, spawner, endpoint(model, exclude=["private/"]))
    assert "private/plan.txt" in model.bodies[0]
    assert "the moon" not in model.bodies[0]


async def test_sha256_and_names_that_are_no_text(repo: ScratchRepo, spawner: Spawner) -> None:
    other = repo.scratch.repo("sha256", object_format="sha256")
    other.commit("feat: a", **{"a.txt": "1\n"})
    other.git("rm", "-q", "a.txt")
    other.write("größe.py", "def größe():\n    pass\n")
    blob = other.git("hash-object", "-w", "--stdin", stdin=b"x\n").decode().strip()
    other.git("update-index", "-z", "--index-info", stdin=f"100644 {blob}\t".encode() + b"bad\xff.txt\0")
    other.git("add", "größe.py")
    made = await write_alone(other, spawner, MessageRequest(amend=True, attempt=2))
    assert "größe.py" in made.message
    assert made.coverage.files == 2
    json.dumps(made.value()).encode()


async def test_a_hooks_own_index_is_read(edited: ScratchRepo, spawner: Spawner) -> None:
    edited.write("other.md", "# Other\n")
    own = edited.root / ".git" / "next-index.lock"
    own.write_bytes((edited.root / ".git" / "index").read_bytes())
    usual = dict(edited.scratch.env)
    edited.scratch.env["GIT_INDEX_FILE"] = str(own)
    edited.git("add", "other.md")
    edited.scratch.env.pop("GIT_INDEX_FILE")
    assert edited.scratch.env == usual
    plain = await write_alone(edited, spawner)
    hooked = await write_alone(edited, spawner, MessageRequest(index_file=own))
    assert "other.md" not in plain.message
    assert "other.md" in hooked.message
