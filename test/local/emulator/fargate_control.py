"""The half of Fargate that the emulator lacks: it keeps task records, but nothing runs them.

The local Fargate process reads which tasks to run or stop, and reports what became of them, at the
paths of `private_paths.py`.
"""

import asyncio
import json
import threading

from client_tokens import ClientTokens
from ministack.core.concurrency import resource_lock
from ministack.core.responses import error_response_json, json_response, request_scope
from ministack.services import ecs, eventbridge

WAIT_LIMIT_SECONDS = 20.0


def read_scope(task):
    """Account and region, which the emulator's stores are keyed by."""
    _arn, _aws, _ecs, region, account_id, _task = task["taskArn"].split(":", 5)
    return account_id, region


def find_task(task_arn):
    """Across all accounts and regions, as these paths have no caller's scope."""
    return next((t for _, t in ecs._tasks.all_items() if t["taskArn"] == task_arn), None)


class FargateControl:
    def __init__(self):
        self._change_number = 0
        self._changed = set()
        self._lock = threading.Lock()
        self._client_tokens = ClientTokens(ecs._run_task)

    def replace_task_functions(self):
        """Each entry says what the emulator does instead.

        - It starts containers by Docker where it can: never here; a new task is handed over.
        - RunTask ignores `clientToken`: see `client_tokens.py`.
        - StopTask reports STOPPED, exit code 0, while the processes still run.
        """
        ecs._get_docker = lambda: self
        ecs._run_task_worker = self._accept_task
        ecs._run_task = ecs._ACTION_MAP["RunTask"] = self._client_tokens.run_once
        ecs._stop_task = ecs._ACTION_MAP["StopTask"] = self._begin_stop

    def _accept_task(self, task, definition, _overrides, _docker, account_id, region):
        task["_definition"] = definition
        with request_scope(account_id, region):
            self._publish(task)
            if ecs._mark_task_pending(task["taskArn"], task):
                self._publish(task)
        self._note_change()

    def _begin_stop(self, data):
        cluster = ecs._resolve_cluster_name(data.get("cluster", "default"))
        if cluster is None:
            return error_response_json("ClusterNotFoundException", "Cluster not found.", 400)
        task = ecs._resolve_task(data.get("task", ""), cluster)
        if not task:
            return error_response_json(
                "InvalidParameterException", "The referenced task was not found.", 400
            )
        reason = data.get("reason") or "Task stopped by user"
        self._mark_stopping(task, reason, "UserInitiated")
        return json_response({"task": ecs._sanitize(task)})

    def _mark_stopping(self, task, reason, stop_code):
        """The first reason stays, as on ECS."""
        with resource_lock("ecs-task", task["taskArn"]):
            if not ecs._task_is_active(task["taskArn"], task):
                return
            ecs._bump_task_version(task)
            task["desiredStatus"] = "STOPPED"
            task["lastStatus"] = "STOPPING"
            task["stoppingAt"] = ecs._iso()
            task["stoppedReason"] = reason
            task["stopCode"] = stop_code
        self._publish(task)
        self._note_change()

    def _mark_stopped(self, task):
        with resource_lock("ecs-task", task["taskArn"]):
            if task["lastStatus"] == "STOPPED":
                return
            ecs._bump_task_version(task)
            task["lastStatus"] = "STOPPED"
            task["executionStoppedAt"] = task["stoppedAt"] = ecs._iso()
            for container in task["containers"]:
                container["lastStatus"] = "STOPPED"
        ecs._recount_cluster(ecs._cluster_name_from_arn(task["clusterArn"]))
        self._publish(task)

    def record_report(self, report):
        """What the local Fargate process says of a task: RUNNING, STOPPING or STOPPED."""
        task = find_task(report["taskArn"])
        if task is None:
            return False
        with request_scope(*read_scope(task)):
            with resource_lock("ecs-task", task["taskArn"]):
                self._record_containers(task, report.get("containers", []))
            if report["lastStatus"] == "RUNNING":
                if ecs._mark_task_running(task["taskArn"], task):
                    self._publish(task)
                return True
            self._mark_stopping(task, report["stoppedReason"], report["stopCode"])
            if report["lastStatus"] == "STOPPED":
                self._mark_stopped(task)
        self._note_change()
        return True

    @staticmethod
    def _record_containers(task, reported):
        by_name = {container["name"]: container for container in task["containers"]}
        for entry in reported:
            container = by_name[entry["name"]]
            container["lastStatus"] = entry["lastStatus"]
            for field in ("exitCode", "reason", "imageDigest"):
                if entry.get(field) is not None:
                    container[field] = entry[field]

    @staticmethod
    def record_log(log):
        """Lines go to the group and stream of the container's awslogs configuration, if it has one."""
        task = find_task(log["taskArn"])
        definitions = task["_definition"]["containerDefinitions"] if task else []
        definition = next((d for d in definitions if d["name"] == log["container"]), {})
        with request_scope(*read_scope(log)):
            config = ecs._awslogs_config(definition, log["taskArn"].split("/")[-1], "container")
            if config and ecs._ensure_awslogs_stream(config):
                for line in log["lines"]:
                    ecs._emit_awslogs_event(config, line)

    @staticmethod
    def _publish(task):
        """https://docs.aws.amazon.com/AmazonECS/latest/developerguide/ecs_task_events.html"""
        detail = ecs._sanitize(task)
        detail.pop("tags", None)
        detail["updatedAt"] = ecs._iso()
        entry = {
            "Source": "aws.ecs",
            "DetailType": "ECS Task State Change",
            "Detail": json.dumps(detail),
            "Resources": [task["taskArn"]],
        }
        with request_scope(*read_scope(task)):
            eventbridge._put_events({"Entries": [entry]}, allow_aws_source=True)

    def describe_live_tasks(self):
        """Every task that is not STOPPED, and the number of the change that this answer contains."""
        with self._lock:
            number = self._change_number
        live = []
        for _, task in ecs._tasks.all_items():
            if "_definition" not in task or task["lastStatus"] == "STOPPED":
                continue
            fields = ("taskArn", "desiredStatus", "lastStatus", "stoppedReason", "stopCode")
            description = {field: task.get(field) for field in fields}
            description["overrides"] = task.get("overrides") or {}
            description["containerDefinitions"] = task["_definition"]["containerDefinitions"]
            live.append(description)
        return {"change": number, "tasks": live}

    def _note_change(self):
        with self._lock:
            self._change_number += 1
            waiting, self._changed = self._changed, set()
        for loop, event in waiting:
            loop.call_soon_threadsafe(event.set)

    async def await_change(self, after, seconds):
        event = asyncio.Event()
        with self._lock:
            if self._change_number != after:
                return
            self._changed.add((asyncio.get_running_loop(), event))
        try:
            await asyncio.wait_for(event.wait(), min(seconds, WAIT_LIMIT_SECONDS))
        except TimeoutError:
            pass
