"""What a person wrote that is no YAML, in words: the parser says where it gave up, seldom what went wrong."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from attrs import frozen

from capframe.nodes import Place, problem

if TYPE_CHECKING:
    from capframe.errors import Problem

KEY = re.compile(r"(?P<before>\s*(?:- +)*)(?P<key>[^\s#'\"{\[:][^:#]*?):(?P<blank>\s+|$)(?P<value>.*)")
CRAMPED = re.compile(r"(?P<before>\s*(?:- +)*)(?P<key>[\w.-]+):(?P<value>[^\s:/][^:]*)$")
FIRST = re.compile(r"\s*(?:- +)*")
BREAKS = re.compile("\r\n|[\n\r\x85\u2028\u2029]")
"""Where YAML begins a line."""
CLOSING = {"{": "}", "[": "]"}
ONE_COLUMN = "keys that belong together start in one column"


def explained(fault: Any, text: str, name: str) -> Problem:
    """Return what is wrong with a text that PyYAML refused, where, and what to write instead."""
    mark = getattr(fault, "problem_mark", None) or getattr(fault, "context_mark", None)
    line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
    about = _About(name, BREAKS.split(text), line, column, getattr(fault, "context_mark", None))
    said = getattr(fault, "problem", None) or str(fault)
    return (
        about.full_width_colon(max(0, line - 3))
        or about.open_quote()
        or about.tab()
        or about.known(said)
        or about.at(line, column, f"not YAML: {said}")
    )


def full_width_colon(text: str, name: str) -> Problem | None:
    """Return the mistake of a text without keys that has a full-width colon where one would end."""
    lines = BREAKS.split(text)
    return _About(name, lines, len(lines), 1, None).full_width_colon(0)


@frozen
class _About:
    """A text, and where the parser gave up: line and column from 1, and the mark of what it was reading, from 0."""

    name: str
    lines: list[str]
    line: int
    column: int
    began: Any

    def at(self, line: int, column: int, what: str) -> Problem:
        return problem(Place(self.name, line, column), what)

    @property
    def here(self) -> str:
        """The line on which the parser gave up."""
        return self.lines[self.line - 1] if self.line <= len(self.lines) else ""

    @property
    def sign(self) -> str:
        """The character at which it gave up."""
        return self.here[self.column - 1 : self.column]

    def above(self) -> tuple[int, str]:
        """Return the last line before that says anything, and its number."""
        for number in range(self.line - 1, 0, -1):
            if (said := self.lines[number - 1]).strip() and not said.lstrip().startswith("#"):
                return number, said
        return 0, ""

    def full_width_colon(self, first: int) -> Problem | None:
        """Return the mistake of a full-width colon behind a key: within values and comments it is only text."""
        for number, line in enumerate(self.lines[first : self.line], first + 1):
            key, colon, _ = line.partition("：")
            if colon and not re.search(r":(\s|$)|#", key):
                return self.at(number, len(key) + 1, "a full-width colon ： separates nothing; write `: `")
        return None

    def open_quote(self) -> Problem | None:
        """Return the mistake of a text whose quote is not closed on its line, behind which nothing reads as YAML."""
        for number, line in enumerate(self.lines[: self.line], 1):
            found = re.match(r"\s*(?:- )?[\w.-]+:\s+([\"'])", line)
            if found and found[1] not in line[found.end() :]:
                return self.unclosed(number, found.end(), found[1])
        return None

    def unclosed(self, line: int, column: int, quote: str) -> Problem:
        what = f"the quote {quote} that opens here is not closed; write another {quote} where the text ends"
        return self.at(line, column, what)

    def tab(self) -> Problem | None:
        """Return the mistake of a tab in front of what the parser stopped at."""
        blank = self.here[: len(self.here) - len(self.here.lstrip())]
        if self.sign == "\t" or "\t" in blank:
            column = self.column if self.sign == "\t" else blank.index("\t") + 1
            return self.at(self.line, column, "a tab stands here; YAML is indented with spaces, never with tabs")
        return None

    def known(self, said: str) -> Problem | None:
        """Return a mistake that people often make, by what the parser says of it."""
        for words, tell in TOLD:
            if words in said:
                return tell(self)
        return None

    # ---------------------------------------------------------------- keys

    def colon(self) -> Problem:
        """A colon where no key can stand: in a text, or behind a line that did not read as a key and a value."""
        own = KEY.match(self.here)
        if own and own.end("key") + 1 < self.column:
            return self.colon_in_text(own)
        number, before = self.above()
        if wrong := self.cramped(number):
            return wrong
        key = KEY.match(before)
        if before and not key:
            return self.no_key(number)
        return self.indentation()

    def colon_in_text(self, own: re.Match[str]) -> Problem:
        text = re.split(r"\s+#", own["value"])[0].rstrip()
        if text.endswith(":"):
            what = f"two keys stand on this line; write `{text}` on the next one, indented"
            return self.at(self.line, own.start("value") + 1, what)
        quote = "'" if '"' in text or "\\" in text else '"'
        example = f"`{own['key']}: {quote}{text}{quote}`" if quote not in text else f"{own['key']}: …"
        what = f"the text holds `: `, which ends a key; put it in quotes: {example}"
        return self.at(self.line, own.start("value") + 1, what)

    def cramped(self, number: int) -> Problem | None:
        """Return the mistake of a key on a line whose colon has no blank behind it."""
        found = CRAMPED.match(self.lines[number - 1]) if number else None
        if not found:
            return None
        what = f"a blank is lacking behind the colon; write `{found['key']}: {found['value'].strip()}`"
        return self.at(number, found.end("key") + 1, what)

    def no_key(self, number: int) -> Problem:
        line = self.lines[number - 1]
        first, _, rest = line.strip().partition(" ")
        what = f"no colon stands on this line; write `{first}: {rest.strip() or '…'}`"
        return self.at(number, len(line) - len(line.lstrip()) + 1, f"{what}, or put a text of several lines in quotes")

    def missing_colon(self) -> Problem:
        """A line that is no key and no value."""
        number = self.began.line + 1 if self.began else self.line
        return self.cramped(number) or self.no_key(number)

    def indentation(self) -> Problem:
        """A key, or an entry, in a column where none above it stands."""
        word = FIRST.sub("", self.here, count=1).partition(":")[0].strip()
        start = len(self.here) - len(self.here.lstrip()) + 1
        number, before = self.above()
        key = KEY.match(before)
        if key and key["value"] and start > key.end("before") + 1:
            where = f"`{key['key']}`, which has a value, in column {key.end('before') + 1}"
            what = f"wrong indentation: `{word}` starts in column {start}, and above it {where}; {ONE_COLUMN}"
            return self.at(self.line, start, what)
        columns = sorted(self.columns(number))
        listed = " or ".join(filter(None, (", ".join(map(str, columns[:-1])), str(columns[-1])))) if columns else "1"
        what = f"wrong indentation: `{word}` starts in column {start}; what stands above it starts in column {listed}"
        return self.at(self.line, start, f"{what}, and {ONE_COLUMN}")

    def columns(self, number: int) -> set[int]:
        """Return the columns of the keys among which a line could stand, from a line above it upwards."""
        found: set[int] = set()
        for line in reversed(self.lines[:number]):
            key = KEY.match(line)
            if key and (not found or key.end("before") + 1 < min(found)):
                found.add(key.end("before") + 1)
        return found

    def expected_key(self) -> Problem:
        """Something that is no key where one is expected: behind a value, or in another column."""
        if self.sign in set(CLOSING.values()):
            return self.closes_nothing()
        before = self.here[: self.column - 1].rstrip()
        if before and before[-1] in "'\"" and not before.endswith(": '"):
            quote = before[-1]
            other = '"' if quote == "'" else "'"
            what = f"the text goes on behind its closing {quote}; put the whole of it in {other}"
            return self.at(self.line, self.column, what)
        if self.sign == "-" and not before:
            return self.at(self.line, self.column, "an entry of a list stands among keys; write it below its own key")
        return self.indentation()

    # ---------------------------------------------------------------- brackets, signs, names

    def closes_nothing(self) -> Problem:
        return self.at(self.line, self.column, f"`{self.sign}` closes nothing; take it out, or open it before")

    def separator(self) -> Problem:
        """Brackets that do not close, or entries without a comma between them."""
        row, column = self.began.line + 1, self.began.column + 1
        opening = self.lines[row - 1][column - 1 : column]
        closing, inside = CLOSING.get(opening, "}"), "brackets" if opening == "[" else "braces"
        if self.sign in set(CLOSING.values()):
            what = f"`{self.sign}` stands where the `{opening}` of line {row} is to be closed; write `{closing}`"
            return self.at(self.line, self.column, what)
        outer = len(self.lines[row - 1]) - len(self.lines[row - 1].lstrip())
        if self.line > row and len(self.here) - len(self.here.lstrip()) <= outer:
            what = f"the `{opening}` that opens here is not closed; write `{closing}` where its entries end"
            return self.at(row, column, what)
        what = f"a comma is lacking before this: inside {inside} commas separate entries"
        return self.at(self.line, self.column, f"{what}, and a text that holds `: ` or commas stands in quotes")

    def in_quotes(self) -> Problem:
        """A text that starts with a sign of YAML."""
        column = self.began.column + 1 if self.began and self.began.line + 1 == self.line else self.column
        inside = "{" in self.here[: column - 1] or "[" in self.here[: column - 1]
        text = re.split(r"\s+#|[,}\]]" if inside else r"\s+#", self.here[column - 1 :])[0].rstrip()
        example = f": `'{text}'`" if text and "'" not in text else ""
        return self.at(self.line, column, f"a text that starts with `{text[:1]}` stands in quotes{example}")

    def list_behind(self) -> Problem:
        what = (
            "an entry of a list starts a line of its own, below the key; a text that starts with `- ` stands in quotes"
        )
        return self.at(self.line, self.column, what)

    def nothing_there(self) -> Problem:
        if self.sign in set(CLOSING.values()):
            return self.closes_nothing()
        return self.at(self.line, self.column, "nothing stands before this comma; write a value, or take it out")

    def anchor_twice(self) -> Problem:
        word = self.word()
        what = f"`{word}` stands twice, first on line {self.began.line + 1}; give each block a name of its own"
        return self.at(self.line, self.column, what)

    def no_anchor(self) -> Problem:
        word = self.word()
        what = f"`{word}` repeats what is marked `&{word[1:]}` above it, and nothing is"
        return self.at(self.line, self.column, f"{what}; a text that starts with `*` stands in quotes")

    def word(self) -> str:
        return re.split(r"[\s,\]}]", self.here[self.column - 1 :])[0]

    def open_end(self) -> Problem | None:
        if self.began is None:
            return None
        row, column = self.began.line + 1, self.began.column + 1
        return self.unclosed(row, column, self.lines[row - 1][column - 1 : column])

    def escape(self) -> Problem:
        at = self.here.rfind("\\", 0, self.column + 1)
        what = f"`{self.here[at : at + 2]}` means nothing within double quotes; write the text in single ones"
        return self.at(self.line, at + 1, what)

    def two_documents(self) -> Problem:
        what = "`---` starts another document, and a file holds one; take this line out, or split the file"
        return self.at(self.line, self.column, what)


TOLD = (
    ("mapping values are not allowed", _About.colon),
    ("did not find expected key", _About.expected_key),
    ("expected '-' indicator", _About.indentation),
    ("could not find expected ':'", _About.missing_colon),
    ("expected ',' or", _About.separator),
    ("cannot start any token", _About.in_quotes),
    ("expected alphabetic or numeric character", _About.in_quotes),
    ("undefined tag handle", _About.in_quotes),
    ("mapping keys are not allowed", _About.in_quotes),
    ("expected comment or line break", _About.in_quotes),
    ("sequence entries are not allowed", _About.list_behind),
    ("expected node content", _About.nothing_there),
    ("second occurrence", _About.anchor_twice),
    ("found undefined alias", _About.no_anchor),
    ("unexpected end of stream", _About.open_end),
    ("unknown escape character", _About.escape),
    ("found another document", _About.two_documents),
)
"""What tells each mistake, by words of the parser."""
