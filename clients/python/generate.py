"""Writes types.py and operations.py from a server's /openapi.json: `python generate.py http://127.0.0.1:8080`."""

from __future__ import annotations

import json
import keyword
import re
import sys
import textwrap
import urllib.request
from pathlib import Path
from typing import Any

Schema = dict[str, Any]
PACKAGE = Path(__file__).parent / "src" / "whetstone_client"
HEADER = '"""Written by generate.py from /openapi.json. Do not edit."""\n\n# ruff: noqa\nfrom __future__ import annotations\n\n'
SIMPLE = {
    "string": "str",
    "integer": "int",
    "number": "float",
    "boolean": "bool",
    "null": "None",
    "object": "dict[str, Any]",
    "array": "list[Any]",
}
# The server's own limits are shorter; these leave it time to answer.
TIMEOUTS = {
    "deleteByIntent": "70.0",
    "eraseCollection": "70.0",
    "deleteLesson": "70.0",
    "storeKnowledgeBatch": "120.0",
    "getKnowledgeStatus": "self.timeout + (wait or 0)",
}


def snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])([A-Z])|-", lambda m: "_" + (m[1] or ""), name).lower()


def camel(name: str) -> str:
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


class Types:
    """The schemas as TypedDicts, nested objects as TypedDicts of their own."""

    def __init__(self) -> None:
        self.blocks: list[str] = []

    def named(self, name: str, schema: Schema) -> None:
        if "oneOf" in schema:
            options = ", ".join(self.of(option, name) for option in schema["oneOf"])
            self.blocks.append(f"{name} = Union[{options}]")
        else:
            self.typed_dict(name, schema)

    def typed_dict(self, name: str, schema: Schema) -> None:
        required = set(schema.get("required", []))
        fields = {
            field: (self.of(kind, name + camel(field)), kind.get("description"))
            for field, kind in schema["properties"].items()
        }
        doc = _comment(schema.get("description"), "    ", '"""')
        if any(keyword.iskeyword(field) for field in fields):
            entries = "".join(f'        "{field}": {kind},\n' for field, (kind, _) in fields.items())
            self.blocks.append(f'{name} = TypedDict(\n    "{name}",\n    {{\n{entries}    }},\n)')
            return
        parts = {True: "", False: ""}
        for field, (kind, description) in fields.items():
            parts[field in required] += _comment(description, "    ", "#") + f"    {field}: {kind}\n"
        if parts[True] and parts[False]:
            self.blocks.append(f"class _{name}Required(TypedDict):\n{parts[True]}".rstrip())
            self.blocks.append(f"class {name}(_{name}Required, total=False):\n{doc}{parts[False]}".rstrip())
        else:
            total = "" if parts[True] else ", total=False"
            body = doc + (parts[True] or parts[False] or "    pass\n")
            self.blocks.append(f"class {name}(TypedDict{total}):\n{body}".rstrip())

    def of(self, schema: Schema, name: str) -> str:
        if "$ref" in schema:
            return str(schema["$ref"]).rsplit("/", 1)[1]
        if "const" in schema:
            return f"Literal[{_quoted(schema['const'])}]"
        if "enum" in schema:
            values = [value for value in schema["enum"] if value is not None]
            null = " | None" if None in schema["enum"] else ""
            return f"Literal[{', '.join(map(_quoted, values))}]{null}"
        if "anyOf" in schema:
            return " | ".join(dict.fromkeys(self.of(option, name) for option in schema["anyOf"]))
        kinds = schema.get("type", [])
        kinds = kinds if isinstance(kinds, list) else [kinds]
        return " | ".join(self.kind(kind, schema, name) for kind in kinds) or "Any"

    def kind(self, kind: str, schema: Schema, name: str) -> str:
        if kind == "array" and schema.get("items"):
            return f"list[{self.of(schema['items'], name[:-1] if name.endswith('s') else name)}]"
        if kind == "object" and "properties" in schema:
            self.typed_dict(name, schema)
            return name
        if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
            return f"dict[str, {self.of(schema['additionalProperties'], name)}]"
        return SIMPLE[kind]


def _quoted(value: object) -> str:
    return json.dumps(value) if isinstance(value, str) else repr(value)


def _comment(text: str | None, indent: str, mark: str) -> str:
    if not text:
        return ""
    text = " ".join(text.split())
    if mark == "#":
        return "".join(f"{indent}# {line}\n" for line in textwrap.wrap(text, 110))
    return textwrap.fill(f'{mark}{text}{mark}', 116, initial_indent=indent, subsequent_indent=indent) + "\n\n"


def types_module(document: Schema) -> str:
    types = Types()
    for name, schema in document["components"]["schemas"].items():
        types.named(name, schema)
    imports = "from typing import Any, Literal, TypedDict, Union\n"
    return HEADER + imports + "\n\n" + "\n\n\n".join(types.blocks) + "\n"


class Operation:
    """A method: what is required is positional, everything else has a name. Absent and None are not sent."""

    def __init__(self, document: Schema, method: str, path: str, operation: Schema) -> None:
        self.method, self.path = method.upper(), path
        self.id: str = operation["operationId"]
        self.summary: str = operation["summary"]
        schemas: Schema = document["components"]["schemas"]
        self.answer = next(
            answer["content"]["application/json"]["schema"]["$ref"].rsplit("/", 1)[1]
            for status, answer in operation["responses"].items()
            if status.startswith("2")
        )
        self.positional: list[str] = []
        self.named: list[str] = []
        self.query: dict[str, str] = {}
        self.body: dict[str, str] = {}
        self.body_text: str | None = None
        self.changes: str | None = None
        self.idempotent = False
        parameters = operation.get("parameters", [])
        # Erasing a whole collection never falls back on the client's own.
        self.explicit = any(parameter["name"] == "confirm" for parameter in parameters)
        for parameter in parameters:
            name, where = parameter["name"], parameter["in"]
            if where == "header":
                self.idempotent = True
            else:
                said = self.argument(name, parameter["schema"], bool(parameter.get("required")))
                if where == "query":
                    self.query[name] = said
        self.read_body(operation.get("requestBody"), schemas)
        if self.idempotent:
            self.named.append("idempotency_key: str | None = None")
        self.named.append("timeout: float | None = None")

    def read_body(self, request: Schema | None, schemas: Schema) -> None:
        if request is None:
            return
        if "application/json" not in request["content"]:
            self.positional.append("uploads: Iterable[types.AgentKnowledgeUpload]")
            self.body_text = "uploads"
            return
        name = request["content"]["application/json"]["schema"]["$ref"].rsplit("/", 1)[1]
        schema = schemas[name]
        if not schema.get("required"):
            self.changes = name
            return
        for field, kind in schema["properties"].items():
            self.body[field] = self.argument(field, kind, field in schema["required"], body=True)

    def argument(self, name: str, schema: Schema, required: bool, body: bool = False) -> str:
        """Adds the argument; returns the expression that is sent."""
        if name == "tenant_id" and not self.explicit:
            self.named.append("tenant: str | None = None")
            return "self.tenant if tenant is None else tenant"
        kind = re.sub(r"\b([A-Z]\w+)\b", _qualified, Types().of(schema, "Any"))
        if name == "turns":
            kind = "Iterable[types.AgentTurn]"
        if required:
            self.positional.append(f"{name}: {kind}")
            return "list(turns)" if name == "turns" else name
        kind = kind if kind.endswith("| None") else f"{kind} | None"
        self.named.append(f"{name}: {kind} = None")
        if name == "agent_type" and body and self.id in ("enhanceTask", "storeKnowledge"):
            return "self.agent_type if agent_type is None else agent_type"
        return name

    def render(self, asynchronous: bool) -> str:
        change = [f"**change: Unpack[types.{self.changes}]"] if self.changes else []
        arguments = ["self", *self.positional, "*", *self.named, *change]
        head = "async def" if asynchronous else "def"
        path = re.sub(r"\{(\w+)\}", r"{quote(\1, safe='')}", self.path)
        sends = [f'"{self.method}"', f'f"{path}"' if "{" in path else f'"{path}"']
        if self.query:
            sends.append("query={" + ", ".join(f'"{name}": {said}' for name, said in self.query.items()) + "}")
        if self.body:
            sends.append("body=given({" + ", ".join(f'"{name}": {said}' for name, said in self.body.items()) + "})")
        if self.body_text:
            sends.append("lines=uploads")
        if self.changes:
            sends.append("body=dict(change)")
        if self.idempotent:
            sends.append("idempotency_key=idempotency_key")
        own = TIMEOUTS.get(self.id)
        sends.append(f"timeout={own} if timeout is None else timeout" if own else "timeout=timeout")
        listed = "".join(f"        {argument},\n" for argument in arguments)
        told = "".join(f"            {sent},\n" for sent in sends)
        call = "await self._call" if asynchronous else "self._call"
        return (
            f"    {head} {snake(self.id)}(\n{listed}    ) -> types.{self.answer}:\n"
            f'        """{self.summary}."""\n'
            f"        answer: types.{self.answer} = {call}(\n{told}        )\n        return answer\n"
        )


def _qualified(match: re.Match[str]) -> str:
    name = match[1]
    return name if name in ("Any", "Literal", "None") else f"types.{name}"


def operations_module(document: Schema) -> str:
    operations = [
        Operation(document, method, path, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]
    imports = (
        "from typing import TYPE_CHECKING, Any, Iterable, Literal, Mapping\nfrom urllib.parse import quote\n\n"
        "from . import types\nfrom .transport import given\n\n"
        "if TYPE_CHECKING:\n    from typing_extensions import Unpack\n\n\n"
    )
    classes = []
    for name, asynchronous in (("Operations", False), ("AsyncOperations", True)):
        prefix = "async def" if asynchronous else "def"
        classes.append(
            f"class {name}:\n"
            '    """One method for each operation of the REST interface. Each sends once and raises a `WhetstoneError`."""\n\n'
            "    tenant: str\n    agent_type: str | None\n    timeout: float\n\n"
            f"    {prefix} _call(\n        self,\n        method: str,\n        path: str,\n        *,\n"
            "        query: Mapping[str, object] | None = None,\n        body: Mapping[str, object] | None = None,\n"
            "        lines: Iterable[Mapping[str, object]] | None = None,\n"
            "        idempotency_key: str | None = None,\n        timeout: float | None = None,\n    ) -> Any:\n"
            "        raise NotImplementedError\n\n"
            + "\n".join(operation.render(asynchronous) for operation in operations)
        )
    return HEADER + imports + "\n\n".join(classes)


def without_traces(document: Schema) -> Schema:
    """Emitters send traces; nobody calls that operation."""
    del document["paths"]["/v1/traces"]
    for name in ("ExportTraceServiceRequest", "ExportTraceServiceResponse"):
        del document["components"]["schemas"][name]
    return document


def modules(document: Schema) -> dict[str, str]:
    return {"types.py": types_module(document), "operations.py": operations_module(document)}


if __name__ == "__main__":
    with urllib.request.urlopen(f"{sys.argv[1]}/openapi.json") as answer:
        for file, text in modules(without_traces(json.load(answer))).items():
            (PACKAGE / file).write_text(text, encoding="utf-8")
