"""Cells of tables on their way out and in.

A spreadsheet takes a cell that begins with = + - @, a tab or a line break for a formula. Such a cell gets an apostrophe
in front, which spreadsheets do not show; reading takes one such apostrophe away again.
"""

from __future__ import annotations

import re

#: What a formula may begin with, the full-width signs that some programs take for it included.
_FORMULA = "=+\\-@\t\r\n＝＋－＠"
_DANGEROUS = re.compile(rf"'*[{_FORMULA}]")
_GUARDED = re.compile(rf"'+[{_FORMULA}]")


def safe_cell(text: str) -> str:
    """The text as a cell that no spreadsheet takes for a formula.

    >>> safe_cell("=1+1"), safe_cell("'=1+1"), safe_cell("it's")
    ("'=1+1", "''=1+1", "it's")
    """
    return "'" + text if _DANGEROUS.match(text) else text


def plain_cell(cell: str) -> str:
    """The text behind a cell: `safe_cell` undone.

    >>> plain_cell("'=1+1"), plain_cell("'tis")
    ('=1+1', "'tis")
    """
    return cell[1:] if _GUARDED.match(cell) else cell
