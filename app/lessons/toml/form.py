"""Checks the data of a TOML file against the JSON schema of its type. Says for each fault where it is and what was expected.

msgspec, which converts the data afterwards, would stop at the first fault and not say on which line it is.
"""

import functools
import re
from collections.abc import Iterator, Mapping
from math import inf, isfinite
from typing import Any

import msgspec

from app.lessons.toml.problem import suggest
from app.lessons.toml.toml import KeyPath

Schema = Mapping[str, Any]
TYPE_NAMES = {bool: "a boolean", int: "a whole number", float: "a number", str: "text", list: "a list", dict: "a table"}
Fault = tuple[KeyPath, str]  # what is wrong with the value at a path; if a key is missing, the path ends with that key


@functools.cache
def schema_of(form: Any) -> dict[str, Any]:
    """Return the JSON schema of a type. It allows no null, because TOML has none: an optional key may only be left out."""
    schema: dict[str, Any] = _without_nulls(msgspec.json.schema(form))
    return schema


def find_faults(data: Any, schema: Schema, path: KeyPath = ()) -> Iterator[Fault]:
    """Yield the faults of `data`, the value at `path` of its file. `schema` comes from `schema_of`."""
    return _Checker(schema).check(data, schema, path)


def describe_fault(expected: str, value: Any, path: KeyPath) -> str:
    """Return the words for the fault that the key at `path` has `value` and not what was `expected`."""
    got = f'"{value}"' if isinstance(value, str) else str(value).lower() if isinstance(value, bool | int | float) else None
    return f"{_key(path)}: expected {expected}, got {got or TYPE_NAMES.get(type(value), 'a date or time')}"


def one_of(names: Any) -> str:
    return "one of " + ", ".join(f'"{name}"' for name in names)


def _without_nulls(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_without_nulls(one) for one in schema if one != {"type": "null"}]
    if not isinstance(schema, dict):
        return schema
    plain = {key: _without_nulls(value) for key, value in schema.items() if key != "default"}
    if len(plain.get("anyOf", ())) == 1:
        [only] = plain.pop("anyOf")
        plain |= only
    return plain


class _Checker:
    """Checks data against the parts of one schema. Parts may refer to definitions of this schema."""

    def __init__(self, schema: Schema) -> None:
        self._definitions = {f"#/$defs/{name}": part for name, part in schema.get("$defs", {}).items()}

    def check(self, data: Any, schema: Schema, path: KeyPath) -> Iterator[Fault]:
        schema = self._resolve(schema)
        if isinstance(data, dict) and "discriminator" in schema:
            yield from self._check_variant(data, schema["discriminator"], path)
        elif isinstance(data, dict) and schema.get("type") == "object":
            yield from self._check_table(data, schema, path)
        elif isinstance(data, list) and schema.get("type") == "array":
            yield from self._check_list(data, schema, path)
        elif not _fits(data, schema):
            known = schema.get("enum", ()) if "expected" in schema and isinstance(data, str) else ()
            yield path, describe_fault(self._expected(schema, path), data, path) + (suggest(data, known) if known else "")

    def _check_variant(self, data: dict[str, Any], discriminator: Mapping[str, Any], path: KeyPath) -> Iterator[Fault]:
        """Check a table in which the value of one key decides which other keys it may have."""
        key, variants = discriminator["propertyName"], discriminator["mapping"]
        value = data.get(key)
        if isinstance(value, str) and value in variants:
            yield from self.check(data, {"$ref": variants[value]}, path)
        elif key in data:
            yield (*path, key), describe_fault(one_of(variants), value, (*path, key))
        else:
            yield (*path, key), f'expected the key "{key}", {one_of(variants)}'

    def _check_table(self, data: dict[str, Any], schema: Schema, path: KeyPath) -> Iterator[Fault]:
        known = schema.get("properties", {})
        for key in schema.get("required", ()):
            if key not in data:
                yield (*path, key), f'expected the key "{key}", {self._expected(known[key], (*path, key))}'
        others = schema.get("additionalProperties")
        for key, value in data.items():
            if key in known or others:
                yield from self.check(value, known.get(key, others), (*path, key))
            else:
                yield (*path, key), f'unknown key "{key}"{suggest(key, known)}'

    def _check_list(self, data: list[Any], schema: Schema, path: KeyPath) -> Iterator[Fault]:
        if not schema.get("minItems", 0) <= len(data) <= schema.get("maxItems", inf):
            yield path, f"{_key(path)}: expected {self._expected(schema, path)}, got {len(data)}"
        for index, item in enumerate(data):
            if schema.get("uniqueItems") and item in data[:index]:
                yield (*path, index), f'"{item}" is listed twice'
            yield from self.check(item, schema["items"], (*path, index))

    def _resolve(self, schema: Schema) -> Schema:
        return self._definitions[schema["$ref"]] if "$ref" in schema else schema

    def _expected(self, schema: Schema, path: KeyPath) -> str:
        """Return the words for what was expected at `path`, for a complaint."""
        schema, key, owner = self._resolve(schema), _key(path), _key(path[:-1])
        least, most = schema.get("minimum"), schema.get("maximum")
        match schema:
            case {"expected": expected}:
                return str(expected).replace("{table}", owner)
            case {"enum": names}:
                return one_of(names)
            case {"type": "boolean"}:
                return "true or false"
            case {"type": "integer"}:
                return f"a whole number from {least} to {most}" if most is not None else f"a whole number, {least} or more"
            case {"type": "number"}:
                over = f" over {schema['exclusiveMinimum']:g} and up to {most:g}" if "exclusiveMinimum" in schema else ""
                return f"a number{over}" if least is None else f"a number, {least:g} or more"
            case {"type": "array"}:
                return f"tables, [[{key}]]" if "$ref" in schema["items"] or "discriminator" in schema["items"] else "a list of texts"
            case {"properties": {"en": {"type": "array"}}}:
                return f"a list of texts per language, {key}.en = […]"
            case {"properties": {"en": _}}:
                return f"one {key} per language, {key}.en = …"
            case {"type": "object"}:
                return f"the table [{owner}.{key}]" if owner else f"the table [{key}]"
        return "text"


def _fits(value: Any, schema: Schema) -> bool:
    """Return whether the schema allows `value`, which is not a list or table of the schema. Lists and tables are never allowed here."""
    match schema.get("type"):
        case "boolean":
            return isinstance(value, bool)
        case "integer" | "number" as kind:
            known = type(value) is int or (kind == "number" and type(value) is float and isfinite(value))
            over = schema.get("exclusiveMinimum", -inf)
            return known and over < value and schema.get("minimum", -inf) <= value <= schema.get("maximum", inf)
        case "object" | "array":
            return False
    if not isinstance(value, str) or value not in schema.get("enum", [value]):
        return False
    is_blank = "minLength" in schema and not value.strip()
    return not is_blank and len(value) <= schema.get("maxLength", inf) and bool(re.fullmatch(schema.get("pattern", ".*"), value, re.DOTALL))


def _key(path: KeyPath) -> str:
    """Return the last key in `path`, without the index of an element."""
    return next((step for step in reversed(path) if isinstance(step, str)), "")
