"""A stand-in for a language model: an OpenAI-compatible endpoint that needs no key, for the examples and the tests.

It answers questions about a shop's database with the tool that it is given. Without advice it guesses a column, reads the
error and tries again. If its prompt recommends a query, it uses that one.
"""

from __future__ import annotations

import json
import re
import sqlite3
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any


def run_sql(query: str) -> str:
    """Runs a query on the shop's database and returns its rows."""
    with sqlite3.connect(":memory:") as shop:
        shop.executescript("""
            CREATE TABLE customers (id INTEGER, name TEXT);
            CREATE TABLE orders (id INTEGER, customer_id INTEGER, placed_on TEXT);
            INSERT INTO customers VALUES (1, 'Ann'), (2, 'Bob');
            INSERT INTO orders VALUES (1, 1, '2024-02-01'), (2, 1, '2024-03-01'), (3, 2, '2024-04-01'),
                                      (4, 2, '2025-02-01'), (5, 2, '2025-03-01'), (6, 1, '2025-04-01');
        """)
        try:
            return str(shop.execute(query).fetchall())
        except sqlite3.Error as error:
            return f"Error: {error}"


def reply(messages: list[dict[str, Any]], tools: list[dict[str, Any]]) -> dict[str, Any]:
    """What the model says next."""
    texts = [_text(message.get("content")) for message in messages]
    task = next(text for text in texts if "customer" in text and "orders" in text)
    years = re.findall(r"in (20\d\d)\?", task)
    functions = {tool["function"]["name"]: tool["function"] for tool in tools}
    answer_tool = functions.pop("final_answer", None)
    advised = re.search(r"Example: (SELECT .*)", "\n".join(texts))
    if "[(" in texts[-1]:
        answer = "Per customer: " + texts[-1][texts[-1].index("[(") :].strip()
        return _call("final_answer", {"answer": answer}) if answer_tool else {"content": answer}
    if advised:
        query = advised[1].strip()
    elif "no such column" in texts[-1]:
        query = (
            "SELECT c.name, COUNT(*) FROM orders o JOIN customers c ON c.id = o.customer_id "
            f"WHERE o.placed_on LIKE '{years[-1]}%' GROUP BY c.id"
        )
    else:
        query = f"SELECT customer, COUNT(*) FROM orders WHERE placed_on LIKE '{years[-1]}%' GROUP BY customer"
    name, function = next(iter(functions.items()))
    return _call(name, {next(iter(function["parameters"]["properties"])): query})


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "\n".join(str(part.get("text", "")) for part in content)
    return content if isinstance(content, str) else ""


def _call(name: str, arguments: dict[str, str]) -> dict[str, Any]:
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {"content": None, "tool_calls": [{"id": f"call_{abs(hash(str(function)))}", "type": "function", "function": function}]}


class ScriptedModel:
    """`with ScriptedModel() as model:` serves `POST {model.url}/chat/completions`."""

    def __enter__(self) -> ScriptedModel:
        self.requests: list[dict[str, Any]] = []
        model = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                request = json.loads(self.rfile.read(int(self.headers["content-length"])))
                model.requests.append(request)
                message = {"role": "assistant", **reply(request["messages"], request.get("tools") or [])}
                finish = "tool_calls" if message.get("tool_calls") else "stop"
                body = json.dumps({
                    "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": request["model"],
                    "choices": [{"index": 0, "message": message, "finish_reason": finish}],
                    "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
                }).encode()
                self.send_response(200)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"
        Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: Any) -> None:
        self._server.shutdown()
        self._server.server_close()
