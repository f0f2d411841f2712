"""Putting a classified call together from what was read."""

from collections.abc import Callable

from git_sidecar.model.tier import Tier, highest
from git_sidecar.options.call import Classified, Facts
from git_sidecar.options.grammar import Parsed, parse_arguments
from git_sidecar.options.operands import Operands
from git_sidecar.options.table import Table
from git_sidecar.options.values import check_values

Classifier = Callable[[tuple[str, ...], Facts], Classified]
"""What reads the arguments after a subcommand (or its verb); raises Refused."""

NO_COLOR = "--no-color"
_ASKED_FOR_COLOR = ("color", "color-words", "color-moved")


def read_call(words: tuple[str, ...], args: tuple[str, ...], table: Table, facts: Facts) -> Parsed:
    """Read the arguments of `git <words>` and check the options' values; raises Refused."""
    parsed = parse_arguments(" ".join(words), args, table)
    check_values(parsed, facts)
    return parsed


def assemble(
    words: tuple[str, ...],
    parsed: Parsed,
    operands: Operands,
    *,
    tier: Tier,
    action: str,
    forced: tuple[str, ...] = (),
    ok_exit_codes: tuple[int, ...] = (0,),
) -> Classified:
    """A classified call with the operands as they were taken; options that are on may raise the tier."""
    return Classified(
        subcommand=words[0],
        tier=highest(tier, raised_tier(parsed)),
        action=action,
        words=words,
        options=parsed.tokens,
        forced=forced,
        tail=operands.tail,
        revisions=operands.revisions,
        paths=operands.paths,
        switches=parsed.switches,
        pathspecs_literal=operands.literal,
        ok_exit_codes=ok_exit_codes,
    )


def raised_tier(parsed: Parsed) -> Tier:
    """The most harmful tier that an option which is on in the end stands for; READ for none."""
    return highest(*(given.option.tier for given in parsed.options if parsed.on(given.option.name)))


def uncolored(parsed: Parsed) -> tuple[str, ...]:
    """Our option against colours by configuration, unless the call asks for colours."""
    asked = parsed.on(*_ASKED_FOR_COLOR) or parsed.value("word-diff") == "color"
    return () if asked else (NO_COLOR,)
