"""What the emulator does otherwise than a local stack needs, each difference in one function.

All of it rests on the source of the version that `launcher.py` pins.
"""

import array
import fcntl
import functools
import gc
import inspect
import os
import subprocess
import termios
import time
import types

from leading_keys import supply_leading_keys

LAMBDA_SLOT_WAIT_SECONDS = 30.0
LAMBDA_SLOT_POLL_SECONDS = 0.01
FIRST_LINE_WAIT_SECONDS = 0.005
LINE_IDLE_SECONDS = 0.002
LOG_DRAIN_CAP_SECONDS = 0.25
KEPT_POLICIES = 1024
# Objects allocated between two collections; the emulator keeps all state as objects, and each full
# collection walks over all of it.
COLLECT_AFTER_OBJECTS = 50_000


def apply_patches(emulator, listener, settings):
    """Apply all of them; call before `emulator.main()`."""
    never_bind_port_443(emulator)
    serve_on(listener)
    start_executions_at_once()
    tell_versions_of_objects()
    shorten_log_wait()
    supply_leading_keys()
    supply_if_none_match()
    keep_parsed_policies()
    collect_garbage_seldom()
    isolate_lambda_environment()
    queue_for_lambda_slots()
    bound_lambda_processes(settings["lambdaProcesses"])


def never_bind_port_443(emulator):
    """With TLS it also takes port 443 where it can, which breaks whatever else is reached there."""
    emulator._port_is_bindable = lambda host, port: False


def serve_on(listener):
    """Serve on the socket that was bound before the start, so that the port cannot be lost."""
    from hypercorn.config import Config

    def create_sockets(self, binds, type_=None):
        del self, type_
        if not binds:
            return []
        listener.setblocking(False)
        listener.set_inheritable(False)
        return [listener]

    Config._create_sockets = create_sockets


def start_executions_at_once():
    """Each execution sleeps 0.15 s before its first state, which would be most of an attempt."""
    from ministack.services import stepfunctions

    rewrite(stepfunctions, "_run_execution", "    time.sleep(0.15)\n", "")


def tell_versions_of_objects():
    """S3 names the version of an object of a versioned bucket in its events; the emulator leaves it out on EventBridge."""
    from ministack.services import s3

    rewrite(
        s3,
        "_fire_s3_event",
        '"sequencer": sequencer or "0"}',
        '"sequencer": sequencer or "0", **({"version-id": version_id} if version_id else {})}',
    )


def supply_if_none_match():
    """`s3:if-none-match`, by which a bucket's policy demands that nothing is written over, is not known there: it would
    count as absent, and each write would be refused.

    S3 takes no other value than `*` for a write; the emulator takes any and heeds only this one, and heeds it for no
    copy. So what would not be heeded does not count.
    https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes-enforce.html
    https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObject.html
    """
    from ministack.core import iam_actions

    read_context = iam_actions._s3_object_context

    def read_with_condition(iam_action, query_params, path, headers):
        context = read_context(iam_action, query_params, path, headers)
        is_heeded = (
            iam_action == "s3:PutObject"
            and headers.get("if-none-match") == "*"
            and "x-amz-copy-source" not in headers
            # A part of a multipart upload cannot carry it.
            and "partNumber" not in query_params
        )
        if is_heeded:
            context["s3:if-none-match"] = "*"
        return context

    iam_actions._s3_object_context = read_with_condition


def keep_parsed_policies():
    """Every call parses every policy of its caller, twice. What a policy says follows from its text alone.

    Kept by the text, so that a changed policy counts from the next call on; who has which policies
    is still looked up for each call.
    """
    from ministack.core import iam_evaluator

    parse = iam_evaluator.parse_policy_document
    parse_text = functools.lru_cache(maxsize=KEPT_POLICIES)(parse)

    def parse_or_recall(doc):
        # A list of its own for each caller, as before; the statements in it are only read.
        return list(parse_text(doc)) if isinstance(doc, str) else parse(doc)

    iam_evaluator.parse_policy_document = parse_or_recall


def collect_garbage_seldom():
    gc.set_threshold(COLLECT_AFTER_OBJECTS, 20, 100)


def rewrite(module, name, old, new):
    """Replace one piece of a function's source; a version in which it does not stand exactly once is refused."""
    source = inspect.getsource(getattr(module, name))
    if source.count(old) != 1:
        raise SystemExit(f"emulator: {name} is not the one that was patched")
    exec(compile(source.replace(old, new), module.__file__, "exec"), module.__dict__)


def shorten_log_wait():
    """A call that writes no log line waits 50 ms for one.

    Node writes to a pipe synchronously, so when the answer has arrived every line is in the pipe
    already: wait until the pipe is empty, and a moment for the thread that reads it.
    """
    from ministack.core.lambda_runtime import Worker

    def unread_bytes(process):
        count = array.array("i", [0])
        try:
            fcntl.ioctl(process.stderr.fileno(), termios.FIONREAD, count)
        except (AttributeError, OSError, ValueError):
            return 0
        return count[0]

    def drain(self):
        lines = []
        start = last_change = time.monotonic()
        while time.monotonic() - start < LOG_DRAIN_CAP_SECONDS:
            if not self._stderr_queue.empty():
                lines.append(self._stderr_queue.get_nowait())
                last_change = time.monotonic()
                continue
            idle_limit = LINE_IDLE_SECONDS if lines else FIRST_LINE_WAIT_SECONDS
            if unread_bytes(self._proc) == 0 and time.monotonic() - last_change >= idle_limit:
                break
            time.sleep(0.001)
        return "\n".join(lines)

    Worker._drain_stderr_bounded = drain


def isolate_lambda_environment():
    """A Lambda gets the whole environment of the emulator; it may have only what AWS gives it."""
    from ministack.core import lambda_runtime

    kept = {"PATH", "HOME", "TMPDIR", "LANG", "TZ", "WINDLASS_INSTANCE"}
    hidden = {name: value for name, value in os.environ.items() if name not in kept}

    def start_process(arguments, **options):
        environment = options.pop("env", None) or {}
        options["env"] = {
            name: value for name, value in environment.items() if hidden.get(name) != value
        }
        return subprocess.Popen(arguments, **options)

    replacement = types.SimpleNamespace(**vars(subprocess))
    replacement.Popen = start_process
    lambda_runtime.subprocess = replacement


def queue_for_lambda_slots():
    """At the concurrency limit the emulator throttles at once and loses asynchronous calls.

    The limit is here for the sake of memory, not to imitate a quota, so a call waits for a slot.
    The wait is bounded: a function that calls another one holds a slot while it waits.
    """
    from ministack.services import lambda_svc

    acquire = lambda_svc._acquire_execution_slot

    def acquire_or_wait(func, config):
        deadline = time.monotonic() + LAMBDA_SLOT_WAIT_SECONDS
        while True:
            slot, limit = acquire(func, config)
            if slot is not None or limit != "account" or time.monotonic() >= deadline:
                return slot, limit
            time.sleep(LAMBDA_SLOT_POLL_SECONDS)

    lambda_svc._acquire_execution_slot = acquire_or_wait


def bound_lambda_processes(limit):
    """Each function keeps a pool of its own, so a burst over many functions piles up processes of
    70 MB: above the limit the longest idle one of any function makes room."""
    from ministack.core import lambda_runtime

    acquire = lambda_runtime.acquire_worker

    def evict_idle_worker():
        with lambda_runtime._lock:
            pools = lambda_runtime._workers
            if sum(len(pool) for pool in pools.values()) <= limit:
                return
            idle = [(w.last_used, key, w) for key, pool in pools.items() for w in pool if not w.in_use]
            if not idle:
                return
            _, key, worker = min(idle, key=lambda entry: entry[0])
            pools[key].remove(worker)
        lambda_runtime.kill_workers([worker])

    def acquire_within_limit(*arguments, **options):
        worker, reason = acquire(*arguments, **options)
        if reason == "spawn":
            evict_idle_worker()
        return worker, reason

    lambda_runtime.acquire_worker = acquire_within_limit
