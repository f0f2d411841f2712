"""Builds the VS Code extension as .vsix files that work offline: the server and its dependencies are inside.

python scripts/build_vsix.py                    for this machine, into dist/
python scripts/build_vsix.py --target all       for every platform
python scripts/build_vsix.py --target win32-x64 --target darwin-arm64

Pure packages lie once in bundled/lib, compiled ones in bundled/cp311 … cp314, since pydantic-core has no abi3 wheel.
Wheels are taken by the hashes of requirements/runtime.txt. Node and `npm ci` in client-vscode are needed.
"""

import argparse
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CLIENT = ROOT / "client-vscode"
OUT = ROOT / "dist"
SHIPPED = ("package.json", "package.nls.json", "README.md", ".vscodeignore", "python/launch.py", "media", "l10n")
PYTHON_VERSIONS = ("3.11", "3.12", "3.13", "3.14")

# Packages that have no pure wheel. A new one that is missing here makes pip fail, with its name.
COMPILED = frozenset({"pydantic-core", "pyyaml"})


@dataclass(frozen=True, slots=True)
class Target:
    """A platform as VS Code names it, and the wheel tags that run there, best first."""

    name: str
    wheel_platforms: tuple[str, ...]


TARGETS = {
    target.name: target
    for target in (
        Target("linux-x64", ("manylinux_2_28_x86_64", "manylinux_2_17_x86_64", "manylinux2014_x86_64")),
        Target("linux-arm64", ("manylinux_2_28_aarch64", "manylinux_2_17_aarch64", "manylinux2014_aarch64")),
        Target("alpine-x64", ("musllinux_1_2_x86_64", "musllinux_1_1_x86_64")),
        Target("alpine-arm64", ("musllinux_1_2_aarch64", "musllinux_1_1_aarch64")),
        Target("darwin-x64", ("macosx_10_13_x86_64", "macosx_10_12_x86_64", "macosx_10_9_x86_64")),
        Target("darwin-arm64", ("macosx_11_0_arm64",)),
        Target("win32-x64", ("win_amd64",)),
        Target("win32-arm64", ("win_arm64",)),
    )
}


def detect_target() -> str:
    """The target of this machine."""
    machine = "arm64" if platform.machine().lower() in {"arm64", "aarch64"} else "x64"
    system = {"win32": "win32", "darwin": "darwin"}.get(sys.platform, "linux")
    if system == "linux" and Path("/etc/alpine-release").exists():
        system = "alpine"
    return f"{system}-{machine}"


def split_requirements(text: str) -> tuple[str, str]:
    """The pure and the compiled packages of a hashed requirements file, each as such a file."""
    blocks = re.findall(r"^\S.*?(?:\\\n.*?)*$", text, flags=re.MULTILINE)
    pure = [block for block in blocks if _name_of(block) not in COMPILED]
    compiled = [block for block in blocks if _name_of(block) in COMPILED]
    return "\n".join(pure) + "\n", "\n".join(compiled) + "\n"


def _name_of(block: str) -> str:
    return re.split(r"[=\[; ]", block, maxsplit=1)[0]


def download_wheels(requirements: str, folder: Path, tags: list[str]) -> None:
    """Fetch the wheels for these tags into `folder`, each checked against its hash."""
    folder.mkdir(parents=True)
    listing = folder / "requirements.txt"
    listing.write_text(requirements, "utf-8")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--quiet"]
    rules = ["--no-deps", "--only-binary", ":all:", "--require-hashes", "--dest", str(folder)]
    subprocess.run([*pip, *rules, *tags, "-r", str(listing)], check=True)


def unpack_wheels(folder: Path, into: Path) -> None:
    """Unpack all wheels of `folder`; none of ours has files outside its library part that are needed."""
    for wheel in sorted(folder.glob("*.whl")):
        with zipfile.ZipFile(wheel) as archive:
            names = [name for name in archive.namelist() if ".data/" not in name]
            archive.extractall(into, names)


def bundle_pure(bundled: Path, work: Path, requirements: str) -> None:
    """The server and its pure dependencies, with bytecode for the Pythons that this machine has."""
    tags = ["--platform", "any", "--implementation", "py", "--abi", "none", "--python-version", "3.11"]
    download_wheels(requirements, work / "pure", tags)
    library = bundled / "lib"
    unpack_wheels(work / "pure", library)
    shutil.copytree(
        ROOT / "server" / "git_sidecar", library / "git_sidecar", ignore=shutil.ignore_patterns("__pycache__", "*.pyc")
    )
    for version in PYTHON_VERSIONS:
        compile_bytecode(find_python(version), library, bundled)


def find_python(version: str) -> str | None:
    """A Python of this version on this machine; one that does not start (a version manager's stand-in) is none."""
    if version == f"{sys.version_info.major}.{sys.version_info.minor}":
        return sys.executable
    found = shutil.which(f"python{version}")
    works = found is not None and subprocess.run([found, "-c", ""], capture_output=True, check=False).returncode == 0
    return found if works else None


def compile_bytecode(python: str | None, folder: Path, base: Path) -> None:
    """Compile with unchecked hashes: unpacking changes times, and bytecode that looks stale is not used.

    For a Python that is not here nothing is compiled; that one then compiles on its first start, as it always does.
    """
    if python is not None:
        module = ["-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash"]
        # Without the folder's own path: it would be in every traceback, and differ from build to build.
        subprocess.run([python, *module, "-s", str(base), str(folder)], check=True)


def bundle_compiled(bundled: Path, work: Path, requirements: str, target: Target) -> list[str]:
    """The compiled dependencies for every Python; the versions for which the platform has wheels."""
    versions: list[str] = []
    for version in PYTHON_VERSIONS:
        digits = version.replace(".", "")
        tags = ["--implementation", "cp", "--abi", f"cp{digits}", "--python-version", version]
        for name in target.wheel_platforms:
            tags += ["--platform", name]
        wheels = work / f"{target.name}-cp{digits}"
        try:
            download_wheels(requirements, wheels, tags)
        except subprocess.CalledProcessError:
            print(f"{target.name}: no wheels for Python {version}", file=sys.stderr)
            continue
        folder = bundled / f"cp{digits}"
        unpack_wheels(wheels, folder)
        compile_bytecode(find_python(version), folder, bundled)
        versions.append(version)
    return versions


def stage_client(stage: Path) -> None:
    """Copy what is shipped, and bundle the client's code beside it: the checkout stays as it is, whatever happens."""
    for name in SHIPPED:
        source, copy = CLIENT / name, stage / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, copy)
        else:
            shutil.copyfile(source, copy)
    out = f"--outfile={stage / 'dist' / 'extension.js'}"
    subprocess.run(["node", "esbuild.mjs", "--minify", out], cwd=CLIENT, check=True)


def package(stage: Path, target: Target) -> Path:
    """Package what is staged now."""
    vsce = CLIENT / "node_modules" / "@vscode" / "vsce" / "vsce"
    out = OUT / f"git-sidecar-{target.name}.vsix"
    OUT.mkdir(exist_ok=True)
    flags = ["--no-dependencies", "--allow-missing-repository", "--skip-license", "--target", target.name]
    subprocess.run(["node", str(vsce), "package", *flags, "--out", str(out)], cwd=stage, check=True)
    return out


def main() -> int:
    """Build the wished targets, one after another."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--target", action="append", choices=[*TARGETS, "all"], help="default: this machine")
    wished: list[str] = parser.parse_args().target or [detect_target()]
    pure, compiled = split_requirements((ROOT / "requirements" / "runtime.txt").read_text("utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        return build([*TARGETS] if "all" in wished else wished, Path(folder), pure, compiled)


def build(wished: list[str], work: Path, pure: str, compiled: str) -> int:
    """Build these targets one after another; 1 where a platform has no wheels at all."""
    stage = work / "client"
    bundled = stage / "bundled"
    stage_client(stage)
    bundle_pure(bundled, work, pure)
    for name in wished:
        for folder in bundled.glob("cp3*"):
            shutil.rmtree(folder)
        versions = bundle_compiled(bundled, work, compiled, TARGETS[name])
        if not versions:
            return 1
        out = package(stage, TARGETS[name])
        print(f"{out.relative_to(ROOT)}  {out.stat().st_size / 1e6:.1f} MB  Python {', '.join(versions)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
