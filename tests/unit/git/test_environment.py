"""What of the user's environment git sees, and what is fixed: checked by value, and by git where git can tell."""

import subprocess
from pathlib import Path

import pytest

from git_sidecar.git.environment import admit_variables, build_environment, config_variables
from git_sidecar.git.invocation import Editor, Effect, Invocation
from tests.support.scratch import Scratch

PERSON = {
    "HOME": "/home/p",
    "PATH": "/usr/bin:.::bin:/opt/x",
    "LANG": "de_DE.UTF-8",
    "LANGUAGE": "de",
    "LC_ALL": "de_DE.UTF-8",
    "LC_TIME": "de_DE.UTF-8",
    "SSH_AUTH_SOCK": "/run/agent",
    "SSH_ASKPASS": "/bin/ask",
    "https_proxy": "http://proxy.invalid",
    "EDITOR": "vi",
    "SUDO_UID": "1000",
    "PWD": "/somewhere",
    "LD_PRELOAD": "/lib/x.so",
    "npm_config_x": "1",
}
DANGEROUS = (
    *("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_EXTERNAL_DIFF", "GIT_EXEC_PATH"),
    *("GIT_CONFIG_COUNT", "GIT_CONFIG_KEY_0", "GIT_CONFIG_VALUE_0", "GIT_CONFIG_PARAMETERS", "GIT_CONFIG_GLOBAL"),
    *("GIT_CONFIG_SYSTEM", "GIT_EDITOR", "GIT_PROXY_COMMAND", "GIT_TRACE", "GIT_TRACE2", "GIT_TRACE2_EVENT"),
    *("GIT_TRACE_SETUP", "GIT_TRACE_PERFORMANCE", "GIT_CEILING_DIRECTORIES", "GIT_NAMESPACE", "GIT_REPLACE_REF_BASE"),
    *("GIT_DIFF_OPTS", "GIT_SEQUENCE_EDITOR", "GIT_PAGER", "GIT_LITERAL_PATHSPECS", "GIT_ALLOW_PROTOCOL"),
)
READMITTED = {
    "GIT_SSH_COMMAND": "ssh -i k",
    "GIT_SSH": "plink",
    "GIT_ASKPASS": "/editor/askpass.sh",
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_DATE": "1700000000 +0000",
    "GIT_COMMITTER_EMAIL": "c@d.invalid",
    "GIT_SSL_CAINFO": "/ca.pem",
}


def environment_of(call: Invocation, *, trusted: bool, user: dict[str, str] | None = None, fsmonitor: bool = False):
    admitted = admit_variables(PERSON if user is None else user, trusted=trusted)
    return build_environment(admitted, call, trusted=trusted, ceiling="/above", user_fsmonitor=fsmonitor)


def config_of(environment: dict[str, str]) -> dict[str, str]:
    count = int(environment["GIT_CONFIG_COUNT"])
    return {environment[f"GIT_CONFIG_KEY_{n}"]: environment[f"GIT_CONFIG_VALUE_{n}"] for n in range(count)}


def test_trusted_keeps_the_persons_environment_but_for_git_variables() -> None:
    admitted = admit_variables({**PERSON, **dict.fromkeys(DANGEROUS, "evil"), **READMITTED}, trusted=True)
    gone = {"LANGUAGE", "LC_ALL", "SSH_ASKPASS", "PWD"}
    assert admitted == {name: value for name, value in PERSON.items() if name not in gone} | READMITTED


def test_untrusted_keeps_a_closed_list() -> None:
    admitted = admit_variables({**PERSON, **dict.fromkeys(DANGEROUS, "evil"), **READMITTED}, trusted=False)
    assert admitted == {
        "HOME": "/home/p",
        "PATH": "/usr/bin:/opt/x",
        "LANG": "de_DE.UTF-8",
        "SSH_AUTH_SOCK": "/run/agent",
        "https_proxy": "http://proxy.invalid",
    }


def test_names_are_matched_as_windows_does_and_its_path_keeps_its_drives() -> None:
    person = {"Path": r"C:\git\bin;.;tools;\\server\share", "SystemRoot": r"C:\Windows", "git_dir": "evil"}
    assert admit_variables(person, trusted=False) == {
        "Path": r"C:\git\bin;\\server\share",
        "SystemRoot": r"C:\Windows",
    }
    assert admit_variables({"Path": r"C:\git\bin"}, trusted=False) == {"Path": r"C:\git\bin"}
    assert "git_dir" not in admit_variables(person, trusted=True)


@pytest.mark.parametrize("trusted", [True, False])
@pytest.mark.parametrize("effect", list(Effect))
def test_what_holds_for_every_call(trusted: bool, effect: Effect) -> None:
    environment = environment_of(Invocation(("x",), effect=effect, editor=Editor.ACCEPT), trusted=trusted)
    assert environment["GIT_TERMINAL_PROMPT"] == "0"
    assert environment["GIT_PAGER"] == "cat"
    assert environment["GIT_EDITOR"] == environment["GIT_SEQUENCE_EDITOR"] == ":"
    assert environment["GIT_LITERAL_PATHSPECS"] == "1"
    assert environment["GIT_CEILING_DIRECTORIES"] == "/above"
    assert environment["LC_ALL"] == "C.UTF-8"
    assert "LANGUAGE" not in environment
    assert config_of(environment)["safe.bareRepository"] == "explicit"
    assert "ext" not in environment["GIT_ALLOW_PROTOCOL"].split(":")


def test_only_trusted_writes_may_lock_fetch_lazily_and_run_what_the_person_set_up() -> None:
    for effect in (Effect.WRITE, Effect.NETWORK):
        environment = environment_of(Invocation(("x",), effect=effect), trusted=True)
        assert not {"GIT_OPTIONAL_LOCKS", "GIT_NO_LAZY_FETCH"} & environment.keys()
        # Hooks inherit it: nothing that would change what a hook's own git does.
        assert config_of(environment) == {"safe.bareRepository": "explicit"}
    read = environment_of(Invocation(("x",)), trusted=True)
    assert (read["GIT_OPTIONAL_LOCKS"], read["GIT_NO_LAZY_FETCH"]) == ("0", "1")
    assert config_of(read) == {
        "safe.bareRepository": "explicit",
        "core.fsmonitor": "false",
        "diff.autoRefreshIndex": "false",
        "log.diffMerges": "separate",
    }


def test_the_persons_own_fsmonitor_daemon_stays_on_for_trusted_reads_only() -> None:
    call = Invocation(("x",))
    assert config_of(environment_of(call, trusted=True, fsmonitor=True))["core.fsmonitor"] == "true"
    assert config_of(environment_of(call, trusted=False, fsmonitor=True))["core.fsmonitor"] == "false"


def test_an_untrusted_call_gets_no_program_by_any_name() -> None:
    environment = environment_of(Invocation(("x",), effect=Effect.WRITE), trusted=False, user={**PERSON, **READMITTED})
    assert environment["GIT_ALLOW_PROTOCOL"] == "none"
    assert environment["GIT_ASKPASS"] == environment["SSH_ASKPASS"] == environment["GIT_SSH_COMMAND"] == "false"
    assert environment["GIT_NO_LAZY_FETCH"] == environment["GIT_ATTR_NOSYSTEM"] == "1"
    config = config_of(environment)
    assert config["core.hooksPath"] == "/dev/null"
    for key in ("core.editor", "core.sshCommand", "core.askPass", "gpg.program", "gpg.ssh.program"):
        assert config[key] == "false"


def test_the_calls_own_configuration_and_variables_win() -> None:
    call = Invocation(
        ("x",),
        config=(("safe.bareRepository", "all"),),
        environment={"GIT_LITERAL_PATHSPECS": "0", "GIT_INDEX_FILE": "/private"},
    )
    environment = build_environment({}, call, trusted=False, overrides=(("filter.a=b.clean", ""),))
    assert config_of(environment)["safe.bareRepository"] == "all"
    assert config_of(environment)["filter.a=b.clean"] == ""
    assert environment["GIT_LITERAL_PATHSPECS"] == "0"
    assert environment["GIT_INDEX_FILE"] == "/private"
    assert "GIT_CEILING_DIRECTORIES" not in environment


def test_git_reads_the_configuration_as_it_was_meant(scratch: Scratch, tmp_path: Path) -> None:
    config = (("filter.a=b.clean", ""), ("core.abbrev", "7"), ("core.abbrev", "9"), ("diff.Ö.x", "two\nlines"))
    variables = {**scratch.env, **config_variables(config)}

    def get(key: str) -> bytes:
        argv = ("git", "config", "-z", "--get", key)
        return subprocess.run(argv, cwd=tmp_path, env=variables, capture_output=True, check=True).stdout

    assert get("filter.a=b.clean") == b"\0"
    assert get("core.abbrev") == b"9\0"
    assert get("diff.Ö.x") == b"two\nlines\0"
    assert config_variables(()) == {"GIT_CONFIG_COUNT": "0"}
