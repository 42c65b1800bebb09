"""The catalogues of AMD, Intel, and the cloud-only chips of Google and AWS."""

from __future__ import annotations

from importlib.resources import as_file, files
from typing import TYPE_CHECKING

from capframe import CatalogFile, hookimpl

if TYPE_CHECKING:
    from collections.abc import Iterator

FILES = ("amd", "cloud", "intel")


@hookimpl
def capframe_catalogs() -> Iterator[CatalogFile]:
    with as_file(files("capframe.catalogs")) as folder:
        for name in FILES:
            yield CatalogFile(folder / f"{name}.yaml")
