"""Runs the recipes of docs/recipes.md as they stand there, each inside the tool it is for.

The tools' models and retrievers are stand-ins that answer from memory (nothing is asked of the outside); the chains,
engines, pipelines and traces are the tools' own. For the collector, LangChain is traced by OpenInference's
instrumentation, and the spans are written as the collector's file exporter writes them (OTLP as JSON, ids in
hexadecimal); the collector itself is a program of its own and does not run here.
"""

import base64
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
QUESTION = "How long may I keep an article?"
PASSAGE = "Articles may be returned within 14 days of delivery."
ANSWER = "You may return articles within 30 days of delivery."


def recipes():
    """The first code block under each heading."""
    text = (ROOT / "docs" / "recipes.md").read_text(encoding="utf-8")
    return {
        part.split("\n", 1)[0].strip(): re.search(r"```python\n(.*?)```", part, re.DOTALL).group(1)
        for part in text.split("\n## ")[1:]
        if "```python" in part
    }


def marked(report):
    """What is marked must be the words that differ from the passage."""
    words = [mark["text"] for mark in (report if isinstance(report, dict) else report.to_dict())["marks"]]
    assert words == ["30"], words
    return words


def langchain(code):
    from langchain_classic.chains.combine_documents import create_stuff_documents_chain
    from langchain_classic.chains.retrieval import create_retrieval_chain
    from langchain_core.documents import Document
    from langchain_core.language_models import FakeListChatModel
    from langchain_core.prompts import ChatPromptTemplate
    from langchain_core.retrievers import BaseRetriever

    class Shelf(BaseRetriever):
        def _get_relevant_documents(self, query, *, run_manager):
            return [Document(PASSAGE, metadata={"source": "returns.md"})]

    prompt = ChatPromptTemplate.from_template("{context}\n{input}")
    answering = create_stuff_documents_chain(FakeListChatModel(responses=[ANSWER]), prompt)
    room = {"retrieval_chain": create_retrieval_chain(Shelf(), answering)}
    exec(code, room)
    result = room["chain"].invoke({"input": QUESTION})
    assert result["answer"] == ANSWER
    return marked(result["report"])


def llamaindex(code):
    from llama_index.core import VectorStoreIndex
    from llama_index.core.embeddings import MockEmbedding
    from llama_index.core.llms import CompletionResponse, CustomLLM, LLMMetadata
    from llama_index.core.llms.callbacks import llm_completion_callback
    from llama_index.core.schema import TextNode

    class Says(CustomLLM):
        @property
        def metadata(self):
            return LLMMetadata()

        @llm_completion_callback()
        def complete(self, prompt, formatted=False, **more):
            return CompletionResponse(text=ANSWER)

        @llm_completion_callback()
        def stream_complete(self, prompt, formatted=False, **more):
            yield CompletionResponse(text=ANSWER, delta=ANSWER)

    index = VectorStoreIndex([TextNode(text=PASSAGE)], embed_model=MockEmbedding(8))
    room = {"query_engine": index.as_query_engine(llm=Says()), "question": QUESTION}
    exec(code, room)
    assert room["report"].is_flagged
    return marked(room["report"])


def haystack(code):
    from haystack import Document, Pipeline

    pipeline = Pipeline()
    room = {"pipeline": pipeline}
    exec(code, room)
    out = pipeline.run(
        {"proofreader": {"query": QUESTION, "documents": [Document(content=PASSAGE)], "replies": [ANSWER]}}
    )
    return marked(out["proofreader"]["report"])


def collected(instrumentor, run, code):
    """The answer of a recipe's trace, imported and proofread by the commands of the recipe for the collector."""
    from google.protobuf.json_format import MessageToDict
    from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    kept, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(kept))
    instrumentor.instrument(tracer_provider=provider)
    try:
        run(code)
    finally:
        instrumentor.uninstrument()
    traces = MessageToDict(encode_spans(kept.get_finished_spans()))
    for resource in traces["resourceSpans"]:
        for scope in resource["scopeSpans"]:
            for span in scope["spans"]:
                for name in ("traceId", "spanId", "parentSpanId"):
                    if name in span:
                        span[name] = base64.b64decode(span[name]).hex()
    with tempfile.TemporaryDirectory() as folder:
        spans, answers, reports = (Path(folder) / name for name in ("spans.jsonl", "answers.jsonl", "reports.jsonl"))
        spans.write_text(json.dumps(traces) + "\n", encoding="utf-8")
        proofmark = str(ROOT / ".venv" / "bin" / "proofmark")
        subprocess.run([proofmark, "import", "--format", "openinference", spans, answers], check=True)
        subprocess.run([proofmark, "batch", answers, "--out", reports], check=True)
        (line,) = answers.read_text(encoding="utf-8").splitlines()
        record = json.loads(line)
        assert record["answer"] == ANSWER, record
        assert record["question"] == QUESTION, record
        assert [source["text"] for source in record["sources"]] == [PASSAGE], record
        return marked(json.loads(reports.read_text(encoding="utf-8").splitlines()[0]))


def main():
    from openinference.instrumentation.langchain import LangChainInstrumentor
    from openinference.instrumentation.llama_index import LlamaIndexInstrumentor

    found = recipes()
    assert set(found) == {"LangChain", "LlamaIndex", "Haystack"}, set(found)
    for name, run in (("LangChain", langchain), ("LlamaIndex", llamaindex), ("Haystack", haystack)):
        print(f"recipes: {name}: marked {run(found[name])}")
    for name, run, instrumentor in (
        ("LangChain", langchain, LangChainInstrumentor()),
        ("LlamaIndex", llamaindex, LlamaIndexInstrumentor()),
    ):
        words = collected(instrumentor, run, found[name])
        print(f"recipes: spans of {name}, as the collector writes them: marked {words}")


if __name__ == "__main__":
    sys.exit(main())
