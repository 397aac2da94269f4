internal import CSandbox
internal import Glibc
internal import System

/// Starts a program in its cage: the one place that speaks to the C shim.
struct SandboxStart {
    /// This end of the program's streams, and what kills it.
    struct Child {
        /// Of the process that is waited for.
        var process: pid_t
        /// The first process of the namespace, whose end ends all others.
        var root: pid_t
        /// Descriptors for both.
        var handle: Int32
        var rootHandle: Int32
        var input: Int32
        var output: Int32
        var errors: Int32
        var report: Int32
        /// Descriptor that stays open while the child may live; -1 if there is none.
        var life: Int32
    }

    static var landlockVersion: Int { Int(orrery_sandbox_landlock()) }

    var sandbox: Sandbox
    var program: String
    var arguments: [String]
    var environment: [(name: String, value: String)]
    var limits: SandboxLimits

    /// Programs started by root run as the user nobody, whose processes the kernel counts.
    private var user: UInt32 { geteuid() == 0 ? 65534 : 0 }

    func start() throws(Problem) -> Child {
        var pipes = SandboxPipes()
        defer { pipes.closeAll() }
        let (input, output) = (try pipes.make(), try pipes.make())
        let (errors, report) = (try pipes.make(), try pipes.make())
        var plan = orrery_sandbox_plan()
        plan.input = input.read
        plan.output = output.write
        plan.errors = errors.write
        plan.report = report.write
        plan.kept = (-1, -1, -1, -1)
        plan.user = user
        plan.address_space = UInt64(clamping: limits.memory)
        plan.file_size = UInt64(clamping: limits.disk)
        plan.cpu_seconds = UInt64(min(max(limits.cpuSeconds, 0), 1e6)) + 1
        // Before Linux 5.14 the processes of the whole user were counted.
        plan.processes = KernelVersion.current >= KernelVersion(5, 14) ? UInt64(clamping: limits.processes) : 0
        plan.open_files = 256
        plan.disk = UInt64(clamping: limits.disk)
        var words = [program] + arguments
        var path = program
        var told: Gate?
        if let bubblewrap = sandbox.bubblewrap {
            let (info, gate) = (try pipes.make(), try pipes.make())
            let (ready, go) = (try pipes.make(), try pipes.make())
            let filter = orrery_sandbox_filter_file()
            guard filter >= 0 else { throw Self.failure("no system call filter is available for this machine", errno) }
            pipes.add(filter)
            // The cage can read its command line but not the contents of a file.
            let own = bubblewrapWords(info: info.write, gate: gate.read, filter: filter)
            let list: [UInt8] = own.flatMap { Array($0.utf8) + [0] }
            let file = list.withUnsafeBytes { orrery_sandbox_file($0.baseAddress, $0.count) }
            guard file >= 0 else { throw Self.failure("cannot create a file in memory", errno) }
            pipes.add(file)
            plan.kept = (info.write, gate.read, filter, file)
            words = [bubblewrap, "--args", "\(file)", "--"] + Self.waitingShell + words
            path = bubblewrap
            (plan.ready, plan.go) = (ready.write, go.read)
            told = Gate(info: info.read, gate: gate.write, ready: ready.read, go: go.write)
        } else {
            plan.builds_namespaces = 1
        }
        var (handle, life): (Int32, Int32) = (-1, -1)
        let process = CStrings(words, environment.map { "\($0.name)=\($0.value)" }, sandbox.views).with { strings in
            plan.program = strings.duplicate(path)
            plan.arguments = strings.arguments
            plan.environment = strings.environment
            plan.views = strings.views
            plan.view_count = Int32(sandbox.views.count)
            let started = orrery_sandbox_start(&plan, &handle, &life)
            return started < 0 ? -errno : started
        }
        guard process > 0 else { throw Self.failure("cannot start the sandbox", -process) }
        for end in [input.read, output.write, errors.write, report.write] { pipes.close(end) }
        var child = Child(
            process: process, root: process, handle: handle, rootHandle: handle, input: input.write,
            output: output.read, errors: errors.read, report: report.read, life: life)
        if let told {
            pipes.close(plan.kept.0)
            pipes.close(plan.kept.1)
            pipes.close(plan.ready)
            pipes.close(plan.go)
            do throws(Problem) {
                try open(told, processes: plan.processes, &child)
            } catch {
                child.end()
                throw error
            }
        }
        for end in [child.input, child.output, child.errors, child.report] { pipes.keep(end) }
        return child
    }

    /// Returns the arguments for bubblewrap, which describe the same sandbox as the other tier.
    private func bubblewrapWords(info: Int32, gate: Int32, filter: Int32) -> [String] {
        var words = [
            "--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts",
            "--unshare-cgroup-try", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--uid", "65534",
            "--gid", "65534", "--hostname", "sandbox", "--info-fd", "\(info)", "--block-fd", "\(gate)", "--seccomp",
            "\(filter)", "--size", "\(max(4096, limits.disk))", "--tmpfs", "/tmp",
        ]
        for view in sandbox.views {
            switch view.kind {
            case .link(let target): words += ["--symlink", target, view.path]
            case .file, .folder: words += ["--ro-bind", view.path, view.path]
            }
        }
        // The real /dev/zero provides shared memory when mapped; reading /dev/full gives zeros as well.
        words += ["--proc", "/proc", "--dev", "/dev", "--dev-bind", "/dev/full", "/dev/zero"]
        words += ["--size", "1048576", "--tmpfs", "/dev/shm"]
        // Terminals are the machine's, and hold bytes of their own.
        words += ["--size", "4096", "--tmpfs", "/dev/pts", "--remount-ro", "/dev/pts"]
        return words + ["--remount-ro", "/proc", "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/tmp"]
    }

    /// Tells that it is there, waits, and becomes the program.
    private static let waitingShell = [
        "/bin/sh", "-c", "echo >&3; read go <&4 || exit 126; exec 3>&- 4<&-; exec \"$@\"", "sh",
    ]

    /// Ends of pipes by which bubblewrap and its program wait for us.
    private struct Gate {
        var info: Int32
        var gate: Int32
        var ready: Int32
        var go: Int32
    }

    /// Bubblewrap reports its child and waits: the child gets its limit and continues.
    ///
    /// Bubblewrap and its child die with the parent, but only after the child has asked the kernel for that. Therefore
    /// a shell in the sandbox reports that it is ready, and becomes the program only if the parent is still there to
    /// reply.
    private func open(_ gate: Gate, processes: UInt64, _ child: inout Child) throws(Problem) {
        let said = Self.read(gate.info) { $0.contains(UInt8(ascii: "}")) }
        let digits = String(decoding: said, as: UTF8.self).split(separator: "\"child-pid\":").dropFirst().first?
            .drop { !$0.isNumber }.prefix { $0.isNumber }
        guard let number = digits.flatMap({ pid_t($0) }) else {
            throw Problem(.failed, "sandbox", complaint(of: child))
        }
        let handle = orrery_sandbox_handle(number)
        guard handle >= 0 else { throw Self.failure("cannot track the program's process", errno) }
        child.root = number
        child.rootHandle = handle
        if processes > 0 {
            let failed = orrery_sandbox_limit_processes(number, processes, user)
            guard failed == 0 else { throw Self.failure("cannot limit the number of processes", failed) }
        }
        let letters = Array("g\n".utf8)
        guard write(gate.gate, letters, 2) == 2 else {
            throw Self.failure("cannot start the program in the sandbox", errno)
        }
        guard !Self.read(gate.ready, until: { !$0.isEmpty }).isEmpty else {
            throw Problem(.failed, "sandbox", complaint(of: child))
        }
        guard write(gate.go, letters, 2) == 2 else {
            throw Self.failure("cannot start the program in the sandbox", errno)
        }
    }

    /// What comes through a pipe within five seconds, until it is enough.
    private static func read(_ end: Int32, until isEnough: ([UInt8]) -> Bool) -> [UInt8] {
        var said: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        let deadline = Clock.now(.monotonic) + 5
        while !isEnough(said), said.count < 65_536 {
            var polled = pollfd(fd: end, events: Int16(POLLIN), revents: 0)
            let left = deadline - Clock.now(.monotonic)
            guard left > 0 else { break }
            let ready = poll(&polled, 1, Int32(left * 1000) + 1)
            if ready < 0, errno == EINTR { continue }
            let count = ready > 0 ? Glibc.read(end, &chunk, chunk.count) : 0
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            said += chunk[..<count]
        }
        return said
    }

    /// Returns bubblewrap's own error message if it does not start.
    private func complaint(of child: Child) -> String {
        var chunk = [UInt8](repeating: 0, count: 400)
        var polled = pollfd(fd: child.errors, events: Int16(POLLIN), revents: 0)
        let count = poll(&polled, 1, 1000) > 0 ? max(0, Glibc.read(child.errors, &chunk, chunk.count)) : 0
        let line = String(decoding: chunk[..<count].prefix { $0 >= 0x20 }, as: UTF8.self)
        return line.isEmpty ? "bubblewrap did not start" : line
    }

    static func failure(_ problem: String, _ code: Int32) -> Problem {
        Problem(.failed, "sandbox", "\(problem): \(String(cString: strerror(code)))")
    }

    /// The shim's report of a failed start.
    static func failure(_ report: orrery_sandbox_report) -> Problem {
        failure("could not \(String(cString: orrery_sandbox_step_name(report.step)))", report.value)
    }
}

extension SandboxStart.Child {
    /// Kills all its processes, waits for it and gives its status.
    @discardableResult
    func end() -> Int32 {
        _ = orrery_sandbox_kill(rootHandle)
        if rootHandle != handle { _ = orrery_sandbox_kill(handle) }
        return reap()
    }

    /// Waits for it without killing it.
    func reap() -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        close(handle)
        if life >= 0 { close(life) }
        if rootHandle != handle {
            // Bubblewrap itself ends before what it started does; the namespace is empty once its first process is gone.
            _ = orrery_sandbox_kill(rootHandle)
            var polled = pollfd(fd: rootHandle, events: Int16(POLLIN), revents: 0)
            while poll(&polled, 1, 1000) < 0, errno == EINTR {}
            close(rootHandle)
        }
        return status
    }
}

/// The kernel's version.
struct KernelVersion: Comparable {
    var major: Int
    var minor: Int

    init(_ major: Int, _ minor: Int) { (self.major, self.minor) = (major, minor) }

    static let current: KernelVersion = {
        var names = utsname()
        guard uname(&names) == 0 else { return KernelVersion(0, 0) }
        let release = withUnsafeBytes(of: names.release) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        let parts = release.split { !$0.isNumber }.prefix(2).map { Int($0) ?? 0 }
        return parts.count == 2 ? KernelVersion(parts[0], parts[1]) : KernelVersion(0, 0)
    }()

    static func < (one: KernelVersion, other: KernelVersion) -> Bool {
        (one.major, one.minor) < (other.major, other.minor)
    }
}
