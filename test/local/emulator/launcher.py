"""Starts the pinned emulator for one local stack.

Usage: launcher.py SETTINGS_FILE

The settings file (JSON, mode 0600) holds everything this process is told, so that nothing secret
stands in an argument or an environment variable. See `emulator-settings.ts` for its fields.
The emulator keeps its state in memory only: what ends with this process is gone.
"""

import asyncio
import os
import shutil
import signal
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "python"))

from launching import announce, bind_listener, check_version, end_with_owner, read_settings

EMULATOR_VERSION = "1.5.33"


def replace_environment(settings, port):
    """Nothing of the caller's shell may reach the emulator or a Lambda, above all no AWS variable."""
    os.environ.clear()
    os.environ.update(
        {
            "PATH": f"{settings['nodeFolder']}:/usr/local/bin:/usr/bin:/bin",
            "HOME": settings["temporaryFolder"],
            "TMPDIR": settings["temporaryFolder"],
            "LANG": "C.UTF-8",
            "TZ": "UTC",
            "WINDLASS_INSTANCE": settings["instanceId"],
            "GATEWAY_PORT": str(port),
            "BIND_HOST": "127.0.0.1",
            "AUTH": "true",
            "USE_SSL": "1",
            "MINISTACK_SSL_CERT": settings["certificate"],
            "MINISTACK_SSL_KEY": settings["certificateKey"],
            "MINISTACK_REGION": settings["region"],
            "MINISTACK_ACCOUNT_ID": settings["accountId"],
            # A blocked worker thread waits for an environment; the calls of the running ones
            # need threads beside it.
            "MINISTACK_WORKER_THREADS": "256",
            "LAMBDA_EXECUTOR": "local",
            "LAMBDA_ACCOUNT_CONCURRENCY": str(settings["lambdaConcurrency"]),
            "LAMBDA_WARM_TTL_SECONDS": "60",
            # Listeners of services that are not used; their ports would collide between stacks.
            "IOT_MTLS_ENABLED": "0",
            "SFTP_ENABLED": "0",
            # A Docker daemon on the machine must never be touched.
            "DOCKER_HOST": "unix:///nonexistent/docker.sock",
            "LOG_LEVEL": settings.get("logLevel", "INFO"),
        }
    )


def end_at_once(*_):
    """State is thrown away, so nothing has to be flushed: end the Lambda processes, then this one."""
    from ministack.core import lambda_runtime

    with lambda_runtime._lock:
        workers = [worker for pool in lambda_runtime._workers.values() for worker in pool]
    for worker in workers:
        process = worker._proc
        if process is not None:
            process.kill()
    for worker in workers:
        process = worker._proc
        if process is not None:
            process.wait(timeout=5)
    shutil.rmtree(os.environ["TMPDIR"], ignore_errors=True)
    os._exit(0)


def replace_serve(settings):
    """hypercorn's own signal handling drains connections for seconds; a stack ends at once."""
    import hypercorn.asyncio

    serve = hypercorn.asyncio.serve

    async def serve_until_signal(app, config):
        loop = asyncio.get_running_loop()
        for name in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            loop.add_signal_handler(name, end_at_once)
        if settings.get("ownerPid"):
            end_with_owner(settings["ownerPid"], end_at_once)
        await serve(app, config, shutdown_trigger=asyncio.Event().wait)

    hypercorn.asyncio.serve = serve_until_signal


def main():
    settings_path = sys.argv[1]
    sys.argv = [sys.argv[0]]
    settings = read_settings(settings_path)
    # Every patch of this folder rests on the source of one version.
    check_version("ministack", EMULATOR_VERSION, ".windlass/venv")
    listener = bind_listener()
    port = listener.getsockname()[1]
    replace_environment(settings, port)

    import ministack.app as emulator

    import emulator_patches
    from fargate_control import FargateControl
    from private_paths import PrivatePaths

    emulator_patches.apply_patches(emulator, listener, settings)
    control = FargateControl()
    control.replace_task_functions()
    emulator.app = PrivatePaths(control, settings).wrap_application(emulator.app)
    replace_serve(settings)
    announce(settings["announceFile"], port)
    emulator.main()


if __name__ == "__main__":
    main()
