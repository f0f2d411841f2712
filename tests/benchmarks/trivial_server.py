"""The yardstick: the least that a pygls server must do to give a staged diff. No checks, no limits, no safety."""

import asyncio
from typing import Any

from pygls.lsp.server import LanguageServer


async def staged_diff(params: Any) -> dict[str, str]:
    """What git prints, run through asyncio."""
    process = await asyncio.create_subprocess_exec(
        "git", "diff", "--cached", cwd=params.root, stdout=asyncio.subprocess.PIPE
    )
    out, _ = await process.communicate()
    return {"diff": out.decode()}


if __name__ == "__main__":
    server = LanguageServer("trivial", "1")
    server.feature("git/stagedDiff")(staged_diff)
    server.start_io()
