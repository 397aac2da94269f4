"""The program under test: how it is started, filled and asked."""

import copy
import json
import os
import resource
import signal
import shutil
import subprocess
import tempfile
import time

from figures import CouldNotRun

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SHARED_TRACES = os.path.normpath(os.path.join(ROOT, "..", "shared", "data", "traces"))
SAMPLE_TRACES = os.path.join(ROOT, "sample-data", "traces")


class Finished:
    """A command that has ended: its output, its time in seconds, its largest resident size in MB."""

    def __init__(self, status, output, errors, seconds, peak_mb):
        self.status, self.output, self.errors, self.seconds, self.peak_mb = status, output, errors, seconds, peak_mb

    def json(self):
        try:
            return json.loads(self.output)
        except ValueError:
            return None


class Program:
    def __init__(self, binary, data_folder, quick=False):
        self.binary, self.data, self.quick = os.path.abspath(binary), os.path.abspath(data_folder), quick
        if not os.access(self.binary, os.X_OK):
            raise CouldNotRun(f"there is no program at {binary}: run `make build`")
        os.makedirs(self.data, exist_ok=True)
        self.home = tempfile.mkdtemp(prefix="home-", dir=self.data)

    def environment(self, **more):
        """Ours without what would change the program, and with folders of its own instead of the user's."""
        kept = {
            key: value
            for key, value in os.environ.items()
            if not key.startswith(("ORRERY_", "XDG_", "LC_"))
            and key not in ("LINES", "COLUMNS", "NO_COLOR", "COLORTERM", "TMUX", "STY", "TERM_PROGRAM")
            and not key.startswith("OPENBLAS_")  # its core type and cache sizes would be those of another processor
        }
        kept.update(LANG="C.UTF-8", HOME=self.home)
        for name in ("CONFIG", "DATA", "STATE", "CACHE"):
            kept[f"XDG_{name}_HOME"] = os.path.join(self.home, name.lower())
        kept.update(more)
        return kept

    @property
    def bench(self):
        """The program next to this one that only measures, with the same home and data."""
        other = copy.copy(self)
        other.binary = os.path.join(os.path.dirname(self.binary), "orrery-bench")
        if not os.access(other.binary, os.X_OK):
            raise CouldNotRun(f"there is no program at {other.binary}: run `make bench`")
        return other

    def fresh_home(self):
        """Forget settings and the last screen."""
        shutil.rmtree(self.home, ignore_errors=True)
        os.makedirs(self.home)

    def clean_up(self):
        shutil.rmtree(self.home, ignore_errors=True)

    def workbench(self, workspace, *more):
        return [self.binary, "--workspace", workspace, *more]

    def run(self, *arguments, pin=None, limit=1800, **environment):
        """Run a command to its end; `pin` keeps it on one core."""
        command = [self.binary, *arguments]
        if pin is not None:
            command = ["taskset", "-c", str(pin), *command]
        return finish(command, self.environment(**environment), limit)

    def workspace(self, name):
        """The path of an empty place for a workspace."""
        path = os.path.join(self.data, name + ".orrery")
        for suffix in ("", "-wal", "-shm", "-journal"):
            if os.path.exists(path + suffix):
                os.remove(path + suffix)
        return path

    def filled(self, name, paths, keep=True):
        """A workspace with these files imported; one that is there from an earlier run of the same binary is kept."""
        path = os.path.join(self.data, name + ".orrery")
        stamp = path + ".made"
        made = f"{os.path.getmtime(self.binary)} {sorted(paths)}"
        if keep and os.path.exists(path) and os.path.exists(stamp) and open(stamp).read() == made:
            return path
        self.workspace(name)
        self.import_indexed(path, paths)
        with open(stamp, "w") as file:
            file.write(made)
        return path

    def sample(self):
        """A fresh workspace with the sample traces."""
        path = self.workspace("sample")
        self.import_indexed(path, [SAMPLE_TRACES])
        return path

    def import_indexed(self, workspace, paths):
        """Import and wait for the full-text index, so that no job runs when the workbench opens."""
        done = self.run("trace", "import", "--workspace", workspace, "--index", "--json", *paths)
        if done.status != 0:
            raise CouldNotRun(
                f"`trace import` of {' '.join(paths)} ended with status {done.status}: {last_line(done.errors)}"
            )


def last_line(text):
    lines = text.decode(errors="replace").strip().splitlines()
    return lines[-1] if lines else "no output"


def finish(command, environment=None, limit=1800):
    """Run a command to its end and measure it, its memory by wait4."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=errors, env=environment)
        status = usage = None
        while status is None:
            pid, state, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                status = os.waitstatus_to_exitcode(state)
            elif time.perf_counter() - start > limit:
                # Not process.kill(), which may collect the status that wait4 is for.
                os.kill(process.pid, signal.SIGKILL)
                status, usage = os.wait4(process.pid, 0)[1:]
                status = os.waitstatus_to_exitcode(status)
            else:
                time.sleep(0.002)
        seconds = time.perf_counter() - start
        process.returncode = status
        output.seek(0)
        errors.seek(0)
        return Finished(status, output.read(), errors.read(), seconds, usage.ru_maxrss / 1024)


def cores():
    return len(os.sched_getaffinity(0))


def allow_no_cores_dumped():
    """Bars that kill the program on purpose shall leave no core files."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
