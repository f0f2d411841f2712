"""Fences round material that was written by others, so that a model can tell it from its instructions. Pure.

The fence's name is made of a hash of all the material, so that the material cannot hold it: whoever writes a text that
contains its own hash has broken SHA-256. It is the same for the same material.
"""

import hashlib
import re
from collections.abc import Sequence

# Characters that change how text is read or hide it: controls, bidirectional overrides, zero-width characters, tags.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
# Chat templates of many models open turns with such tokens.
_TURN = re.compile(r"<(?=\|)|\[(?=/?INST\])|<(?=/?s>)")


def show_unseen(text: str) -> str:
    """The text with characters that cannot be seen written out (`\\u202e`), and turn tokens broken."""
    plain = text.replace("\r\n", "\n")
    plain = _UNSEEN.sub(lambda found: f"\\u{ord(found.group()):04x}", plain)
    return _TURN.sub(lambda found: found.group() + " ", plain)


def name_fence(materials: Sequence[str]) -> str:
    """A name that occurs in none of the materials."""
    digest = hashlib.sha256("\0".join(materials).encode("utf-8", "surrogatepass")).hexdigest()
    for length in range(12, len(digest) + 1):
        name = f"MATERIAL-{digest[:length]}"
        if not any(name in material for material in materials):
            return name
    raise AssertionError("a text cannot contain its own SHA-256")


def fence(name: str, title: str, material: str) -> str:
    """The material between two lines that hold the fence's name; it has passed `show_unseen`."""
    return f"<<<{name} {title}>>>\n{material}\n<<<end of {name}>>>"
