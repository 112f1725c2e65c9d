"""The HTTP API: one object that knows its operations, and one shape for everything that goes wrong."""

from __future__ import annotations

import json
import logging
from typing import Any

from django.core.exceptions import RequestDataTooBig, SuspiciousOperation
from django.http import Http404, HttpRequest, HttpResponse
from django.http.multipartparser import MultiPartParserError
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError

from proofing import __version__
from proofing.exchange.jsonl import LineFault
from webapp.intake import api_answers, api_documents, api_files, api_review, api_webhooks
from webapp.intake.bodies import JsonParser
from webapp.intake.problems import Problem
from webapp.records.services import Conflict

logger = logging.getLogger(__name__)


class ProofmarkAPI(NinjaAPI):
    """Describes problems with the content type they are sent with."""

    def get_openapi_schema(self, **options: Any) -> Any:
        schema = super().get_openapi_schema(**options)
        for operations in schema["paths"].values():
            for operation in operations.values():
                for response in operation["responses"].values():
                    content = response.get("content", {})
                    if PROBLEM in str(content.get("application/json", "")):
                        content["application/problem+json"] = content.pop("application/json")
        return schema


#: The schema of errors by its place in the description.
PROBLEM = "#/components/schemas/ProblemOut"

api = ProofmarkAPI(
    title="Proofmark",
    version="1",
    description="Proofreads answers of RAG systems against their sources. Offsets count Unicode code points. "
    "Errors are problem details (RFC 9457). Repeat a POST safely by sending an Idempotency-Key.",
    docs_url=None,
    parser=JsonParser(),
    urls_namespace="api",
    openapi_extra={"info": {"x-engine-version": __version__}},
)
api.add_router("", api_answers.router, tags=["answers"])
api.add_router("", api_review.router, tags=["review"])
api.add_router("", api_files.router, tags=["files"])
api.add_router("", api_documents.router, tags=["documents"])
api.add_router("", api_webhooks.router, tags=["webhooks"])


def openapi_text() -> str:
    """The API's description as it is committed: stable key order, without the engine's version."""
    schema = json.loads(json.dumps(api.get_openapi_schema(path_prefix="/api/v1/"), default=str))
    schema["info"].pop("x-engine-version", None)
    return json.dumps(schema, indent=2, ensure_ascii=False, sort_keys=True) + "\n"


@api.exception_handler(Problem)
def _problem(request: HttpRequest, error: Problem) -> HttpResponse:
    return error.response()


@api.exception_handler(LineFault)
def _line_fault(request: HttpRequest, error: LineFault) -> HttpResponse:
    return unusable(error).response()


def unusable(error: LineFault) -> Problem:
    """An answer that cannot be used, as a problem with the field at fault."""
    return api_answers.unusable(error)


@api.exception_handler(Conflict)
def _conflict(request: HttpRequest, error: Conflict) -> HttpResponse:
    return Problem(409, "conflict", f"{error}.", answer=str(error.answer.pk)).response()


@api.exception_handler(ValidationError)
def _invalid(request: HttpRequest, error: ValidationError) -> HttpResponse:
    errors = [{"field": _field(fault), "reason": str(fault.get("msg", "not usable"))} for fault in error.errors]
    return Problem(422, "invalid", "The request cannot be used as it is.", errors=errors).response()


def _field(fault: dict[str, Any]) -> str:
    """Where a fault is, in the caller's terms: without where in the request we looked for it."""
    parts = [str(part) for part in fault.get("loc", ())]
    return ".".join(parts[2:] if parts[:1] == ["body"] and len(parts) > 2 else parts[1:])


@api.exception_handler(HttpError)
def _http_error(request: HttpRequest, error: HttpError) -> HttpResponse:
    if isinstance(error.__cause__, Problem):  # said while the body was read
        return error.__cause__.response()
    return Problem(error.status_code, "unreadable", str(error)).response()


@api.exception_handler(Http404)
def _not_found(request: HttpRequest, error: Http404) -> HttpResponse:
    return Problem(404, "not-found", "There is no such thing in this token's project.").response()


@api.exception_handler(MultiPartParserError)
@api.exception_handler(SuspiciousOperation)
def _unreadable_form(request: HttpRequest, error: Exception) -> HttpResponse:
    """A form that is no form, or one with more fields or files than anybody sends."""
    said = "The form cannot be read: send multipart/form-data with a boundary, one file and few fields."
    return Problem(400, "unreadable", said).response()


@api.exception_handler(RequestDataTooBig)
def _too_big(request: HttpRequest, error: RequestDataTooBig) -> HttpResponse:
    return Problem(413, "too-large", "The request is too large; send fewer answers, or upload a file.").response()


@api.exception_handler(Exception)
def _unexpected(request: HttpRequest, error: Exception) -> HttpResponse:
    logger.exception("%s %s failed", request.method, request.path)
    return Problem(500, "unexpected", "Something went wrong here; nothing was stored by this request.").response()
