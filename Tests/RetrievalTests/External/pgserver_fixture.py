"""A PostgreSQL server with pgvector for tests: python pgserver_fixture.py

Starts the server of the PyPI package pgserver in a temporary folder and prints its address as a line. Then it obeys
the lines of its standard input, and answers each with a line:

    kill     ends the server and all its processes as a crash would        -> killed
    start    starts it again in the same folder                            -> the address

At the end of its input it stops the server and removes the folder.
"""

import os
import shutil
import signal
import sys
import tempfile

FOLDER = tempfile.mkdtemp(prefix="orrery-pg-", dir="/tmp")
# As root the server runs as another user, who must be able to reach it.
os.chmod(FOLDER, 0o755)
# Where the package keeps its lock.
os.environ["XDG_RUNTIME_DIR"] = FOLDER

try:
    import psutil
    import pgserver
except ImportError as error:
    shutil.rmtree(FOLDER, ignore_errors=True)
    sys.exit(f"{error}")


def main():
    server = pgserver.get_server(os.path.join(FOLDER, "data"), cleanup_mode="stop")
    try:
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
                psutil.wait_procs(processes, timeout=10)
                print("killed", flush=True)
            elif line.strip() == "start":
                server.ensure_postgres_running()
                print(server.get_uri(), flush=True)
    finally:
        server.cleanup()
        shutil.rmtree(FOLDER, ignore_errors=True)


main()
