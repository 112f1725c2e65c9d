"""An MCP server with one tool, `find_unsupported_words`, on the official SDK (the [mcp] extra).

The server answers at once; models are loaded at the first call. It gives no verdict and no threshold: the weakest
anchors with the nearest evidence, for the caller to look at.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from proofing.errors import BadInput, ProofingError

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer

    from proofing.report import Anchor, Report

NAME = "find_unsupported_words"
#: At most this many anchors are returned.
MOST = 100
DESCRIPTION = (
    "Compares an answer with the sources it was written from and returns the words and values the sources back least, "
    "weakest first, each with the nearest evidence. Numbers, money, dates and the like are compared by arithmetic. "
    "There is no verdict and no threshold: look at each word and its evidence. Offsets are zero-based, half-open and "
    "count Unicode code points of the answer. Nothing is stored or sent anywhere."
)


@dataclass(frozen=True)
class SourceText:
    """A source with the caller's own id, which comes back as `source_id`."""

    text: str
    id: str = ""


@dataclass(frozen=True)
class WeakAnchor:
    """One word or value of the answer and the nearest evidence for it."""

    word: str
    start: int
    end: int
    support: float
    checked_by: str
    closest_in_sources: str | None
    sentence: str | None
    source_id: str | None
    notes: list[str]


@dataclass(frozen=True)
class UnsupportedWords:
    """What the tool returns."""

    weakest_anchors: list[WeakAnchor]
    floor: float | None
    n_marked: int
    encoder_id: str
    sha256: str
    warnings: list[str]


def find_unsupported_words(
    answer: str, sources: Sequence[Any], k: int = 4, locale: str = "und", question: str = "", *, tier: str = "standard"
) -> UnsupportedWords:
    """The `k` weakest anchors of an answer, with evidence.

    Args:
        answer: the text to look at.
        sources: texts, or mappings with ``text`` and optionally ``id``.
        k: how many anchors, 1 to `MOST`.
        locale: BCP 47 tag for numbers and dates; ``und`` = not known.
        question: what was asked; its words are no support.

    Raises:
        BadInput: the texts or `k` cannot be used; the message says how to mend it.
    """
    from proofing.inspection import inspect
    from proofing.settings import Settings

    if not 1 <= k <= MOST:
        raise BadInput(f"k must be between 1 and {MOST}, not {k}")
    report = inspect(question, list(sources), answer, settings=Settings(tier=tier, locale=locale, weakest=k))
    return UnsupportedWords(
        weakest_anchors=[_weak(anchor, report) for anchor in report.weakest()],
        floor=report.finding.floor,
        n_marked=len(report.marks),
        encoder_id=str(report.engine.get("encoder", "none")),
        sha256=report.sha256,
        warnings=list(report.warnings),
    )


def _weak(anchor: Anchor, report: Report) -> WeakAnchor:
    mark = next((m for m in report.marks if m.start <= anchor.start and anchor.end <= m.end), None)
    receipt = mark.receipt if mark else anchor.receipt
    notes = [receipt.note] if receipt and receipt.note else []
    for note in report.finding.notes:
        if note.start < anchor.end and anchor.start < note.end:
            notes += [text for text in (note.formula, note.note) if text]
    known = receipt is not None and receipt.source_id is not None
    return WeakAnchor(
        word=anchor.text,
        start=anchor.start,
        end=anchor.end,
        support=anchor.support,
        checked_by=anchor.checked_by,
        closest_in_sources=receipt.text if receipt and known else None,
        sentence=receipt.sentence_text if receipt and known else None,
        source_id=receipt.source_id if receipt else None,
        notes=notes,
    )


def _given(source: str | SourceText) -> str | dict[str, str]:
    if isinstance(source, str):
        return source
    return {"id": source.id, "text": source.text} if source.id else {"text": source.text}


def _sentences(faults: Sequence[Mapping[str, Any]]) -> str:
    """Each argument at fault once, with the first thing wrong with it."""
    said: dict[str, str] = {}
    for fault in faults:
        place = [str(part) for part in fault["loc"][:2] if isinstance(part, int) or part == fault["loc"][0]]
        said.setdefault(".".join(place), str(fault["msg"]))
    return "; ".join(f"{place}: {what}" for place, what in said.items()) + ". Mend the arguments and call again."


def server(tier: str = "standard") -> MCPServer:
    """The server with its one tool.

    Raises:
        BadInput: the [mcp] extra is not installed.
    """
    try:
        from anyio import create_memory_object_stream, create_task_group
        from mcp.server.mcpserver import MCPServer
        from mcp.server.mcpserver.exceptions import ToolError
        from mcp.server.stdio import stdio_server
        from mcp.shared.message import SessionMessage
        from mcp.types import PARSE_ERROR, ErrorData, JSONRPCError, ToolAnnotations
        from pydantic import Field, ValidationError
    except ImportError as error:
        raise BadInput("the MCP server needs the [mcp] extra: pip install 'proofmark[mcp]'") from error

    import proofing

    UNREADABLE = ErrorData(code=PARSE_ERROR, message="the line is no JSON-RPC message in UTF-8")

    class Server(MCPServer):
        """Says what is wrong with arguments in sentences, where the SDK would send its validator's own report; and
        answers a line that is no message, where the SDK would say nothing."""

        async def run_stdio_async(self) -> None:
            inner = self._lowlevel_server
            messages, given = create_memory_object_stream[Any](0)

            async def answer_unreadable(lines: Any, replies: Any) -> None:
                async with messages:
                    async for line in lines:
                        if isinstance(line, Exception):
                            await replies.send(SessionMessage(JSONRPCError(jsonrpc="2.0", id=None, error=UNREADABLE)))
                        else:
                            await messages.send(line)

            async with stdio_server() as (lines, replies), create_task_group() as tasks:
                tasks.start_soon(answer_unreadable, lines, replies)
                await inner.run(given, replies, inner.create_initialization_options())
                tasks.cancel_scope.cancel()

        async def call_tool(self, name: str, *args: Any, **kwargs: Any) -> Any:
            try:
                return await super().call_tool(name, *args, **kwargs)
            except ToolError as error:
                if not isinstance(error.__cause__, ValidationError):
                    raise
                raise ToolError(_sentences(error.__cause__.errors())) from error

    made = Server("proofmark", version=proofing.__version__)

    def tool(answer, sources, k=4, locale="und", question=""):  # type: ignore[no-untyped-def]
        try:
            return find_unsupported_words(answer, [_given(s) for s in sources], k, locale, question, tier=tier)
        except (ProofingError, ValueError) as error:
            raise ToolError(str(error)) from error

    # The types are given as objects: annotations as text could not name what this function imported.
    tool.__annotations__ = {
        "answer": Annotated[str, Field(description="The answer to look at.")],
        "sources": Annotated[list[str | SourceText], Field(description="The sources the answer was written from.")],
        "k": Annotated[int, Field(ge=1, le=MOST, description="How many of the weakest anchors to return.")],
        "locale": Annotated[str, Field(description="BCP 47 tag for number and date forms; und = not known.")],
        "question": Annotated[str, Field(description="What was asked, if known.")],
        "return": UnsupportedWords,
    }
    made.tool(
        name=NAME,
        title="Find unsupported words",
        description=DESCRIPTION,
        annotations=ToolAnnotations(
            read_only_hint=True, idempotent_hint=True, destructive_hint=False, open_world_hint=False
        ),
    )(tool)
    return made


def serve(tier: str = "standard") -> None:
    """Serve on standard input and output until the input ends.

    Raises:
        BadInput: the [mcp] extra is not installed.
    """
    server(tier).run("stdio")
