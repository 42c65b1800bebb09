"""What catalogue files say, kept between runs as JSON under a hash of everything that it depends on.

``CAPFRAME_CACHE`` names the folder (by default the one for caches of the user); ``off`` keeps nothing. A file that
cannot be read or written, or that was changed by hand, is passed over: a cache may never decide a result.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from capframe import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable

FOLDER = "CAPFRAME_CACHE"
MOST_FILES = 400
CODE = ("catalog_files", "document", "fields", "given", "texts", "units", "wording")
"""Modules that decide what a text means: what another version of them read is read again."""


def folder() -> Path | None:
    """Return where the cache is, or None where there is to be none."""
    asked = os.environ.get(FOLDER)
    if asked is not None:
        return None if asked in {"", "off"} else Path(asked)
    home = os.environ.get("LOCALAPPDATA" if sys.platform == "win32" else "XDG_CACHE_HOME")
    try:
        return (Path(home) if home else Path.home() / ".cache") / "capframe"
    except RuntimeError:  # no home folder
        return None


def key_of(data: bytes, parts: Iterable[str]) -> str:
    """Return the name under which a file is kept: of its bytes, of what is declared, and of the code that reads it."""
    code = [(Path(__file__).parent / f"{name}.py").stat() for name in CODE]
    digest = sha256(data)
    for part in (__version__, *(f"{one.st_size}-{one.st_mtime_ns}" for one in code), *parts):
        digest.update(b"\0" + part.encode())
    return digest.hexdigest()


def kept(key: str) -> dict[str, Any] | None:
    """Return what was kept under a key, or None."""
    place = folder()
    if place is None:
        return None
    with suppress(OSError, ValueError):
        seal, _, body = (place / f"{key}.json").read_bytes().partition(b"\n")
        if seal == sha256(body).hexdigest().encode():
            found: dict[str, Any] = json.loads(body)
            return found
    return None


def keep(key: str, found: dict[str, Any]) -> None:
    """Keep plain data under a key; the oldest files beyond ``MOST_FILES`` go."""
    place = folder()
    if place is None:
        return
    body = json.dumps(found, ensure_ascii=False, separators=(",", ":")).encode()
    with suppress(OSError):
        place.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.NamedTemporaryFile(dir=place, prefix=".", delete=False) as file:
            file.write(sha256(body).hexdigest().encode() + b"\n" + body)
        Path(file.name).replace(place / f"{key}.json")
        files = sorted(place.glob("*.json"), key=lambda path: path.stat().st_mtime_ns)
        for old in files[:-MOST_FILES]:
            old.unlink(missing_ok=True)
