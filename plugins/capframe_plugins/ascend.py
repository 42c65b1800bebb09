"""The Huawei Ascend catalogue."""

from __future__ import annotations

from importlib.resources import as_file, files
from typing import TYPE_CHECKING

from capframe import CatalogFile, hookimpl

if TYPE_CHECKING:
    from collections.abc import Iterator


@hookimpl
def capframe_catalogs() -> Iterator[CatalogFile]:
    with as_file(files("capframe.catalogs") / "ascend.yaml") as path:
        yield CatalogFile(path)
