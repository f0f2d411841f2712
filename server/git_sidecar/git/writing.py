"""How commands that change a repository are run: literal pathspecs that hooks never notice.

`GIT_LITERAL_PATHSPECS=1`, which every read is given, is inherited by hooks and would break those that say
`-- '*.py'`. So a write switches it off and says `:(literal)` of each path instead (gitglossary(7), "pathspec").
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from git_sidecar.git.invocation import Completed, Editor, Effect
from git_sidecar.git.repository import Repository
from git_sidecar.model.refs import RepoPath

_ENVIRONMENT: Mapping[str, str] = MappingProxyType({"GIT_LITERAL_PATHSPECS": "0"})

# --pathspec-from-file: add, commit and restore learned it in 2.25, rm and stash in 2.26.
_FROM_FILE_SINCE = (2, 26, 0)

# What a person configured for submodules must not carry a call into other repositories, which nobody was asked about
# and which no snapshot holds.
_CONFIG = (("submodule.recurse", "false"),)


def literal_pathspec(path: RepoPath) -> str:
    """A pathspec that means this very path, with everything below it if it is a directory."""
    return f":(literal){path.text}"


async def run_write(
    repository: Repository,
    argv: Sequence[str],
    *,
    paths: Sequence[RepoPath] | None = None,
    effect: Effect = Effect.WRITE,
    editor: Editor = Editor.REFUSE,
    ok: tuple[int, ...] = (0,),
    stdin: bytes | None = None,
    config: tuple[tuple[str, str], ...] = (),
    environment: Mapping[str, str] = MappingProxyType({}),
) -> Completed:
    """Run a command that changes the repository; `paths` are the only ones that it may touch.

    They go by stdin where this git takes them there and stdin is free, so that their number has no limit. Raises
    GitRefused.
    """
    argv = list(argv)
    if paths is not None:
        git = await repository.spawner.executable()
        pathspecs = [literal_pathspec(path) for path in paths]
        if stdin is None and git.version >= _FROM_FILE_SINCE:
            argv += ["--pathspec-from-file=-", "--pathspec-file-nul"]
            stdin = b"".join(spec.encode("utf-8", "surrogateescape") + b"\0" for spec in pathspecs)
        else:
            argv += ["--", *pathspecs]
    return await repository.run(
        argv,
        effect=effect,
        editor=editor,
        ok=ok,
        stdin=stdin,
        config=_CONFIG + config,
        environment={**_ENVIRONMENT, **environment},
    )


def read_warnings(completed: Completed) -> tuple[str, ...]:
    """The warnings that git printed beside its success, without their first word; hints are left out."""
    text = completed.stderr.decode("utf-8", "replace")
    return tuple(line.removeprefix("warning: ") for line in text.split("\n") if line.startswith("warning: "))
