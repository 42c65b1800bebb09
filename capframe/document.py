"""Reading a document from a file, YAML or TOML alike, and the one canonical form that both have.

What a scalar means (a number, a percentage, a part, ``NO``) is decided by the field that reads it, never here.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from capframe.errors import PlanError, Problem
from capframe.nodes import MOST_LEVELS, Items, Node, Place, Scalar, Table, problem
from capframe.texts import with_holes

if TYPE_CHECKING:
    from pathlib import Path

__all__ = [
    "MOST_BYTES", "MOST_LEVELS", "Items", "Node", "Place", "Scalar", "Table", "canonical", "digest", "parse_toml",
    "parse_yaml", "problem", "read_document", "read_yaml",
]  # fmt: skip

MOST_BYTES = 10_000_000
SUFFIXES = (".yaml", ".yml", ".toml")


def read_document(path: Path, name: str | None = None) -> Table:
    """Read a document whose top is a mapping: TOML where the file's name says so, else YAML.

    Raises:
        PlanError: for what cannot be read, is too large, not UTF-8, or not what its name says.
    """
    read = parse_toml if path.suffix.casefold() == ".toml" else parse_yaml
    return read(_bytes(path), name or path.name)


def read_yaml(path: Path, name: str | None = None) -> Table:
    """Read a YAML document; see ``read_document``."""
    return parse_yaml(_bytes(path), name or path.name)


def parse_yaml(data: bytes, name: str) -> Table:
    """Read a YAML document from bytes.

    Raises:
        PlanError: for what is not UTF-8, not YAML, has a key twice, or unfolds to too much; all duplicates at once.
    """
    from capframe.yaml_text import parse_yaml as parse

    text = _text(data, name)
    try:
        return parse(text, name)
    except PlanError as fault:
        import tomllib

        with suppress(ValueError, RecursionError):
            if tomllib.loads(text):
                raise PlanError([_misnamed(name, "TOML", ".toml")]) from fault
        raise


def parse_toml(data: bytes, name: str) -> Table:
    """Read a TOML document from bytes.

    Raises:
        PlanError: for what is not UTF-8 or not TOML.
    """
    from capframe.toml_text import parse_toml as parse
    from capframe.yaml_text import is_yaml

    text = _text(data, name)
    try:
        return parse(text, name)
    except PlanError as fault:
        if is_yaml(text):
            raise PlanError([_misnamed(name, "YAML", ".yaml")]) from fault
        raise


def _misnamed(name: str, what: str, suffix: str) -> Problem:
    """Return the mistake of a file whose name says another format."""
    return problem(Place(name, 1, 1), f"this is {what}; let the file's name end in {suffix}")


def _bytes(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as fault:
        raise PlanError([Problem(str(path), f"cannot be read: {fault.strerror}")]) from fault
    if data.startswith(b"PK\x03\x04"):
        raise PlanError([Problem(str(path), "is a workbook; give the plan it was made from (YAML or TOML)")])
    if len(data) > MOST_BYTES:
        what = f"the file has more than {MOST_BYTES // 1_000_000} MB, which is no plan or catalogue; split it"
        raise PlanError([Problem(str(path), what)])
    return data


def _text(data: bytes, name: str) -> str:
    try:
        return with_holes(data.decode("utf-8-sig"))
    except UnicodeDecodeError as fault:
        line = data.count(b"\n", 0, fault.start) + 1
        what = "the file is not UTF-8; save it as UTF-8 (an editor calls it the encoding)"
        raise PlanError([problem(Place(name, line, 1), what)]) from fault


# ---------------------------------------------------------------- one form for all spellings


def canonical(document: Table) -> str:
    """Return a document as canonical JSON: keys sorted, no blanks, every scalar the text that was written.

    The same plan in YAML and in TOML has the same form. Inputs that a scenario changes are written with dots, whether
    their keys were typed so or nested.
    """
    tree = _plain(document)
    scenarios = tree.get("scenarios")
    if isinstance(scenarios, dict):
        tree["scenarios"] = {
            name: dict(_flat(changes, "")) if isinstance(changes, dict) else changes
            for name, changes in scenarios.items()
        }
    return json.dumps(tree, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def digest(document: Table) -> str:
    """Return the SHA-256 of the canonical form, in hexadecimal."""
    return hashlib.sha256(canonical(document).encode("utf-8", "surrogatepass")).hexdigest()


def _plain(node: Node) -> Any:
    if isinstance(node, Table):
        return {key: _plain(below) for key, below in node.nodes.items()}
    if isinstance(node, Items):
        return [_plain(below) for below in node.nodes]
    return None if node.blank else node.text


def _flat(tree: dict[str, Any], above: str) -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    for key, below in tree.items():
        found += _flat(below, f"{above}{key}.") if isinstance(below, dict) and below else [(f"{above}{key}", below)]
    return found
