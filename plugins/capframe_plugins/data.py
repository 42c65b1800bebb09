"""The results as JSON, in one stable shape."""

from __future__ import annotations
