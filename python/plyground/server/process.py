"""The server process: uvicorn with connection limits, structured logs and a shutdown deadline."""

from __future__ import annotations

import contextlib
import faulthandler
import logging
import multiprocessing
import os
import socket
import threading
from types import FrameType

import uvicorn
from fastapi import FastAPI

from plyground import __version__
from plyground.server.log import LOGGER, configure_logging
from plyground.server.security.connections import connection_limits, limited_protocol
from plyground.server.settings import Settings

LOG = logging.getLogger(LOGGER)
GRACE_S = 2
"""Time allowed for requests in progress to finish after SIGTERM or Ctrl-C."""
SIGNAL_EXIT_CODE = 128
"""Offset added to a signal number to form the exit code of a process terminated by that signal."""


def serve(app: FastAPI, settings: Settings, listener: socket.socket) -> None:
    """Serve an app on a listening socket until SIGTERM or Ctrl-C."""
    configure_logging(settings.log_level)
    config = uvicorn.Config(
        app,
        http=limited_protocol(connection_limits(settings)),
        log_config=None,
        access_log=False,
        ws_max_size=settings.message_bytes,
        ws_max_queue=32,
        timeout_graceful_shutdown=GRACE_S,
        server_header=False,
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=settings.proxies,
        lifespan="on",
    )
    LOG.info("server started", extra={"fields": {"version": __version__, "address": listener.getsockname()[:2]}})
    PromptServer(config, settings.shutdown_seconds).run(sockets=[listener])


class PromptServer(uvicorn.Server):
    """A server whose process ends within a given time after a signal, even if threads are still running."""

    def __init__(self, config: uvicorn.Config, shutdown_seconds: float) -> None:
        super().__init__(config)
        self._shutdown_seconds = shutdown_seconds
        self._is_ending = False

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Shut down gracefully, and end the process if the shutdown takes too long."""
        if not self._is_ending:
            self._is_ending = True
            timer = threading.Timer(self._shutdown_seconds, end_process, [SIGNAL_EXIT_CODE + sig])
            timer.daemon = True
            timer.start()
            with contextlib.suppress(AttributeError, OSError, RuntimeError, ValueError):  # no standard error
                # The watchdog does not need the GIL, so it also works if a thread never releases it.
                faulthandler.dump_traceback_later(2 * self._shutdown_seconds, exit=True)
        super().handle_exit(sig, frame)


def end_process(exit_code: int) -> None:
    """End this process and its workers now. Everything acknowledged to clients is already on disk."""
    LOG.warning("threads are still running after the shutdown time limit; ending the process")
    for process in multiprocessing.active_children():
        process.kill()
    os._exit(exit_code)
