"""Templates, rendered so that they can do no harm and no arithmetic, and that a slip names its line."""

from __future__ import annotations

import traceback
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NoReturn

from capframe import CapframeError
from capframe_plugins.brief.markdown import escape, table, tidy

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from jinja2.sandbox import ImmutableSandboxedEnvironment

LONGEST = 2_000_000
"""Characters of a document beyond which a template is running away."""


def packaged(name: str) -> str:
    """Return the text of a template that comes with capframe.

    Raises:
        FileNotFoundError: where there is none of that name.
    """
    return files("capframe.templates").joinpath(*name.split("/")).read_text(encoding="utf-8")


def render(name: str, contents: Mapping[str, Any], read: Callable[[str], str] = packaged) -> str:
    """Return a document; ``read`` gives the text of a template by its name.

    Raises:
        CapframeError: where a template is wrong, naming the template, its line and what is wrong there.
    """
    import jinja2

    pieces, length = [], 0
    try:
        for piece in environment(read).get_template(name).generate(**contents):
            pieces.append(piece)
            length += len(piece)
            if length > LONGEST:
                msg = f"template {name}: the document is longer than {LONGEST:,} characters"
                raise CapframeError(msg)
    except jinja2.TemplateSyntaxError as fault:
        raise CapframeError(_at(fault.name or name, fault.lineno, fault.message)) from fault
    except jinja2.TemplateNotFound as fault:
        _blame(name, f"there is no template {fault.name!r}", fault)
    except (jinja2.TemplateError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as fault:
        _blame(name, str(fault), fault)
    return tidy("".join(pieces))


def environment(read: Callable[[str], str]) -> ImmutableSandboxedEnvironment:
    """Return where templates run: an unknown name fails, every text is escaped, and nothing is computed."""
    import jinja2
    from jinja2.exceptions import SecurityError
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    class Sandbox(ImmutableSandboxedEnvironment):
        """A sandbox that leaves arithmetic to the ledger."""

        intercepted_binops = frozenset(ImmutableSandboxedEnvironment.default_binop_table)

        def call_binop(self, context: object, operator: str, left: object, right: object) -> NoReturn:  # noqa: ARG002 - jinja2's signature
            """Refuse."""
            msg = f"a template computes nothing, and here is a {operator!r}; let the ledger have a line for it"
            raise SecurityError(msg)

    def load(name: str) -> tuple[str, str, Callable[[], bool]] | None:
        try:
            return read(name), name, lambda: True
        except (FileNotFoundError, KeyError):
            return None

    made = Sandbox(
        loader=jinja2.FunctionLoader(load),
        undefined=jinja2.StrictUndefined,
        finalize=escape,
        autoescape=False,  # noqa: S701 - it escapes for HTML; `finalize` escapes every text for Markdown
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals = {"table": table}
    return made


def _blame(name: str, what: str, fault: Exception) -> NoReturn:
    """Raise with the innermost template and line that a fault went through: jinja2 rewrites tracebacks to them."""
    where, line = name, 0
    for frame, number in traceback.walk_tb(fault.__traceback__):
        if "__jinja_exception__" in frame.f_globals:
            where, line = frame.f_code.co_filename, number
    raise CapframeError(_at(where, line, what)) from fault


def _at(name: str, line: int, what: str | None) -> str:
    place = f", line {line}" if line else ""
    return f"template {name}{place}: {what}"
