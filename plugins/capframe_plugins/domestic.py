"""The catalogues of Chinese vendors besides Huawei; one plugin, since nobody leaves out one vendor alone."""

from __future__ import annotations

from importlib.resources import as_file, files
from typing import TYPE_CHECKING

from capframe import CatalogFile, hookimpl

if TYPE_CHECKING:
    from collections.abc import Iterator

FILES = (
    "biren",
    "cambricon",
    "enflame",
    "hygon",
    "iluvatar",
    "kunlunxin",
    "metax",
    "moorethreads",
    "more-domestic",
    "thead",
)


@hookimpl
def capframe_catalogs() -> Iterator[CatalogFile]:
    with as_file(files("capframe.catalogs")) as folder:
        for name in FILES:
            yield CatalogFile(folder / f"{name}.yaml")
