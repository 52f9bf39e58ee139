"""RunTask's `clientToken`, which the emulator ignores: the same token gave two tasks.

https://docs.aws.amazon.com/AmazonECS/latest/developerguide/ECS_Idempotency.html
"""

import json
import threading

from ministack.core.responses import error_response_json, get_account_id, get_region, json_response
from ministack.services import ecs

CLIENT_TOKEN_LIMIT_CHARACTERS = 64


class ClientTokens:
    def __init__(self, run_task):
        self._run_task = run_task
        self._tokens = {}
        self._token_lock = threading.Lock()

    def run_once(self, data):
        """RunTask, whose answer for a known token is the task as it is now."""
        token = data.get("clientToken")
        if token is None:
            return self._run_task(data)
        if not isinstance(token, str) or not 1 <= len(token) <= CLIENT_TOKEN_LIMIT_CHARACTERS:
            return error_response_json(
                "InvalidParameterException", "clientToken must have 1 to 64 characters.", 400
            )
        key = (get_account_id(), get_region(), token)
        parameters = json.dumps(
            {name: value for name, value in data.items() if name != "clientToken"}, sort_keys=True
        )
        with self._token_lock:
            known = self._tokens.get(key)
            if known is None:
                return self._run_first(key, parameters, data)
        first_parameters, arns = known
        if first_parameters != parameters:
            return error_response_json(
                "ConflictException",
                "The clientToken was used before with other parameters.",
                400,
                {"resourceIds": arns},
            )
        tasks = [ecs._sanitize(ecs._tasks[arn]) for arn in arns]
        return json_response({"tasks": tasks, "failures": []})

    def _run_first(self, key, parameters, data):
        response = self._run_task(data)
        status, _headers, body = response
        if status == 200:
            arns = [task["taskArn"] for task in json.loads(body)["tasks"]]
            self._tokens[key] = (parameters, arns)
        return response
