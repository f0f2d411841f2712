"""An estimate of how many tokens a text takes: never a tokenizer's own count, meant to be at or above it.

A vocabulary that ships with its package weighs 75 MB, the others are fetched at first use; decision record 0008 has the
measurements against two of them that the weights below come from.
"""

import re

_PIECE = re.compile(r"[A-Za-z0-9]+|[ \t]+|\r?\n|[^\x00-\x7f]|[^\sA-Za-z0-9]+|\s")

# Weights are in sixths of a token, so that sums stay whole numbers.
_SIXTHS = 6
_LONGEST_WORD = 24
_LETTERS_A_TOKEN = 7
_DIGITS_A_TOKEN = 3
# Hashes and other letters mixed with digits can take a token a character.
_MIXED = 6
_PUNCTUATION = 4
_ASTRAL = 20
_BEYOND_ASCII = 7


def _weigh(piece: str) -> int:
    length = len(piece)
    first = piece[0]
    if not first.isascii():
        return _ASTRAL if ord(first) > 0xFFFF else _BEYOND_ASCII
    if first.isalnum():
        if piece.isalpha() and length <= _LONGEST_WORD:
            return _SIXTHS * -(-length // _LETTERS_A_TOKEN)
        if piece.isdigit():
            return _SIXTHS * -(-length // _DIGITS_A_TOKEN)
        return _MIXED * length
    if first in " \t":
        # One blank belongs to the word after it.
        return 0 if piece == " " else _SIXTHS
    if first in "\r\n\f\v":
        return _SIXTHS
    return _SIXTHS * -(-length * _PUNCTUATION // _SIXTHS)


def estimate_tokens(text: str) -> int:
    """How many tokens `text` takes at most, in whole tokens; the texts that we met took between 0.55 and 1.0 of it."""
    return -(-sum(_weigh(match.group()) for match in _PIECE.finditer(text)) // _SIXTHS)
