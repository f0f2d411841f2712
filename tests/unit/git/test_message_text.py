"""Messages as git is given them."""

import pytest

from git_sidecar.git.message_text import make_message


@pytest.mark.parametrize(
    ("subject", "body", "trailer", "message"),
    [
        ("fix it", None, "", "fix it\n"),
        ("fix it\n", "why\n", "", "fix it\n\nwhy\n"),
        ("  indented  \t", "\n\n  code\n\n\n\nend \n\n", "", "  indented\n\n  code\n\n\n\nend\n"),
        ("# not a comment", "; nor this", "", "# not a comment\n\n; nor this\n"),
        ("crlf\r\nline\r\n", None, "", "crlf\nline\n"),
        ("", "only a body", "", "only a body\n"),
        (" \n\t\n", None, "", ""),
        ("", "", "Assisted-by: us", ""),
        ("subject", None, "Assisted-by: us", "subject\n\nAssisted-by: us\n"),
        ("subject", "text", "Assisted-by: us", "subject\n\ntext\n\nAssisted-by: us\n"),
        (
            "subject",
            "text\n\nSigned-off-by: A <a@b>",
            "Assisted-by: us",
            "subject\n\ntext\n\nSigned-off-by: A <a@b>\nAssisted-by: us\n",
        ),
        ("fix: it", None, "Assisted-by: us", "fix: it\n\nAssisted-by: us\n"),
        ("subject", "Assisted-by: us", "Assisted-by: us", "subject\n\nAssisted-by: us\n"),
    ],
)
def test_messages(subject: str, body: str | None, trailer: str, message: str) -> None:
    assert make_message(subject, body, trailer) == message
