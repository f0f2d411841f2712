"""Who may import whom, and what may be done where (docs/architecture.md, invariants by number)."""

import ast
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

import git_sidecar

PACKAGE = Path(git_sidecar.__file__).parent
MODULES = sorted(path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py"))

# Each floor, and the floors that it may use. Same floor is always allowed.
FLOORS: dict[str, frozenset[str]] = {
    "model": frozenset(),
    "settings": frozenset({"model"}),
    "options": frozenset({"model"}),
    "workspace": frozenset({"model"}),
    "policy": frozenset({"model", "settings"}),
    "git": frozenset({"model", "options"}),
    "store": frozenset({"model", "settings"}),
    "tools": frozenset({"model", "settings", "git", "options", "workspace"}),
    "messages": frozenset({"model", "settings", "git"}),
    "service": frozenset({"model", "settings", "git", "options", "workspace", "policy", "store", "tools", "messages"}),
    "lsp": frozenset({"model", "settings", "git", "service"}),
    "mcp": frozenset({"model", "settings", "git", "service"}),
    "cli": frozenset({"model", "settings", "git", "service"}),
}
ROOMS_ABOVE = ("app.py", "__main__.py", "__init__.py")


@cache
def tree_of(module: str) -> ast.Module:
    """The syntax tree of a module of the package."""
    return ast.parse((PACKAGE / module).read_text(encoding="utf-8"))


def imported(module: str) -> Iterator[str]:
    """Every module that a module imports, lazily or for typing only too."""
    for node in ast.walk(tree_of(module)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: relative imports hide the floor"
            assert node.module is not None
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def floor_of(module: str) -> str:
    """The floor that a module lies on."""
    return module.split("/", maxsplit=1)[0]


def called(module: str) -> Iterator[str]:
    """Dotted names of everything that a module calls or refers to by attribute."""
    for node in ast.walk(tree_of(module)):
        if isinstance(node, ast.Attribute | ast.Name):
            yield ast.unparse(node)


def holds_for(modules: Iterable[str]) -> Callable[[Callable[[str], None]], Callable[[], None]]:
    """One test that holds the check for every module: two thousand tests would say no more."""

    def decorate(check: Callable[[str], None]) -> Callable[[], None]:
        def test() -> None:
            for module in modules:
                check(module)

        return test

    return decorate


@holds_for([module for module in MODULES if floor_of(module) not in ROOMS_ABOVE])
def test_1_imports_point_downward(module: str) -> None:
    own = floor_of(module)
    allowed = FLOORS[own] | {own}
    for name in imported(module):
        parts = name.split(".")
        if parts[0] == "git_sidecar" and len(parts) > 1 and parts[1] in FLOORS:
            assert parts[1] in allowed, f"{module} imports {name}"
        assert name not in ("git_sidecar.app", "git_sidecar.__main__"), f"{module} imports the composition root"


@holds_for([module for module in MODULES if floor_of(module) != "lsp"])
def test_2_only_lsp_knows_the_wire_library(module: str) -> None:
    assert not {name.split(".")[0] for name in imported(module)} & {"pygls", "lsprotocol", "cattrs"}, module


@holds_for([module for module in MODULES if floor_of(module) in ("model", "git", "options", "policy")])
def test_3_pure_floors_know_no_pydantic(module: str) -> None:
    assert "pydantic" not in {name.split(".")[0] for name in imported(module)}, module


STARTERS = (
    "subprocess.Popen",
    "subprocess.run",
    "subprocess.call",
    "subprocess.check_output",
    "subprocess.check_call",
    "os.posix_spawn",
    "os.posix_spawnp",
    "os.system",
    "os.popen",
    "os.fork",
    "os.startfile",
    "pty.spawn",
    "create_subprocess_exec",
    "create_subprocess_shell",
    "multiprocessing.Process",
)


@holds_for([module for module in MODULES if module != "git/process.py"])
def test_4_processes_are_started_in_one_place(module: str) -> None:
    starters = [name for name in called(module) if name.endswith(STARTERS) or name.startswith(("os.exec", "os.spawn"))]
    assert not starters, module


def test_4_the_one_place_starts_processes() -> None:
    assert any(name.endswith(STARTERS) for name in called("git/process.py"))


@holds_for(MODULES)
def test_5_the_environment_is_read_at_the_root_only(module: str) -> None:
    names = set(called(module))
    if module not in ("app.py", "git/process.py"):
        assert not names & {"os.environ", "os.getenv", "os.environb"}, module
    assert not names & {"os.chdir", "os.fchdir", "print"}, module


def is_mutable(value: ast.expr) -> bool:
    """Whether an expression makes something that can be changed in place."""
    if isinstance(value, ast.List | ast.Set | ast.ListComp | ast.SetComp):
        return True
    return isinstance(value, ast.Call) and ast.unparse(value.func) in (
        "list",
        "set",
        "bytearray",
        "defaultdict",
        "deque",
    )


@holds_for(MODULES)
def test_6_no_state_lives_in_modules(module: str) -> None:
    tree = tree_of(module)
    for node in tree.body:
        value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
        assert value is None or not is_mutable(value), f"{module}:{node.lineno}"
    assert not any(isinstance(node, ast.Global) for node in ast.walk(tree))


@holds_for(MODULES)
def test_7_lines_are_split_at_line_feeds_only(module: str) -> None:
    assert not any(name.endswith(".splitlines") for name in called(module)), module


@holds_for(MODULES)
def test_8_a_shell_is_never_asked(module: str) -> None:
    for node in ast.walk(tree_of(module)):
        if isinstance(node, ast.keyword) and node.arg == "shell":
            raise AssertionError(f"{module}: shell=")


@holds_for([module for module in MODULES if floor_of(module) == "tools"])
def test_9_tools_contain_no_try(module: str) -> None:
    if module.removeprefix("tools/").startswith("git"):
        assert not any(isinstance(node, ast.Try) for node in ast.walk(tree_of(module))), module


def test_the_floors_are_those_of_the_tree() -> None:
    found = {floor_of(module) for module in MODULES if "/" in module}
    assert found == set(FLOORS)
