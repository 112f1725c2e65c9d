"""Guidelines are written in Markdown (CommonMark) by leads and read by everybody: raw HTML and images stay text.

>>> print(render("Mark **every** figure <b>once</b>."))
<p>Mark <strong>every</strong> figure &lt;b&gt;once&lt;/b&gt;.</p>
>>> print(render("[x](javascript:alert(1))"))
<p>[x](javascript:alert(1))</p>
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from django.utils.safestring import SafeString

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

#: Headings begin below those of the page they stand on.
HIGHEST_HEADING = 3


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False}).disable(["image", "html_block", "html_inline"])


def render(text: str) -> SafeString:
    """The text as HTML. Whatever it holds, no tag comes out that Markdown did not make."""
    parser = _parser()
    tokens = parser.parse(text)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, int(token.tag[1]) + HIGHEST_HEADING - 1)}"
        for child in token.children or ():
            if child.type == "link_open":
                child.attrSet("rel", "noopener noreferrer")
    # Safe: the parser escapes every text and address it is given, and raw HTML is switched off.
    return SafeString(str(parser.renderer.render(tokens, parser.options, {})).strip())
