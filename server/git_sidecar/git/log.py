"""Pages of history, by one `git log` each (git-log(1)). What is asked for comes as object ids and seconds."""

from dataclasses import dataclass

from git_sidecar.git.parse.log import FORMAT, LogParser
from git_sidecar.git.repository import Repository
from git_sidecar.model.commit import Commit, LogPage
from git_sidecar.model.refs import RepoPath

# Decorations as git chooses them by default; naming them overrides log.excludeDecoration.
_DECORATION = tuple(
    f"--decorate-refs={pattern}" for pattern in ("HEAD", "refs/heads/", "refs/remotes/", "refs/stash", "refs/tags/")
)
_OPTIONS = (
    "-z",
    FORMAT,
    "--decorate=short",
    *_DECORATION,
    "--encoding=UTF-8",
    "--no-color",
    "--no-show-signature",
    "--no-ext-diff",
    "--no-textconv",
    "--no-follow",
    # The author that is searched for is the one that is shown.
    "--no-use-mailmap",
    "--basic-regexp",
    "--submodule=short",
)
_CONFIG = (("core.abbrev", "auto"),)


@dataclass(frozen=True, slots=True)
class LogQuery:
    """Which commits are wanted; patterns as git takes them, times in seconds since 1970."""

    paths: tuple[RepoPath, ...] = ()
    author: str | None = None
    grep: str | None = None
    since_s: int | None = None
    until_s: int | None = None

    def filters(self) -> list[str]:
        """The query as options of git log, values glued so that a leading '-' stays a value."""
        return [
            f"--{name}={value}"
            for name, value in (
                ("author", self.author),
                ("grep", self.grep),
                ("max-age", self.since_s),
                ("min-age", self.until_s),
            )
            if value is not None
        ]


async def read_log(
    repository: Repository,
    start: str,
    query: LogQuery | None = None,
    *,
    count: int,
    skip: int = 0,
    limit_bytes: int | None = None,
) -> LogPage:
    """At most `count` commits from `start` on: an object id, or two joined by `..` or `...`. Raises GitRefused."""
    query = query or LogQuery()
    parser = LogParser(limit_bytes=limit_bytes)
    argv = [
        *("log", f"--max-count={count + 1}", f"--skip={skip}", *query.filters(), *_OPTIONS, start, "--"),
        *(path.text for path in query.paths),
    ]
    await repository.run(argv, config=_CONFIG, sink=parser)
    commits = parser.finish()
    return LogPage(commits[:count], parser.full or len(commits) > count)


async def read_commit(repository: Repository, oid: str) -> Commit:
    """One commit by its object id. Raises GitRefused."""
    parser = LogParser()
    await repository.run(("log", "--no-walk", *_OPTIONS, oid, "--"), config=_CONFIG, sink=parser)
    return parser.finish()[0]


async def read_times(repository: Repository, since: str | None, until: str | None) -> tuple[int | None, int | None]:
    """Dates as git understands them ("2 weeks ago", ISO 8601 …) in seconds since 1970 (git-rev-parse(1), --since)."""
    wanted = {"max-age": since, "min-age": until}
    options = [f"--{name}={text}" for name, text in (("since", since), ("until", until)) if text is not None]
    if not options:
        return None, None
    done = await repository.run(("rev-parse", *options))
    answers = dict(line.removeprefix("--").split("=", 1) for line in done.stdout.decode("ascii").split())
    since_s, until_s = (int(answers[name]) if text is not None else None for name, text in wanted.items())
    return since_s, until_s
