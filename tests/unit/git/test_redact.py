"""No password or token leaves through a log, a remote or a refusal; what is harmless stays readable."""

import pytest

from git_sidecar.git.redact import redact, redact_command, redact_value

GITHUB = "ghp_" + "a1B2" * 9
SECRETS = [
    ("https://user:pw@host/x.git", "https://user:***@host/x.git"),
    ("https://user:p@ss:w@host/x", "https://user:***@host/x"),
    ("https://:pw@host", "https://:***@host"),
    ("https://user:@host", "https://user:***@host"),
    (f"https://{GITHUB}@host/x", "https://***@host/x"),
    ("ssh://git:pw@host:22/x", "ssh://git:***@host:22/x"),
    ("HTTPS://User:PW@HOST/x", "HTTPS://User:***@HOST/x"),
    ("fatal: unable to access 'https://u:pw@host/': 403", "fatal: unable to access 'https://u:***@host/': 403"),
    ("https://host/x?access_token=abc&page=2", "https://host/x?access_token=***&page=2"),
    ("https://host/x?page=2&X-Amz-Signature=abc", "https://host/x?page=2&X-Amz-Signature=***"),
    ("https://host/x?private_token=abc", "https://host/x?private_token=***"),
    ("Authorization: Basic dTpwdw==", "Authorization: ***"),
    ("> authorization: bearer abc.def", "> authorization: ***"),
    ("http.extraheader=AUTHORIZATION: basic dTpwdw==", "http.extraheader=AUTHORIZATION: ***"),
    ('{"Authorization": "Bearer abc"}', '{"Authorization": "***"}'),
    ("Proxy-Authorization: Basic abc", "Proxy-Authorization: ***"),
    ("PRIVATE-TOKEN: abc def", "PRIVATE-TOKEN: ***"),
    ("protocol=https\nusername=u\npassword=a b c\n", "protocol=https\nusername=u\npassword=***\n"),
    (f"remote: token {GITHUB} expired", "remote: token *** expired"),
    ("two https://a:b@c and https://d:e@f", "two https://a:***@c and https://d:***@f"),
]


@pytest.mark.parametrize(("text", "shown"), SECRETS)
def test_hidden(text: str, shown: str) -> None:
    assert redact(text) == shown
    assert redact(shown) == shown


@pytest.mark.parametrize(
    "text",
    [
        "ssh://git@host/x.git",
        "git@host:owner/x.git",
        "https://host:8443/x@y",
        "https://me@host/x",
        "https://host/x?page=2&sort=author",
        "commit 1111111111111111111111111111111111111111",
        "a tokenizer and a password field; author: me@example.invalid",
        "file:///srv/x.git",
    ],
)
def test_what_is_harmless_stays(text: str) -> None:
    assert redact(text) == text


def test_commands_and_values() -> None:
    assert redact_command(["git", "push", "https://u:pw@h", "a:b"]) == ("git", "push", "https://u:***@h", "a:b")
    value = {"remote": "https://u:pw@h", "n": 1, "all": [True, None, {"x": "https://u:pw@h"}]}
    assert redact_value(value) == {"remote": "https://u:***@h", "n": 1, "all": [True, None, {"x": "https://u:***@h"}]}


def test_a_long_line_takes_no_time_worth_speaking_of() -> None:
    # Both would take minutes if a pattern tried every way to split them; the suite's time limit is the assertion.
    assert redact("a" * 200_000) == "a" * 200_000
    assert redact("https://" + "a:" * 20_000).startswith("https://a:")
