"""A real Redis of its own for a test, on a loopback port."""

import os
import shutil
import socket
import subprocess
from pathlib import Path
from typing import Any

import pytest
from redis import ConnectionError, Redis  # noqa: A004 - redis-py's own
from redis.backoff import ConstantBackoff
from redis.retry import Retry

_LIFETIME = "300"  # seconds, should the tests die before they stop it
REQUIRED = "MCPFUSION_REQUIRE_REDIS"
"""In CI this is set, so that these tests cannot be left out by accident."""


class RedisServer:
    """It remembers nothing when it is started again."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._process: subprocess.Popen[bytes] | None = None
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]

    def start(self) -> None:
        """Start it, and wait until it answers."""
        options = {"port": str(self.port), "bind": "127.0.0.1", "save": "", "dir": "."}
        words = [word for pair in options.items() for word in (f"--{pair[0]}", pair[1])]
        self._process = subprocess.Popen(  # noqa: S603 - a fixed program
            ["timeout", _LIFETIME, "redis-server", *words],  # noqa: S607 - on PATH
            cwd=self._directory,
            stdout=subprocess.DEVNULL,
        )
        retry = Retry(ConstantBackoff(0.05), 400)
        with self.client(retry=retry, retry_on_error=[ConnectionError]) as client:
            client.ping()

    def stop(self) -> None:
        """End it; its clients see their connections break."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait(30)
            self._process = None

    def client(self, **options: Any) -> Any:
        """Return a blocking client, half of whose methods have no types."""
        return Redis(port=self.port, **options)


def need_redis() -> None:
    """Leave the test out where the program is missing, except in CI."""
    if shutil.which("redis-server") is None or shutil.which("timeout") is None:
        why = "needs redis-server and timeout: apt-get install redis-server coreutils"
        if REQUIRED in os.environ:
            pytest.fail(why)
        pytest.skip(why)
