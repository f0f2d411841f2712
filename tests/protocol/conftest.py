"""Server processes for protocol tests; a test fails on server messages that it did not read."""

import secrets
import sys
from collections.abc import Callable, Generator, Sequence
from pathlib import Path

import pytest

from tests.protocol.raw_client import RawClient
from tests.support.scratch import Scratch, hermetic_environment

Start = Callable[..., RawClient]

FAKE = (sys.executable, "-m", "tests.protocol.fake_backend", "serve")
REAL = (sys.executable, "-m", "git_sidecar", "serve")


ROOT = Path(__file__).parents[2]


def start_client(base: Path, argv: Sequence[str], cwd: Path = ROOT, **environment: str) -> RawClient:
    """A server process whose HOME is under `base`."""
    home = base / "home"
    home.mkdir(exist_ok=True)
    return RawClient(argv, hermetic_environment(home, environment), base / f"stderr-{secrets.token_hex(4)}", cwd)


def finish(client: RawClient) -> None:
    """Kill the server, where it still runs, and fail if it said something that the test did not read."""
    client.process.kill()
    client.wait_end()
    client.stdin.close()
    client.stdout.close()
    assert client.unread() == []


@pytest.fixture
def start(tmp_path: Path) -> Generator[Start]:
    """Starts servers: `start(argv, cwd=..., **environment)`."""
    clients: list[RawClient] = []

    def run(argv: Sequence[str], cwd: Path = ROOT, **environment: str) -> RawClient:
        clients.append(start_client(tmp_path, argv, cwd, **environment))
        return clients[-1]

    yield run
    for client in clients:
        finish(client)


@pytest.fixture
def fake(start: Start) -> RawClient:
    """A server over the fake service, initialized."""
    client = start(FAKE)
    client.initialize()
    return client


@pytest.fixture(scope="module")
def long_lived(tmp_path_factory: pytest.TempPathFactory) -> Generator[RawClient]:
    """A server over the fake service for the tests of a whole module; use `shared`."""
    client = start_client(tmp_path_factory.mktemp("shared"), FAKE)
    client.initialize()
    yield client
    finish(client)


@pytest.fixture
def shared(long_lived: RawClient) -> Generator[RawClient]:
    """The module's server, for tests that leave it as they found it."""
    yield long_lived
    assert long_lived.unread() == []


@pytest.fixture
def real(start: Start, scratch: Scratch) -> RawClient:
    """The real server, not yet initialized."""
    return start(REAL, cwd=scratch.base)
