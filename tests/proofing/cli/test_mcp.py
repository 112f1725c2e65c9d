"""The MCP server through the SDK's own client, over standard input and output."""

import asyncio
import json
import subprocess
import sys

import pytest

from proofing.errors import BadInput
from proofing.mcp import find_unsupported_words

mcp = pytest.importorskip("mcp")

ANSWER = "The frame is guaranteed for 5 years."
SOURCES = ["Spokes are not covered.", {"id": "care.md", "text": "The frame is guaranteed for 2 years."}]


def talk(conversation):
    async def run():
        script = "from proofing.mcp import serve; serve('fast')"
        program = mcp.StdioServerParameters(command=sys.executable, args=["-c", script])
        async with mcp.Client(program) as client:
            return await conversation(client)

    return asyncio.run(asyncio.wait_for(run(), timeout=60))


def test_the_weakest_word_comes_first_with_its_evidence():
    async def conversation(client):
        tools = (await client.list_tools()).tools
        return tools, await client.call_tool("find_unsupported_words", {"answer": ANSWER, "sources": SOURCES, "k": 2})

    tools, result = talk(conversation)
    assert [tool.name for tool in tools] == ["find_unsupported_words"]
    assert tools[0].annotations.read_only_hint
    assert set(tools[0].input_schema["required"]) == {"answer", "sources"}
    assert "weakest_anchors" in tools[0].output_schema["properties"]
    found = result.structured_content
    first = found["weakest_anchors"][0]
    assert first["word"].startswith("5")
    assert ANSWER[first["start"] : first["end"]] == first["word"]
    assert (first["source_id"], first["checked_by"]) == ("care.md", "arithmetic")
    assert len(found["weakest_anchors"]) == 2
    assert json.loads(result.content[0].text) == found


def test_what_a_model_can_mend_comes_back_as_a_sentence():
    async def conversation(client):
        return [
            await client.call_tool("find_unsupported_words", arguments)
            for arguments in (
                {"answer": "a\x00b", "sources": []},
                {"answer": "a", "sources": [{"id": "x", "text": "1"}, {"id": "x", "text": "2"}]},
                {"answer": "a", "sources": [], "k": 0},
            )
        ]

    for result in talk(conversation):
        assert result.is_error
        assert "Traceback" not in result.content[0].text


def test_it_is_the_same_without_a_server():
    found = find_unsupported_words(ANSWER, SOURCES, tier="fast")
    assert found.n_marked == 1
    assert found.floor == 0.0
    with pytest.raises(BadInput, match="k must be"):
        find_unsupported_words(ANSWER, SOURCES, k=0)


def test_arguments_of_the_wrong_type_come_back_as_a_sentence_too():
    wrong = ({"sources": []}, {"answer": "a", "sources": "b"}, {"answer": "a", "sources": [7]})

    async def conversation(client):
        return [await client.call_tool("find_unsupported_words", arguments) for arguments in wrong]

    for result, named in zip(talk(conversation), ("answer:", "sources:", "sources.0:"), strict=True):
        said = result.content[0].text
        assert result.is_error
        assert named in said
        assert "pydantic" not in said
        assert "\n" not in said


def test_a_line_that_is_no_message_is_answered_with_a_parse_error():
    first = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    sound = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": first}
    lines = ["no json", '{"jsonrpc": "2.0", "id": 7, "method": "\\ud800"}', "[]", json.dumps(sound)]
    command = [sys.executable, "-c", "from proofing.mcp import serve; serve('fast')"]
    given = "".join(f"{line}\n" for line in lines)
    done = subprocess.run(command, input=given, capture_output=True, text=True, timeout=60, check=True)
    said = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer.get("id") for answer in said] == [None, None, None, 1]
    assert {answer["error"]["code"] for answer in said[:3]} == {-32700}
