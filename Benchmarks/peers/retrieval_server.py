"""PostgreSQL with pgvector, from the package pgserver, in a folder of its own.  usage: retrieval_server.py FOLDER

Says its address. A line `stop` ends it at once, as a failure of power would; `start` brings it back. It ends with its input.
"""

import json
import os
import signal
import sys
import time

import pgserver


def main():
    folder = sys.argv[1]
    server = pgserver.get_server(folder, cleanup_mode="stop")
    server.psql("CREATE EXTENSION IF NOT EXISTS vector")
    print(json.dumps({"address": server.get_uri()}), flush=True)
    for line in sys.stdin:
        if line.strip() == "stop":
            with open(os.path.join(folder, "postmaster.pid"), encoding="ascii") as file:
                number = int(file.readline())
            os.kill(number, signal.SIGQUIT)
            while os.path.exists(f"/proc/{number}"):
                time.sleep(0.02)
            print(json.dumps({"stopped": number}), flush=True)
        else:
            server.ensure_postgres_running()
            print(json.dumps({"address": server.get_uri()}), flush=True)


if __name__ == "__main__":
    main()
