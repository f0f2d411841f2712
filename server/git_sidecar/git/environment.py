"""The environment that git is started with: what of the user's is let in, and what is fixed by us. Pure.

Sources: git(1) "Environment Variables", git-config(1) "GIT_CONFIG_COUNT". Every rule here was found by running a
hostile repository or environment against git (`tests/security/`, `docs/security.md`).
"""

from collections.abc import Iterable, Mapping

from git_sidecar.git.invocation import Effect, Invocation

_TRUSTED_GIT_VARIABLES = frozenset({"GIT_SSH_COMMAND", "GIT_SSH", "GIT_ASKPASS"})
_TRUSTED_GIT_PREFIXES = ("GIT_AUTHOR_", "GIT_COMMITTER_", "GIT_SSL_")

# PWD would name the server's directory, not git's: git then prints paths through the wrong symbolic link.
_NEVER = frozenset({"SSH_ASKPASS", "LANGUAGE", "LC_ALL", "PWD", "OLDPWD"})

_UNTRUSTED_VARIABLES = frozenset(
    {
        *("HOME", "XDG_CONFIG_HOME", "PATH", "LANG", "SSH_AUTH_SOCK", "TMPDIR"),
        *("HTTP_PROXY", "HTTPS_PROXY", "FTP_PROXY", "ALL_PROXY", "NO_PROXY"),
        # Windows starts no program without SYSTEMROOT, and git finds the user's configuration by the others.
        *("SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "TEMP", "TMP", "USERPROFILE", "HOMEDRIVE"),
        *("HOMEPATH", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES"),
    }
)

_UNTRUSTED_SETTINGS: Mapping[str, str] = {
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_ASKPASS": "false",
    "SSH_ASKPASS": "false",
    "GIT_SSH_COMMAND": "false",
    "GIT_ATTR_NOSYSTEM": "1",
}
_TRUSTED_READ_SETTINGS: Mapping[str, str] = {"GIT_NO_LAZY_FETCH": "1", "GIT_OPTIONAL_LOCKS": "0"}

# Without `ext`, whose URL is a command line.
_TRUSTED_PROTOCOLS = "https:ssh:git:http:file"

_BARE: tuple[tuple[str, str], ...] = (("safe.bareRepository", "explicit"),)

_UNTRUSTED_CONFIG: tuple[tuple[str, str], ...] = (
    *_BARE,
    ("core.fsmonitor", "false"),
    ("core.hooksPath", "/dev/null"),
    ("diff.autoRefreshIndex", "false"),
    ("core.pager", "cat"),
    ("core.editor", "false"),
    ("sequence.editor", "false"),
    ("core.askPass", "false"),
    ("core.sshCommand", "false"),
    ("core.alternateRefsCommand", "true"),
    ("credential.helper", ""),
    ("protocol.allow", "never"),
    ("diff.submodule", "short"),
    ("diff.ignoreSubmodules", "dirty"),
    ("submodule.recurse", "false"),
    ("log.showSignature", "false"),
    ("log.diffMerges", "separate"),
    ("gpg.program", "false"),
    ("gpg.openpgp.program", "false"),
    ("gpg.x509.program", "false"),
    ("gpg.ssh.program", "false"),
    ("gpg.ssh.defaultKeyCommand", ""),
    ("interactive.diffFilter", ""),
    ("maintenance.auto", "false"),
    ("gc.auto", "0"),
)


def admit_variables(user: Mapping[str, str], *, trusted: bool) -> dict[str, str]:
    """What of the user's environment git may see.

    Trusted: all but `GIT_*`, SSH_ASKPASS and what we set; the person's own ssh command, askpass, identity and TLS
    variables are let back in. Untrusted: a closed list, and of PATH only absolute entries, since the others would be
    looked up in the repository.
    """
    if trusted:
        return {name: value for name, value in user.items() if _is_admitted_when_trusted(name.upper())}
    return {
        name: _absolute_entries(value) if name.upper() == "PATH" else value
        for name, value in user.items()
        if name.upper() in _UNTRUSTED_VARIABLES
    }


def build_environment(
    admitted: Mapping[str, str],
    invocation: Invocation,
    *,
    trusted: bool,
    ceiling: str | None = None,
    overrides: Iterable[tuple[str, str]] = (),
    user_fsmonitor: bool = False,
) -> dict[str, str]:
    """The whole environment of one git process.

    `admitted` is what `admit_variables` gave for the same trust; `ceiling` the directory that git must not climb to
    (the parent of its own, links resolved); `overrides` the configuration that `hardening` wants changed;
    `user_fsmonitor` whether the user's own configuration says `core.fsmonitor=true`. The invocation's own
    configuration and variables come last and win.
    """
    settings: dict[str, str] = {
        **admitted,
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_PAGER": "cat",
        "GIT_EDITOR": invocation.editor.value,
        "GIT_SEQUENCE_EDITOR": invocation.editor.value,
        "GIT_LITERAL_PATHSPECS": "1",
        "LC_ALL": "C.UTF-8",
    }
    if ceiling is not None:
        settings["GIT_CEILING_DIRECTORIES"] = ceiling
    if trusted:
        settings["GIT_ALLOW_PROTOCOL"] = _TRUSTED_PROTOCOLS
        if invocation.effect is Effect.READ:
            settings.update(_TRUSTED_READ_SETTINGS)
    else:
        settings.update(_UNTRUSTED_SETTINGS)
    settings.update(invocation.environment)
    fixed = _fixed_config(invocation.effect, trusted=trusted, user_fsmonitor=user_fsmonitor)
    settings.update(config_variables((*fixed, *overrides, *invocation.config)))
    return settings


def config_variables(config: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Configuration as GIT_CONFIG_COUNT, _KEY_n and _VALUE_n; the last of one key wins.

    Not `-c`: that splits at the first `=`, which a driver's name may hold.
    """
    pairs = tuple(config)
    variables: dict[str, str] = {"GIT_CONFIG_COUNT": str(len(pairs))}
    for number, (key, value) in enumerate(pairs):
        variables[f"GIT_CONFIG_KEY_{number}"] = key
        variables[f"GIT_CONFIG_VALUE_{number}"] = value
    return variables


def _fixed_config(effect: Effect, *, trusted: bool, user_fsmonitor: bool) -> tuple[tuple[str, str], ...]:
    if not trusted:
        return _UNTRUSTED_CONFIG
    if effect is not Effect.READ:
        # Hooks inherit what is set here, so a write carries the one setting that keeps an embedded repository away.
        return _BARE
    # The literal `true` is git's own daemon; passing it on also keeps a repository from putting a program in its place.
    fsmonitor = "true" if user_fsmonitor else "false"
    # `remerge` would run merge drivers to show a commit.
    merges = ("log.diffMerges", "separate")
    return (*_BARE, ("core.fsmonitor", fsmonitor), ("diff.autoRefreshIndex", "false"), merges)


def _is_admitted_when_trusted(name: str) -> bool:
    if name in _NEVER:
        return False
    return not name.startswith("GIT_") or name in _TRUSTED_GIT_VARIABLES or name.startswith(_TRUSTED_GIT_PREFIXES)


def _absolute_entries(path: str) -> str:
    # Windows is told by its drives: a POSIX entry never holds a back-slash after a colon.
    separator = ";" if ";" in path or ":\\" in path or ":/" in path[1:3] else ":"
    return separator.join(entry for entry in path.split(separator) if _is_absolute(entry))


def _is_absolute(entry: str) -> bool:
    return entry.startswith(("/", "\\\\")) or entry[1:3] in (":\\", ":/")
