import CommandSupport
import Glibc
import JSON
import Sandbox
import System

/// Forbidden operations, each tried in every tier of the sandbox that works on this machine.
struct SandboxAttempts: JSONRepresentable {
    private struct Tier {
        var title: String
        var attempts = 0
        /// Names of attempts that succeeded.
        var escaped: [String] = []
        /// Attempts that did not run because the sandbox failed to start, with the reasons.
        var failed: [String] = []
    }

    private struct Attempt {
        var name: String
        /// Python code that prints ESCAPED if the forbidden operation succeeds.
        var program: String
        var limits = SandboxLimits(seconds: 5, cpuSeconds: 2, memory: 256 << 20, processes: 32, disk: 16 << 20)
        /// Whether a limit must end the attempt, rather than its own failure.
        var isEnded: (SandboxOutcome) -> Bool = { !String(decoding: $0.output, as: UTF8.self).contains("ESCAPED") }
    }

    private var tiers: [Tier] = []

    /// - Throws: `Problem` if a working tier fails to start programs, because the attempts then prove nothing.
    init() throws {
        let listener = LocalListener()
        let name = "orrery-probe-\(getpid())"
        let abstract = AbstractListener(name)
        setenv("ORRERY_PROBE_SECRET", "secret", 1)
        // A descriptor that a child process could inherit by mistake.
        let inherited = open("/etc/passwd", O_RDONLY)
        defer {
            close(inherited)
            unsetenv("ORRERY_PROBE_SECRET")
        }
        for (tier, problem) in Sandbox.probe() where problem == nil {
            let sandbox = try Sandbox(tiers: [tier])
            var found = Tier(title: sandbox.tier.title)
            let attempts =
                Self.attempts(port: listener.port, descriptor: inherited) + Self.hidden(name)
                + Self.systemCalls(name)
                + MemoryAttempt.all.map { attempt in
                    Attempt(
                        name: attempt.name, program: attempt.program, limits: MemoryAttempt.limits,
                        isEnded: attempt.isStopped)
                }
            for attempt in attempts {
                do {
                    let outcome = try sandbox.run("/usr/bin/python3", ["-c", attempt.program], limits: attempt.limits)
                    found.attempts += 1
                    if !attempt.isEnded(outcome) { found.escaped.append(attempt.name) }
                } catch {
                    found.failed.append("\(attempt.name): \(error.what)")
                }
            }
            found.escaped += Self.left(by: sandbox, &found.attempts)
            tiers.append(found)
        }
        withExtendedLifetime((listener, abstract)) {}
        let failed = tiers.flatMap { tier in tier.failed.map { "\(tier.title): \($0)" } }
        if let first = failed.first {
            throw Problem(.failed, "sandbox", "\(failed.count) attempts did not run; first: \(first)")
        }
    }

    /// Returns attempts with memory that no limit counts, and with information about the machine.
    private static func hidden(_ name: String) -> [Attempt] {
        [
            Attempt(
                name: "holds shared memory",
                program: """
                    import mmap, os, time
                    for n in range(6):
                        if os.fork() == 0:
                            try:
                                block = mmap.mmap(-1, 100 << 20)
                                for at in range(0, len(block), 4096): block[at] = 1
                                print('ESCAPED', flush=True)
                            except (OSError, ValueError): pass
                            os._exit(0)
                    for n in range(6): os.wait()
                    """),
            Attempt(
                name: "holds shared memory from /dev/zero",
                program: guarded("import mmap, os; mmap.mmap(os.open('/dev/zero', os.O_RDWR), 100 << 20)")),
            Attempt(name: "creates in-memory files", program: guarded("import os; os.memfd_create('x')")),
            Attempt(
                name: "reads the command line of process 1",
                program: """
                    words = open('/proc/1/cmdline', 'rb').read()
                    # Bubblewrap's command line also contains this program's, so remove it.
                    words = words.replace(open('/proc/self/cmdline', 'rb').read(), b'')
                    if any(word in words for word in [b'orrery', b'eval', b'bench', b'ro-bind', b'/work', b'/home']): print('ESCAPED')
                    """),
            Attempt(
                name: "reads the memory and files of process 1",
                program: """
                    for name in ['mem', 'root/etc/passwd', 'cwd/etc/passwd', 'fd/16']:
                        try:
                            if open('/proc/1/' + name, 'rb').read(64): print('ESCAPED')
                        except OSError: pass
                    """),
            Attempt(
                name: "connects to an abstract socket",
                program: guarded(
                    "import socket; s = socket.socket(socket.AF_UNIX); s.settimeout(1); s.connect('\\0\(name)')")),
        ]
    }

    /// Returns attempts with system calls, by number if the C library has no name for them.
    private static func systemCalls(_ name: String) -> [Attempt] {
        #if arch(x86_64)
            let (addKey, keyctl, shmget, unshare) = (248, 250, 29, 272)
        #else
            let (addKey, keyctl, shmget, unshare) = (217, 219, 194, 97)
        #endif
        func call(_ words: String) -> String {
            guarded("import ctypes; assert ctypes.CDLL(None).syscall(\(words)) >= 0")
        }
        return [
            Attempt(name: "sets up io_uring", program: call("425, 8, ctypes.create_string_buffer(256)")),
            Attempt(name: "adds a key to a keyring", program: call("\(addKey), b'user', b'\(name)', b'x', 1, -3")),
            Attempt(name: "opens its keyring", program: call("\(keyctl), 0, -3, 1")),
            Attempt(name: "creates System V shared memory", program: call("\(shmget), 0, 1 << 20, 0o1600")),
            Attempt(name: "creates a user namespace", program: call("\(unshare), 0x10000000")),
            Attempt(
                name: "starts a child in a user namespace",
                program: """
                    import ctypes, os
                    libc = ctypes.CDLL(None)
                    libc.syscall.restype = ctypes.c_long
                    number = 56 if os.uname().machine == 'x86_64' else 220
                    child = libc.syscall(number, 0x10000000 | 17, 0, 0, 0, 0)
                    if child == 0: os._exit(0)
                    if child > 0: print('ESCAPED')
                    arguments = (ctypes.c_uint64 * 8)(0x10000000, 0, 0, 0, 17)
                    child = libc.syscall(435, arguments, 64)
                    if child == 0: os._exit(0)
                    if child > 0: print('ESCAPED')
                    """),
            Attempt(
                name: "loads a program into the kernel",
                program: call(
                    "321 if __import__('os').uname().machine == 'x86_64' else 280, 0, "
                        + "ctypes.create_string_buffer(128), 72"
                )),
        ]
    }

    /// Starts processes that detach from their parents and sleep, and reports any that survive the run.
    private static func left(by sandbox: Sandbox, _ attempts: inout Int) -> [String] {
        attempts += 1
        let seconds = "98\(getpid()).5"
        let ran = try? sandbox.run(
            "/bin/sh", ["-c", "setsid sleep \(seconds) & (setsid sleep \(seconds) &) ; exit 0"],
            limits: SandboxLimits(seconds: 5))
        let wanted = Array("sleep\0\(seconds)\0".utf8)
        var lives = false
        for name in Folder.readableNames(in: "/proc") where Int32(name) != nil {
            // A process can end at any moment.
            guard let words = try? SmallFile.bytes("/proc/\(name)/cmdline") else { continue }
            lives = lives || words.starts(with: wanted)
        }
        return ran != nil && !lives ? [] : ["leaves orphans behind"]
    }

    private static func guarded(_ body: String) -> String {
        "try:\n    \(body)\n    print('ESCAPED')\nexcept Exception: pass"
    }

    private static func attempts(port: UInt16, descriptor: Int32) -> [Attempt] {
        func endsByLimit(_ outcome: SandboxOutcome) -> Bool {
            if case .limit = outcome.ending { true } else { false }
        }
        return [
            Attempt(name: "writes to /etc", program: guarded("open('/etc/orrery-probe', 'w').write('x')")),
            Attempt(name: "writes to /usr", program: guarded("open('/usr/orrery-probe', 'w').write('x')")),
            Attempt(
                name: "reads the user's home",
                program: guarded("import os; assert os.listdir('/root') or os.listdir('/home')")),
            Attempt(
                name: "connects to this machine",
                program: guarded("import socket; socket.create_connection(('127.0.0.1', \(port)), 1)")),
            Attempt(
                name: "sends data over the network",
                program: guarded(
                    "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('192.0.2.1', 9))")),
            Attempt(
                name: "forks without limit",
                program: """
                    import os, time
                    made = 0
                    try:
                        while made < 2000:
                            if os.fork() == 0:
                                time.sleep(30)
                                os._exit(0)
                            made += 1
                    except OSError: pass
                    if made >= 200: print('ESCAPED', flush=True)
                    """),
            Attempt(
                name: "fills memory",
                program: "a = []\nwhile len(a) < 1024: a.append(bytearray(1 << 20))\nprint('ESCAPED')"),
            Attempt(
                name: "fills the disk",
                program: guarded("f = open('/tmp/x', 'wb'); [f.write(b'x' * (1 << 20)) for _ in range(200)]; f.flush()")
            ),
            Attempt(
                name: "sleeps past the time limit", program: "import time; time.sleep(60)",
                limits: SandboxLimits(seconds: 0.5),
                isEnded: endsByLimit),
            Attempt(
                name: "spins past the time limit", program: "while True: pass",
                limits: SandboxLimits(seconds: 10, cpuSeconds: 0.5),
                isEnded: { outcome in
                    // The kernel ends the program with a signal; Orrery kills it.
                    if case .exited = outcome.ending { false } else { outcome.cpuSeconds < 3 }
                }),
            Attempt(
                name: "reads inherited descriptors",
                program:
                    "import os\nfor n in [\(descriptor), *range(3, 64)]:\n    try:\n        if os.read(n, 5) == "
                    + "b'root:': print('ESCAPED')\n    except OSError: pass"
            ),
            Attempt(
                name: "reads secrets from the environment",
                program: "import os\nif 'ORRERY_PROBE_SECRET' in os.environ: print('ESCAPED')"),
            Attempt(
                name: "reads other processes' secrets",
                program:
                    "import glob\nfor p in glob.glob('/proc/[0-9]*/environ'):\n    try:\n        if "
                    + "b'ORRERY_PROBE_SECRET' in open(p, 'rb').read(): print('ESCAPED')\n    except OSError: pass"
            ),
            Attempt(
                name: "mounts",
                program: guarded(
                    "import ctypes; assert ctypes.CDLL(None).mount(b'none', b'/tmp', b'tmpfs', 0, None) == 0")),
            Attempt(
                name: "traces",
                program: guarded("import ctypes; assert ctypes.CDLL(None).ptrace(16, 1, None, None) == 0")),
        ]
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.objects("tiers", of: tiers) { tier, json in
                json.member("title", tier.title)
                json.member("attempts", tier.attempts)
                json.member("escaped", tier.escaped)
            }
        }
    }
}
