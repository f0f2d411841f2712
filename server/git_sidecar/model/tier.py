"""How much harm a call can do; what the gate decides by."""

from enum import StrEnum


class Tier(StrEnum):
    """The four tiers of the wire contract, section 5."""

    READ = "read"
    WRITE = "write"
    DESTRUCTIVE = "destructive"
    NETWORK = "network"


# What a call that has several effects is held to. Network stands above destructive because it cannot be undone.
_HARM = {Tier.READ: 0, Tier.WRITE: 1, Tier.DESTRUCTIVE: 2, Tier.NETWORK: 3}


def highest(*tiers: Tier) -> Tier:
    """The most harmful of the given tiers; READ for none."""
    return max(tiers, key=_HARM.__getitem__, default=Tier.READ)
