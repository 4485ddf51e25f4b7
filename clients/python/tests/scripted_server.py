"""Servers that misbehave, and one that stands between the client and the real one."""

from __future__ import annotations

import http.client
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any, Callable
from urllib.parse import urlsplit

#: status, headers, body
Answer = tuple[int, dict[str, str], bytes]


class ScriptedServer:
    """`with ScriptedServer(answer) as server:`. `answer` gets the path, the headers and the body of each request."""

    def __init__(self, answer: Callable[[str, Any, bytes], Answer]) -> None:
        self._answer = answer
        self.requests: list[tuple[str, dict[str, str], bytes]] = []
        self.ended = Event()

    def __enter__(self) -> ScriptedServer:
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length") or 0))
                headers = {name.lower(): value for name, value in self.headers.items()}
                server.requests.append((self.path, headers, body))
                status, more, content = server._answer(self.path, headers, body)
                try:
                    self.send_response(status)
                    for name, value in {"content-type": "application/json", **more}.items():
                        self.send_header(name, value)
                    self.send_header("content-length", str(len(content)))
                    self.end_headers()
                    self.wfile.write(content)
                except OSError:
                    self.close_connection = True  # The client has gone.

            do_GET = do_POST = handle_any

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._server.block_on_close = False
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: Any) -> None:
        self.ended.set()
        self._server.shutdown()
        self._server.server_close()

    def paths(self) -> list[str]:
        return [path for path, _, _ in self.requests]


def forward(url: str, path: str, headers: dict[str, str], body: bytes) -> Answer:
    """The answer of the real server."""
    address = urlsplit(url)
    connection = http.client.HTTPConnection(address.hostname or "", address.port or 80, timeout=30)
    sent = {name: value for name, value in headers.items() if name not in ("host", "connection")}
    connection.request("POST" if body else "GET", path, body or None, sent)
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    return answer.status, {"content-type": answer.headers.get("content-type", "")}, content
