"""Guidelines are written in Markdown (CommonMark) by leads and read by everybody: raw HTML and images stay text.

>>> print(render("Mark **every** figure <b>once</b>."))
<p>Mark <strong>every</strong> figure &lt;b&gt;once&lt;/b&gt;.</p>
>>> print(render("[x](javascript:alert(1))"))
<p>[x](javascript:alert(1))</p>
>>> print(render("## Dates"))
<p><strong>Dates</strong></p>
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from django.utils.safestring import SafeString

if TYPE_CHECKING:
    from markdown_it import MarkdownIt


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False}).disable(["image", "html_block", "html_inline"])


def render(text: str) -> SafeString:
    """The text as HTML. Whatever it holds, no tag comes out that Markdown did not make.

    Headings become bold lines: the text stands in many places, and its levels would fit into the outline of few.
    """
    parser = _parser()
    tokens = parser.parse(text)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = "p"
        for child in token.children or ():
            if child.type == "link_open":
                child.attrSet("rel", "noopener noreferrer")
    # Safe: the parser escapes every text and address it is given, and raw HTML is switched off.
    return SafeString(str(parser.renderer.render(_bold_headings(tokens), parser.options, {})).strip())


def _bold_headings(tokens: list[Any]) -> list[Any]:
    from markdown_it.token import Token

    inside = False
    for token in tokens:
        if inside and token.type == "inline":
            token.children = [
                Token("strong_open", "strong", 1), *(token.children or ()), Token("strong_close", "strong", -1)
            ]  # fmt: skip
        inside = token.type == "heading_open"
    return tokens
