"""A corpus of secrets and of what only looks like one: misses and false alarms are counted, masks keep identifiers.

Every secret here is made up; parts are joined so that no scanner of this repository takes them for real.
"""

import pytest

from git_sidecar.messages.facts import ChangedFile, Treatment
from git_sidecar.messages.redaction import Redactor, describe_findings, mask_value
from git_sidecar.messages.secret_scan import SecretScanner
from tests.unit.messages.made import changed_file, hunk

KEY_BODY = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj"
SECRETS = [
    ("config.py", "AWS_KEY = '{}'", "AKIA" + "IOSFODNN7EXAMPLQ"),
    (".env", "AWS_SECRET_ACCESS_KEY={}", "wJalrXUtnFEMI" + "/K7MDENG/bPxRfiCYzEXAMPLEKEY"),
    ("ci.yml", "  token: {}", "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"),
    ("a.py", 'slack = "{}"', "xoxb-" + "2345678901-2345678901234-AbCdEfGhIjKlMnOpQrStUvWx"),
    ("a.js", 'const stripe = "{}";', "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc"),
    ("a.ts", 'const openai = "{}";', "sk-" + "abcdefghijklmnopqrst" + "T3BlbkFJ" + "abcdefghijklmnopqrst"),
    ("settings.py", 'PASSWORD = "{}"', "hunter2-but-longer"),
    ("db.yaml", "password: {}", "correct-horse-battery"),
    ("app.ini", "db_password = {}", "Tr0ub4dor&3"),
    ("a.py", 'url = "postgres://app:{}@db.example.invalid/app"', "s3cr3tPassw0rd"),
    ("a.sh", 'curl -H "Authorization: Bearer {}"', "Zx9mQ4vT7bN2kL5pR8sW1yC3dF6gH0jAeUiO"),
    (
        "jwt.txt",
        "jwt {}",
        "eyJhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
    ),
    ("a.rb", "api_key = '{}'", "q8Zr5LwX2mV9tB4nK7cJ1yH6"),
    (".npmrc", "//registry.example.invalid/:_authToken={}", "npm_" + "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5"),
    ("Dockerfile", 'ENV SECRET_KEY="{}"', "3f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c"),
    ("terraform.tfvars", 'client_secret = "{}"', "Q~x8R2vK5nB7mT4wL9zC1jH6pY3sD0fG"),
]
HARMLESS = [
    ("a.py", "password = get_password()"),
    ("a.py", 'password = request.form["password"]'),
    ("a.ts", "password: string;"),
    ("a.py", 'PASSWORD = "password"'),
    ("a.yaml", "password: ${DB_PASSWORD}"),
    ("README.md", "export API_KEY=<your key>"),
    ("a.js", "const id = '123e4567-e89b-12d3-a456-426614174000';"),
    ("a.py", "def load_private_key(path): return path.read_bytes()"),
    ("a.py", "secret = None"),
    ("a.go", "func (s *Server) HandleAuthenticationCallbackRequest(w http.ResponseWriter) {"),
    ("a.css", ".button-primary-large-inverted-disabled { color: red; }"),
    ("a.py", 'raise ValueError("the password must have eight characters")'),
    ("go.mod", "require golang.org/x/crypto v0.17.0"),
    ("a.py", "from detect_secrets.plugins.high_entropy_strings import Base64HighEntropyString"),
    ("a.java", 'private static final String SECRET_HEADER_NAME = "X-Secret";'),
    ("a.py", "assert response.json() == {'token': mock.ANY}"),
    ("a.md", "The tokenizer splits passwords at blanks; keys are kept."),
    ("a.py", "index 3f1a2b4..9c8d7e6 100644"),
]


@pytest.fixture(scope="module")
def scanner() -> SecretScanner:
    return SecretScanner()


def mask(file: ChangedFile, scanner: SecretScanner) -> tuple[str, Redactor]:
    redactor = Redactor(scanner)
    masked = redactor.mask_file(file)
    return "\n".join(line for one in masked.patch.hunks for line in (one.header, *one.lines)), redactor


@pytest.mark.parametrize(("path", "line", "secret"), SECRETS)
def test_secrets_are_masked_and_told(path: str, line: str, secret: str, scanner: SecretScanner) -> None:
    text, redactor = mask(changed_file(path, hunk(" before", "+" + line.format(secret))), scanner)
    assert secret not in text
    assert redactor.count >= 1
    assert describe_findings(redactor.findings)[0].startswith(f"{path}:2: about to be committed")
    name = line.split("{", maxsplit=1)[0].rstrip("\"' ")
    assert f"+{name}" in text


@pytest.mark.parametrize(("path", "line", "secret"), SECRETS)
def test_secrets_that_stay_or_go_are_masked_without_a_warning(
    path: str, line: str, secret: str, scanner: SecretScanner
) -> None:
    text, redactor = mask(changed_file(path, hunk(" " + line.format(secret), "-" + line.format(secret))), scanner)
    assert secret not in text
    assert redactor.findings == []


@pytest.mark.parametrize(("path", "line"), HARMLESS)
def test_nobody_is_warned_of_what_is_no_secret(path: str, line: str, scanner: SecretScanner) -> None:
    _, redactor = mask(changed_file(path, hunk("+" + line)), scanner)
    assert redactor.findings == []


def test_a_private_key_is_masked_as_a_block(scanner: SecretScanner) -> None:
    lines = [
        "+KEY = '''",
        "+-----BEGIN RSA PRIVATE KEY-----",
        f"+{KEY_BODY}",
        "+q83vEjRWeJA=",
        "+-----END RSA PRIVATE KEY-----",
        "+'''",
    ]
    text, redactor = mask(changed_file("key.py", hunk(*lines)), scanner)
    assert KEY_BODY not in text
    assert "q83vEjRWeJA=" not in text
    assert "+-----BEGIN RSA PRIVATE KEY-----" in text
    assert [finding.line for finding in redactor.findings] == [2]


def test_half_a_private_key_is_masked_too(scanner: SecretScanner) -> None:
    text, _ = mask(
        changed_file("key.pem", hunk(f" {KEY_BODY}", "-c2hvcnQ=", "+bG9uZ2Vy", " -----END PRIVATE KEY-----")), scanner
    )
    assert KEY_BODY not in text
    assert "c2hvcnQ=" not in text
    assert "bG9uZ2Vy" not in text


def test_a_key_on_one_line(scanner: SecretScanner) -> None:
    line = f'+"private_key": "-----BEGIN PRIVATE KEY-----\\n{KEY_BODY}\\n-----END PRIVATE KEY-----\\n",'
    text, redactor = mask(changed_file("account.json", hunk(line)), scanner)
    assert KEY_BODY not in text
    assert '"private_key": "-----BEGIN PRIVATE KEY-----' in text
    assert redactor.findings[0].line == 1


def test_a_comment_cannot_switch_detection_off(scanner: SecretScanner) -> None:
    secret = "hunter2-but-longer"
    text, _ = mask(changed_file("a.py", hunk(f'+PASSWORD = "{secret}"  # pragma: allowlist secret')), scanner)
    assert secret not in text


def test_checksums_of_lock_files_warn_nobody(scanner: SecretScanner) -> None:
    line = '+      "integrity": "sha512-Zx9mQ4vT7bN2kL5pR8sW1yC3dF6gH0jAeUiOZx9mQ4vT7bN2kL5pR8sW1yC3dF6g==",'
    _, redactor = mask(changed_file("package-lock.json", hunk(line), treatment=Treatment.LOCK), scanner)
    assert redactor.findings == []


def test_a_name_that_is_spelled_like_its_value_stays() -> None:
    assert mask_value('password = "password"', "password") == 'password = "***"'


def test_a_secret_in_a_hunk_header_is_masked(scanner: SecretScanner) -> None:
    secret = "AKIA" + "IOSFODNN7EXAMPLQ"
    text, _ = mask(changed_file("a.py", hunk("+x = 1", context=f'connect("{secret}")')), scanner)
    assert secret not in text


def test_a_long_line_is_scanned_to_its_end(scanner: SecretScanner) -> None:
    secret = "AKIA" + "IOSFODNN7EXAMPLQ"
    text, _ = mask(changed_file("a.min.js", hunk("+" + "a=b;" * 5_000 + f'k="{secret}"')), scanner)
    assert secret not in text
