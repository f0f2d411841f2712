"""The process's entry: `git-sidecar` and `python -m git_sidecar`."""

import gc
import sys

from git_sidecar.cli.main import Channel, MessageOptions, parse_arguments


def main() -> int:
    """Run what the command line asks for; the exit code."""
    options = parse_arguments(sys.argv[1:])
    if isinstance(options, MessageOptions):
        from git_sidecar.app import run_message

        return run_message(options)
    # What is imported stays: to look for garbage in it meanwhile took a tenth of the start.
    gc.disable()
    descriptors = None
    if options.channel is Channel.STDIO:
        # Before anything is imported that could print.
        from git_sidecar.lsp.transport.descriptors import claim_stdio

        descriptors = claim_stdio()
    from git_sidecar.app import run_server

    gc.freeze()
    gc.enable()
    return run_server(options, descriptors)


if __name__ == "__main__":
    sys.exit(main())
