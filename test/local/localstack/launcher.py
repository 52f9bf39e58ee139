"""Starts the pinned LocalStack in host mode, for one run of tests on S3.

Usage: launcher.py SETTINGS_FILE

It keeps its state in memory and in its temporary folder, which ends with it.
"""

import os
import shutil
import signal
import socket
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "python"))

from launching import announce, bind_listener, check_version, end_with_owner, read_settings

LOCALSTACK_VERSION = "4.8.0"


def replace_environment(settings, port):
    """Nothing of the caller's shell may reach it, and nothing of it the network."""
    os.environ.clear()
    os.environ.update(
        {
            "PATH": "/usr/bin:/bin",
            "HOME": settings["temporaryFolder"],
            "TMPDIR": settings["temporaryFolder"],
            # Inside a container it would take the whole file system for its own.
            "OVERRIDE_IN_DOCKER": "0",
            "FILESYSTEM_ROOT": settings["temporaryFolder"],
            "LANG": "C.UTF-8",
            "TZ": "UTC",
            "WINDLASS_INSTANCE": settings["instanceId"],
            "GATEWAY_LISTEN": f"127.0.0.1:{port}",
            "LOCALSTACK_HOST": f"127.0.0.1:{port}",
            "SERVICES": "s3",
            # By default it takes any signature.
            "S3_SKIP_SIGNATURE_VALIDATION": "0",
            "CUSTOM_SSL_CERT_PATH": settings["certificateWithKey"],
            "SKIP_SSL_CERT_DOWNLOAD": "1",
            "DISABLE_EVENTS": "1",
            "DNS_ADDRESS": "0",
            # A Docker daemon on the machine must never be touched.
            "DOCKER_HOST": "unix:///nonexistent/docker.sock",
        }
    )


def serve_only_on(listener):
    """4.8.0 drops the host of GATEWAY_LISTEN and would listen on every address of the machine."""
    from localstack.runtime.server import twisted as server
    from twisted.internet.endpoints import AdoptedStreamServerEndpoint

    listener.listen()
    listener.setblocking(False)

    def adopt_listener(reactor, port):
        if port != listener.getsockname()[1]:
            raise RuntimeError(f"port {port} is not the one that was taken")
        return AdoptedStreamServerEndpoint(reactor, listener.fileno(), socket.AF_INET)

    server.endpoints.TCP4ServerEndpoint = adopt_listener


def ask_no_name_server():
    """It would ask one whether S3's name under its own host is known, and go on without."""
    from localstack.utils.aws import aws_stack

    aws_stack.CACHE_S3_HOSTNAME_DNS_STATUS = False


def end_at_once(*_):
    """State is thrown away, so nothing has to be flushed."""
    shutil.rmtree(os.environ["TMPDIR"], ignore_errors=True)
    os._exit(0)


def main():
    settings = read_settings(sys.argv[1])
    sys.argv = [sys.argv[0]]
    check_version("localstack-core", LOCALSTACK_VERSION, ".windlass/localstack-venv")
    listener = bind_listener()
    port = listener.getsockname()[1]
    replace_environment(settings, port)
    for name in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(name, end_at_once)
    end_with_owner(settings["ownerPid"], end_at_once)

    from localstack.logging.setup import setup_logging_from_config
    from localstack.runtime import current

    setup_logging_from_config()
    runtime = current.initialize_runtime()
    serve_only_on(listener)
    ask_no_name_server()
    announce(settings["announceFile"], port)
    runtime.run()


if __name__ == "__main__":
    main()
