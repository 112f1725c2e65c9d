"""Reading the bodies of requests: JSON that is said to be JSON, and an object where one is wanted."""

from __future__ import annotations

import json
from typing import Any, cast

from django.http import HttpRequest
from ninja.parser import Parser
from ninja.types import DictStrAny

from proofing.exchange.jsonl import json_problem, json_type
from webapp.intake.problems import Problem

#: Operations that take a list as well as an object, and under which name of an object its elements may stand.
LISTS = {"send_answers": "answers"}


class JsonParser(Parser):
    """Says what is wrong with a body before its fields are looked at."""

    def parse_body(self, request: HttpRequest) -> DictStrAny:
        """The decoded body.

        Raises:
            Problem: 415 for another type than JSON, 400 for what is no JSON, 422 for another kind of JSON value.
        """
        said = request.content_type or ""
        if said != "application/json" and not said.endswith("+json"):
            raise Problem(
                415,
                "content-type",
                f"The body is said to be {said or 'of no type'}; send Content-Type: application/json.",
            )
        try:
            value = json.loads(request.body)
        except RecursionError as error:
            raise Problem(400, "unreadable", "The body is nested too deeply.") from error
        except UnicodeDecodeError as error:
            raise Problem(400, "unreadable", f"The body is not UTF-8 (byte {error.start + 1}).") from error
        except ValueError as error:
            raise Problem(400, "unreadable", f"The body is not valid JSON{json_problem(error)}.") from error
        _check(value, _operation(request))
        return cast(DictStrAny, value)


def _operation(request: HttpRequest) -> str:
    match = request.resolver_match
    return "send_answers" if match is not None and match.url_name == "answers" and request.method == "POST" else ""


def _check(value: Any, operation: str) -> None:
    name = LISTS.get(operation)
    if isinstance(value, dict):
        inner = value.get(name) if name else None
        _check_elements(inner if isinstance(inner, list) else (), f"{name}")
    elif name is not None and isinstance(value, list):
        _check_elements(value, "")
    else:
        wanted = "a JSON object" if name is None else "a JSON object or a list of them"
        raise Problem(422, "invalid", f"The body must be {wanted}, not {json_type(value)}.")


def _check_elements(elements: Any, name: str) -> None:
    errors = [
        {"field": f"{name}[{index}]", "reason": f"must be an object, not {json_type(element)}"}
        for index, element in enumerate(elements)
        if not isinstance(element, dict)
    ]
    if errors:
        raise Problem(422, "invalid", f"{errors[0]['field']} {errors[0]['reason']}.", errors=errors[:20])
