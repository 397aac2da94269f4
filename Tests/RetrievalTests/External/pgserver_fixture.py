"""A PostgreSQL server with pgvector for tests: python pgserver_fixture.py

Starts the server of the PyPI package pgserver in a temporary folder and prints its address as a line. Then it obeys
the lines of its standard input, and answers each with a line:

    kill     ends the server and all its processes as a crash would        -> killed
    start    starts it again in the same folder                            -> the address

At the end of its input it stops the server and removes the folder.
"""

import atexit
import ctypes
import os
import shutil
import signal
import sys
import tempfile
import time

FOLDER = tempfile.mkdtemp(prefix="orrery-pg-", dir="/tmp")
# Registered before the package registers what it does at the end: the folder goes last.
atexit.register(shutil.rmtree, FOLDER, ignore_errors=True)
# As root the server runs as another user, who must be able to reach it.
os.chmod(FOLDER, 0o755)
# Where the package keeps its lock.
os.environ["XDG_RUNTIME_DIR"] = os.path.join(FOLDER, "run")
os.mkdir(os.environ["XDG_RUNTIME_DIR"], 0o700)

import psutil  # noqa: E402
import pgserver  # noqa: E402


def wait_for_end(pids):
    """Waits until processes are gone; whoever they belonged to, they are children of this one since it adopts."""
    while any(psutil.pid_exists(pid) for pid in pids):
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            pass
        time.sleep(0.01)


def main():
    # PR_SET_CHILD_SUBREAPER: a server that was killed would stay as a process that nobody waited for.
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
    server = pgserver.get_server(os.path.join(FOLDER, "data"), cleanup_mode="stop")
    try:
        # What the system holds outlives the processes: recovering need not wait for the disk.
        server.psql("ALTER SYSTEM SET fsync = off;")
        server.psql("SELECT pg_reload_conf();")
        print(server.get_uri(), flush=True)
        for line in sys.stdin:
            if line.strip() == "kill":
                postmaster = psutil.Process(server.get_pid())
                processes = [postmaster] + postmaster.children(recursive=True)
                for process in processes:
                    try:
                        process.send_signal(signal.SIGKILL)
                    except psutil.NoSuchProcess:
                        pass
                wait_for_end([process.pid for process in processes])
                print("killed", flush=True)
            elif line.strip() == "start":
                server.ensure_postgres_running()
                print(server.get_uri(), flush=True)
    finally:
        server.cleanup()


main()
