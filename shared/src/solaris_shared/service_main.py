"""The command line of every service: `python -m solaris_<name> api | worker | migrate | rebuild
<projection>`.
"""

import argparse
import asyncio
import gc
import signal
import sys
from collections.abc import Callable, Sequence

from solaris_shared.definition import ServiceDefinition
from solaris_shared.http.app import create_app
from solaris_shared.http.server import serve
from solaris_shared.migrate import migrate
from solaris_shared.ops.logging import configure_logging
from solaris_shared.processing.projector import Projector
from solaris_shared.settings import Settings
from solaris_shared.testing import failpoints
from solaris_shared.worker import bus_loops, log_loops, open_buses, open_runtime, run_worker
from solaris_shared.worker_side import side_loop


def main(
    definition: ServiceDefinition, settings: Settings | None = None, arguments: Sequence[str] | None = None
) -> None:
    """Run one process of `definition`; ends with status 0 after SIGTERM or SIGINT."""
    parser = argparse.ArgumentParser(prog=f"solaris_{definition.name}")
    parser.add_argument("process", choices=("api", "worker", "migrate", "rebuild"))
    parser.add_argument("projection", nargs="?", help="for rebuild: its name")
    chosen = parser.parse_args(arguments)
    settings = settings or Settings()
    configure_logging(definition.name, chosen.process, settings.log_level)
    failpoints.configure(settings.failpoints)
    gc.freeze()  # what the imports made lives as long as the process; no collection need look at it
    match chosen.process:
        case "api":
            serve(
                create_app(definition, settings),
                settings.http_host,
                settings.http_port,
                settings.trusted_proxies,
            )
        case "worker":
            with asyncio.Runner(loop_factory=quick_loop()) as runner:
                runner.run(work(definition, settings))
        case "migrate":
            asyncio.run(migrate(settings.migrator_url, definition.migrations, settings.app_role))
        case "rebuild":
            sys.exit(asyncio.run(rebuild(definition, settings, chosen.projection or "")))


def quick_loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """uvloop's, where it is installed (it comes with uvicorn but on Windows); None = asyncio's own."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop


async def work(definition: ServiceDefinition, settings: Settings) -> None:
    """Run the worker until SIGTERM or SIGINT."""
    async with open_runtime(definition, settings) as runtime, open_buses(runtime) as buses:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, runtime.signals.stop)
        async with side_loop(runtime):
            await run_worker(runtime, log_loops(runtime) + bus_loops(runtime, *buses))


async def rebuild(definition: ServiceDefinition, settings: Settings, name: str) -> int:
    """Build a new generation of projection `name` and cut over to it; the exit status."""
    projections = {projection.name: projection for projection in definition.projections}
    if name not in projections:
        sys.stderr.write(f"no projection {name!r}; there are: {', '.join(sorted(projections))}\n")
        return 2
    async with open_runtime(definition, settings) as runtime:
        generation = await Projector(runtime.store, runtime.engine, projections[name]).rebuild()
    sys.stdout.write(f"{name}: generation {generation} is live\n")
    return 0
