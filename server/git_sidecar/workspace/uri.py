"""File URIs and paths (RFC 8089), for both families of systems; percent signs are decoded exactly once."""

import os
import re
from urllib.parse import quote, unquote_to_bytes

_FILE = re.compile(r"file:(?://(?P<authority>[^/\\]*))?(?P<path>.*)", re.IGNORECASE | re.DOTALL)
_DRIVE = re.compile(r"[A-Za-z]:")


class InvalidUri(ValueError):
    """A URI that names no file of this machine; the message is fit for the caller."""


def is_file_uri(text: str) -> bool:
    """Whether `text` is written as a file URI, well-formed or not."""
    return text[:7].lower() == "file://"


def path_from_uri(uri: str, *, windows: bool = os.name == "nt") -> str:
    """The path that a `file:` URI names; raises InvalidUri for another scheme or a relative path.

    Bytes that are not UTF-8 survive as surrogate escapes. An unescaped '#' or '?' is part of the name: to drop what
    follows would name another directory. A host other than this one is a share (`\\\\host\\...`, `//host/...`).
    """
    parts = _FILE.fullmatch(uri)
    if parts is None:
        raise InvalidUri(f"{uri[:200]!r} is not a file URI")
    authority = _decode(parts["authority"] or "")
    path = _decode(parts["path"])
    if windows:
        return _windows_path(uri, authority, path.replace("\\", "/"))
    if not path.startswith("/"):
        raise InvalidUri(f"{uri[:200]!r} holds no absolute path")
    return path if authority.lower() in ("", "localhost") else f"//{authority}{path}"


def uri_from_path(path: str | os.PathLike[str], *, windows: bool = os.name == "nt") -> str:
    """The file URI of an absolute path; surrogate escapes are encoded as the bytes that they stand for."""
    text = os.fspath(path)
    if windows:
        text = text.replace("\\", "/")
        if text.startswith("//"):
            return "file:" + _encode(text)
        return "file:///" + _encode(text.lstrip("/"))
    return "file://" + _encode(text)


def _windows_path(uri: str, authority: str, path: str) -> str:
    if _DRIVE.fullmatch(authority):
        # Written with two slashes instead of three: `file://C:/x`. No host name holds a colon.
        text = authority + path
    elif authority.lower() not in ("", "localhost"):
        text = f"//{authority}{path}"
    elif path.startswith("//"):
        text = path
    else:
        text = path.lstrip("/")
        if not _DRIVE.match(text):
            raise InvalidUri(f"{uri[:200]!r} holds no drive and no share")
    if _DRIVE.fullmatch(text):
        text += "/"
    return text.replace("/", "\\")


def _decode(text: str) -> str:
    return unquote_to_bytes(text.encode("utf-8", "surrogatepass")).decode("utf-8", "surrogateescape")


def _encode(text: str) -> str:
    return quote(text.encode("utf-8", "surrogateescape"), safe="/:~!$&'()*+,;=@")
