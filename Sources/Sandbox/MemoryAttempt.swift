/// A Python program that tries to have the kernel hold more memory for it than its cage allows, where no count of its
/// pages shows it.
///
/// Each prints `ESCAPED` once it holds more than the limit, or has opened a door behind which it could.
package struct MemoryAttempt: Sendable {
    /// What it does, as a verb: `fills sockets in many processes`.
    package var name: String
    /// For `python3 -c`.
    package var program: String
    /// What each is to be run with; the programs know these numbers.
    package static let limits = SandboxLimits(
        seconds: 20, cpuSeconds: 10, memory: 160 << 20, processes: 32, disk: 16 << 20)

    /// Whether the cage stopped it.
    package func isStopped(_ outcome: SandboxOutcome) -> Bool {
        if String(decoding: outcome.output, as: UTF8.self).contains("ESCAPED") { return false }
        // It was refused and came to its end, or it was ended for what it held.
        return outcome.succeeded || outcome.ending == .limit(.memory)
    }

    private init(_ name: String, _ program: String) {
        (self.name, self.program) = (name, Self.beginning + program)
    }

    private static let beginning = """
        import ctypes, fcntl, os, resource, socket, struct, sys, time
        libc = ctypes.CDLL(None, use_errno=True)
        intel = os.uname().machine == 'x86_64'
        goal = 240 << 20
        def attempt(*doors):
            for door in doors:
                try: opened = door()
                except (OSError, ValueError): continue
                if opened is not False: print('ESCAPED', flush=True)
        def call(intels, others, *words): return libc.syscall(intels if intel else others, *words) >= 0
        def fill(stream):
            stream.setblocking(False)
            held = 0
            try:
                while True: held += stream.send(bytes(50000))
            except OSError: return held

        """

    /// All of them.
    package static let all = [
        MemoryAttempt(
            "creates message sockets",
            "attempt(*[lambda kind=kind: socket.socketpair(socket.AF_UNIX, kind) for kind in (2, 5)],"
                + " lambda: socket.socket(socket.AF_UNIX, 2))"),
        MemoryAttempt(
            "creates network sockets",
            "attempt(*[lambda f=f, k=k: socket.socket(f, k) for f in (2, 10) for k in (1, 2)])"),
        MemoryAttempt(
            "enlarges socket buffers",
            """
            one, other = socket.socketpair()
            attempt(*[lambda n=n: one.setsockopt(socket.SOL_SOCKET, n, 1 << 22) for n in (7, 8, 32, 33)])
            """),
        MemoryAttempt(
            "fills sockets in many processes",
            """
            reading, writing = os.pipe()
            for _ in range(24):
                if os.fork() == 0:
                    kept, held = [], 0
                    try:
                        while len(kept) < 100:
                            kept.append(socket.socketpair())
                            held += sum(map(fill, kept[-1]))
                    except OSError: pass
                    os.write(writing, struct.pack('q', held))
                    time.sleep(30)
            if sum(struct.unpack('q', os.read(reading, 8))[0] for _ in range(24)) > goal: print('ESCAPED', flush=True)
            """),
        MemoryAttempt(
            "fills and closes sockets before they are accepted",
            """
            door = socket.socket(socket.AF_UNIX)
            door.bind('/tmp/door')
            door.listen(4096)
            held = 0
            while held < goal:
                stream = socket.socket(socket.AF_UNIX)
                stream.connect('/tmp/door')
                held += fill(stream)
                stream.close()
            print('ESCAPED', flush=True)
            """),
        MemoryAttempt("enlarges a pipe", "attempt(lambda: fcntl.fcntl(os.pipe()[1], 1031, 1 << 20))"),
        MemoryAttempt(
            "splices pages into pipes",
            """
            (one, two), (three, four) = os.pipe(), os.pipe()
            os.write(two, b'page')
            page = ctypes.create_string_buffer(4096)
            part = (ctypes.c_size_t * 2)(ctypes.addressof(page), 1)
            file = os.open('/tmp/file', os.O_RDWR | os.O_CREAT)
            os.write(file, bytes(4096))
            attempt(
                lambda: libc.vmsplice(ctypes.c_int(four), part, ctypes.c_size_t(1), 0) >= 0,
                lambda: libc.tee(one, four, ctypes.c_size_t(1), 2) >= 0,
                lambda: libc.splice(one, None, four, None, ctypes.c_size_t(1), 2) >= 0,
                lambda: os.sendfile(four, file, 0, 1))
            """),
        MemoryAttempt("creates System V semaphores", "attempt(lambda: libc.semget(0, 32000, 0o1600) >= 0)"),
        MemoryAttempt(
            "sets up asynchronous I/O",
            "attempt(lambda: call(206, 0, 128, (ctypes.c_size_t * 1)(0)))"),
        MemoryAttempt(
            "creates Landlock rules",
            "attempt(lambda: call(444, 444, (ctypes.c_uint64 * 1)(1), ctypes.c_size_t(8), 0))"),
        MemoryAttempt("opens a terminal", "attempt(lambda: os.openpty())"),
        MemoryAttempt(
            "queues signals",
            "attempt(lambda: not 0 <= resource.getrlimit(resource.RLIMIT_SIGPENDING)[1] <= 4096)"),
        MemoryAttempt(
            "creates empty files",
            """
            made = 0
            for folder, wanted in [('/dev/shm', 30000), ('/tmp', 64000)]:
                try:
                    for number in range(wanted):
                        os.mknod(f'{folder}/{number:0200}')
                        made += 1
                except OSError: pass
            time.sleep(0.3)
            if made > 90000: print('ESCAPED', flush=True)
            """),
        MemoryAttempt(
            "locks many byte ranges of a file",
            """
            file = os.open('/tmp/file', os.O_RDWR | os.O_CREAT)
            attempt(lambda: fcntl.fcntl(file, 37, struct.pack('hhqqi4x', 1, 0, 0, 1, 0)))
            for number in range(1200000, 0, -1): fcntl.lockf(file, fcntl.LOCK_EX, 1, 2 * number)
            print('ESCAPED', flush=True)
            """),
        MemoryAttempt(
            "fragments memory in a chain of processes",
            """
            libc.mmap.restype = ctypes.c_size_t
            pieces = 16000
            area = libc.mmap(None, ctypes.c_size_t(pieces * 4096), 3, 0x22, -1, ctypes.c_long(0))
            for piece in range(0, pieces, 64): ctypes.memset(area + piece * 4096, 1, 1)
            for piece in range(0, pieces, 2): libc.mprotect(ctypes.c_size_t(area + piece * 4096), ctypes.c_size_t(4096), 1)
            depth = 0
            while depth < 24 and os.fork() == 0: depth += 1
            if depth < 24: time.sleep(30)
            # Long enough for a look at what all of them hold.
            time.sleep(0.5)
            print('ESCAPED', flush=True)
            """),
    ]
}
