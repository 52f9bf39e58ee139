"""Paths of the emulator's port that only the programs of this stack may call.

They are closed by the secret of the settings file, which never stands in an argument or an
environment variable.
"""

import asyncio
import hmac
import json
from urllib.parse import parse_qs

PREFIX = "/_windlass/"
BODY_LIMIT_BYTES = 1_000_000


class PrivatePaths:
    def __init__(self, control, settings):
        self._control = control
        self._instance_id = settings["instanceId"]
        self._secret = settings["controlSecret"].encode()

    async def _answer(self, path, query, body):
        if path == "identity":
            return 200, {"instanceId": self._instance_id}
        if path == "fargate/tasks":
            await self._control.await_change(int(query.get("after", -1)), float(query.get("wait", 0)))
            return 200, self._control.describe_live_tasks()
        if path == "fargate/report":
            known = await asyncio.to_thread(self._control.record_report, json.loads(body))
            return (200, {}) if known else (404, {"message": "no such task"})
        if path == "fargate/log":
            await asyncio.to_thread(self._control.record_log, json.loads(body))
            return 200, {}
        return 404, {"message": "no such path"}

    def wrap_application(self, application):
        """The same application with the private paths in front of it."""

        async def answer_or_pass_on(scope, receive, send):
            if scope["type"] != "http" or not scope["path"].startswith(PREFIX):
                await application(scope, receive, send)
                return
            headers = dict(scope["headers"])
            if not hmac.compare_digest(headers.get(b"x-windlass-secret", b""), self._secret):
                await send_json(send, 403, {"message": "wrong or missing secret"})
                return
            body = await read_body(receive)
            query = {k: v[0] for k, v in parse_qs(scope["query_string"].decode()).items()}
            status, answer = await self._answer(scope["path"][len(PREFIX) :], query, body)
            await send_json(send, status, answer)

        return answer_or_pass_on


async def read_body(receive):
    body = b""
    while True:
        message = await receive()
        body += message.get("body", b"")
        if len(body) > BODY_LIMIT_BYTES:
            raise ValueError("body: too large")
        if not message.get("more_body"):
            return body


async def send_json(send, status, answer):
    headers = [(b"content-type", b"application/json")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps(answer).encode()})
