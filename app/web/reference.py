"""The API's description as its page shows it: operations and schemas, with types in plain words and links between them."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from app.web.openapi import SCHEMAS

Json = dict[str, Any]


@dataclass(frozen=True)
class Part:
    """A piece of a type: words, or with `link` the name of a schema."""

    text: str
    link: bool = False


Type = tuple[Part, ...]


@dataclass(frozen=True, kw_only=True)
class Field:
    """A field of a schema or a parameter; `default` is JSON, or None when there is none."""

    name: str
    type: Type
    required: bool
    default: str | None = None
    description: str = ""


@dataclass(frozen=True, kw_only=True)
class Answer:
    """One answer to an operation: its body's type for each content type."""

    status: str
    description: str
    forms: tuple[tuple[str, Type], ...]


@dataclass(frozen=True, kw_only=True)
class Operation:
    method: str
    path: str
    summary: str
    description: str
    body: Type | None
    parameters: tuple[Field, ...]
    answers: tuple[Answer, ...]


@dataclass(frozen=True, kw_only=True)
class Schema:
    """A named type with fields, or with none the `type` it stands for."""

    name: str
    description: str
    fields: tuple[Field, ...]
    type: Type


def list_operations(document: Json) -> tuple[Operation, ...]:
    return tuple(view_operation(method, path, about) for path, methods in document["paths"].items() for method, about in methods.items())


def list_schemas(document: Json) -> tuple[Schema, ...]:
    schemas = document["components"]["schemas"]
    return tuple(view_schema(name, schemas[name]) for name in sorted(schemas))


def view_operation(method: str, path: str, about: Json) -> Operation:
    body = about.get("requestBody", {}).get("content", {}).get("application/json")
    return Operation(
        method=method.upper(),
        path=path,
        summary=about["summary"],
        description=about.get("description", ""),
        body=describe_type(body["schema"]) if body else None,
        parameters=tuple(view_parameter(parameter) for parameter in about.get("parameters", ())),
        answers=tuple(view_answer(status, answer) for status, answer in about["responses"].items()),
    )


def view_parameter(parameter: Json) -> Field:
    return Field(
        name=parameter["name"],
        type=describe_type(parameter["schema"]),
        required=parameter.get("required", False),
        description=parameter.get("description", ""),
    )


def view_answer(status: str, answer: Json) -> Answer:
    forms = tuple((form, describe_type(about["schema"])) for form, about in answer.get("content", {}).items())
    return Answer(status=status, description=answer["description"], forms=forms)


def view_schema(name: str, schema: Json) -> Schema:
    required = schema.get("required", ())
    fields = tuple(
        Field(
            name=field,
            type=describe_type(about),
            required=field in required,
            default=json.dumps(about["default"]) if "default" in about else None,
        )
        for field, about in schema.get("properties", {}).items()
    )
    return Schema(name=name, description=schema.get("description", ""), fields=fields, type=() if fields else describe_type(schema))


def describe_type(schema: Json) -> Type:
    """A type in words: "list of `GraphNode`", "integer ≥ 0 or null"."""
    return tuple(describe(schema))


def describe(schema: Json) -> Iterator[Part]:
    if "$ref" in schema:
        yield Part(schema["$ref"].removeprefix(SCHEMAS), link=True)
    elif "anyOf" in schema:
        yield from join(schema["anyOf"], " or ")
    elif "enum" in schema:
        yield Part(" or ".join(json.dumps(value) for value in schema["enum"]))
    elif "const" in schema:
        yield Part(json.dumps(schema["const"]))
    elif schema.get("type") == "array":
        yield from describe_array(schema)
    elif isinstance(schema.get("additionalProperties"), dict) and schema["additionalProperties"]:
        yield Part("object of ")
        yield from describe(schema["additionalProperties"])
    else:
        yield Part(f"{schema.get('type', 'anything')}{describe_bounds(schema)}")


def describe_array(schema: Json) -> Iterator[Part]:
    if "prefixItems" in schema:
        yield Part("[")
        yield from join(schema["prefixItems"], ", ")
        yield Part("]")
        return
    yield Part(f"list{describe_bounds(schema)}")
    if isinstance(schema.get("items"), dict) and schema["items"]:
        yield Part(" of ")
        yield from describe(schema["items"])


def join(schemas: list[Json], between: str) -> Iterator[Part]:
    for number, schema in enumerate(schemas):
        if number:
            yield Part(between)
        yield from describe(schema)


def describe_bounds(schema: Json) -> str:
    bounds = {
        "minimum": " ≥ {}",
        "exclusiveMinimum": " > {}",
        "maximum": " ≤ {}",
        "maxLength": ", at most {} characters",
        "maxItems": ", at most {}",
    }
    return "".join(words.format(schema[name]) for name, words in bounds.items() if name in schema)
