"""Starts the server that lies beside this file, or says whether this Python can run it.

python -I launch.py --probe      one line of JSON: {"version": [3, 12], "bundled": true, "installed": false}
python -I launch.py serve        the server, from the bundle if it fits this Python, else as installed

Kept to syntax that old Pythons read too, so that they can say which version they are.
"""

import importlib.util
import json
import sys
from pathlib import Path

BUNDLED = Path(__file__).resolve().parent.parent / "bundled"


def add_bundle():
    """Put the bundle first on the path if it holds compiled parts that this very interpreter can load."""
    compiled = BUNDLED / "cp{}{}".format(*sys.version_info[:2])
    if sys.implementation.name != "cpython" or not compiled.is_dir():
        return False
    sys.path[0:0] = [str(BUNDLED / "lib"), str(compiled)]
    try:
        # Loading it is the only test that sees through 32-bit, free-threaded and translated interpreters.
        importlib.import_module("pydantic_core._pydantic_core")
    except ImportError:
        del sys.path[0:2]
        return False
    return True


def main():
    """Probe or serve, as the first argument says."""
    recent = sys.version_info >= (3, 11)
    bundled = recent and add_bundle()
    if sys.argv[1:] == ["--probe"]:
        installed = recent and importlib.util.find_spec("git_sidecar") is not None
        sys.stdout.write(
            json.dumps({"version": list(sys.version_info[:2]), "bundled": bundled, "installed": installed}) + "\n"
        )
        return 0
    from git_sidecar.__main__ import main as serve

    sys.argv[0] = "git-sidecar"
    return serve()


if __name__ == "__main__":
    sys.exit(main())
