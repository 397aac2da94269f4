internal import CSandbox
internal import Glibc
public import System

extension Sandbox {
    /// Runs a program to its end, on the calling thread.
    ///
    /// - Parameters:
    ///   - program: Absolute path that is visible in the sandbox.
    ///   - input: Data for its standard input.
    ///   - environment: All variables except PATH, HOME, TMPDIR, and LANG, which the sandbox sets unless they are
    ///     given.
    ///   - isCancelled: Checked at least every 10 ms; true kills it.
    /// - Throws: An error if it was not run; what happens to it while it runs is an outcome.
    public func run(
        _ program: String, _ arguments: [String] = [], input: [UInt8] = [],
        environment: [(name: String, value: String)] = [], limits: SandboxLimits = SandboxLimits(),
        isCancelled: () -> Bool = { false }
    ) throws(Problem) -> SandboxOutcome {
        guard program.hasPrefix("/"), access(program, X_OK) == 0 else {
            throw Problem(.invalid, "sandbox", "\(program.prefix(200)) is not an executable program")
        }
        let shown = views.contains { $0.path == program || program.hasPrefix($0.path + "/") }
        guard shown, !program.contains("/../") else {
            throw Problem(
                .invalid, "sandbox", "\(program.prefix(200)) is not visible in the sandbox",
                remedy: "Add its folder to the readable paths.")
        }
        let words = [program] + arguments + environment.flatMap { [$0.name, $0.value] }
        guard !words.contains(where: { $0.utf8.contains(0) }) else {
            throw Problem(.failed, "sandbox", "an argument or environment variable contains a zero byte")
        }
        let standard = [
            ("PATH", "/usr/local/bin:/usr/bin:/bin"), ("HOME", "/tmp"), ("TMPDIR", "/tmp"), ("LANG", "C.UTF-8"),
        ]
        let own = standard.filter { one in !environment.contains { $0.name == one.0 } }.map {
            (name: $0.0, value: $0.1)
        }
        let child = try SandboxStart(
            sandbox: self, program: program, arguments: arguments, environment: own + environment, limits: limits
        ).start()
        var watch = SandboxWatch(child: child, input: input, limits: limits, tier: tier)
        return try watch.follow(isCancelled)
    }
}

/// Supervision of a running program: writes its input, reads its output, and ends it when it reaches a limit.
private struct SandboxWatch {
    let child: SandboxStart.Child
    let input: [UInt8]
    let limits: SandboxLimits
    let tier: SandboxTier
    private let start = Clock.now(.monotonic)
    private var written = 0
    private var output: [UInt8] = []
    private var complaint: [UInt8] = []
    private var report: [UInt8] = []
    private var open: [Int32] = []
    private var cpuSeconds = 0.0
    private var peakMemory = 0
    /// Whether a process has begun to run another program. Between fork and exec it still counts the memory of this one.
    private var hasStarted = false
    private var kernelMemory: KernelMemory
    private var chunk = [UInt8](repeating: 0, count: 1 << 16)

    init(child: SandboxStart.Child, input: [UInt8], limits: SandboxLimits, tier: SandboxTier) {
        (self.child, self.input, self.limits, self.tier) = (child, input, limits, tier)
        // The other tier tells the kernel how many files there may be; bubblewrap cannot.
        kernelMemory = KernelMemory(root: child.root, countsFiles: tier == .bubblewrap)
        open = [child.input, child.output, child.errors, child.report]
        for end in open { _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK) }
    }

    mutating func follow(_ isCancelled: () -> Bool) throws(Problem) -> SandboxOutcome {
        defer {
            for end in open { close(end) }
            kernelMemory.end()
        }
        var nextLook = 0.0
        var ending: SandboxOutcome.Ending?
        while ending == nil {
            let now = Clock.now(.monotonic)
            if isCancelled() {
                ending = .cancelled
                break
            }
            if now - start >= limits.seconds {
                ending = .limit(.wallTime)
                break
            }
            if now >= nextLook {
                nextLook = now + 0.01
                ending = look(at: now)
                if ending != nil { break }
            }
            var polled = open.map { end in
                pollfd(fd: end, events: Int16(end == child.input ? POLLOUT : POLLIN), revents: 0)
            }
            // The descriptor of a process can be read once it has ended.
            polled.append(pollfd(fd: child.handle, events: Int16(POLLIN), revents: 0))
            guard poll(&polled, nfds_t(polled.count), 10) > 0 else { continue }
            for entry in polled where entry.revents != 0 && entry.fd != child.handle { serve(entry.fd) }
            if output.count > limits.output { ending = .limit(.output) }
            if ending == nil, polled[polled.count - 1].revents != 0 { return try ended() }
        }
        child.end()
        drain()
        return outcome(ending ?? .cancelled)
    }

    /// Checks the limits that the kernel does not enforce.
    private mutating func look(at time: Double) -> SandboxOutcome.Ending? {
        var tree = ProcessTree(below: child.root, limit: 4 * limits.processes + 64)
        hasStarted = hasStarted || tree.members.contains { ProcessTree.executable(of: $0) != ProcessTree.ownExecutable }
        if !hasStarted { tree.memory = 0 }
        peakMemory = max(peakMemory, tree.memory)
        cpuSeconds = max(cpuSeconds, tree.cpuSeconds)
        if tree.processes > limits.processes { return .limit(.processes) }
        let others = kernelMemory.bytes(of: tree, at: time, limit: limits.memory)
        if tree.memory > limits.memory - others { return .limit(.memory) }
        if tree.cpuSeconds > limits.cpuSeconds { return .limit(.cpuTime) }
        return nil
    }

    /// Its output up to the end has been read, and its child processes are gone.
    private mutating func ended() throws(Problem) -> SandboxOutcome {
        let status = child.reap()
        drain()
        var own: Int32 = status
        if tier == .namespaces || !report.isEmpty {
            guard report.count >= MemoryLayout<orrery_sandbox_report>.size else {
                throw Problem(.failed, "sandbox", "the sandbox stopped before its program ended")
            }
            let told = report.withUnsafeBytes { $0.loadUnaligned(as: orrery_sandbox_report.self) }
            guard told.step == 0 else { throw SandboxStart.failure(told) }
            own = told.value
        }
        let signal = own & 0x7F
        if signal != 0 { return outcome(Self.ending(signal: signal)) }
        let code = (own >> 8) & 0xFF
        // Bubblewrap tells a signal as 128 and its number, as shells do.
        if tier == .bubblewrap, code > 128, code < 160 { return outcome(Self.ending(signal: code - 128)) }
        return outcome(output.count > limits.output ? .limit(.output) : .exited(code))
    }

    private static func ending(signal: Int32) -> SandboxOutcome.Ending {
        signal == SIGXCPU ? .limit(.cpuTime) : .signal(signal)
    }

    private func outcome(_ ending: SandboxOutcome.Ending) -> SandboxOutcome {
        SandboxOutcome(
            ending: ending, output: Array(output.prefix(limits.output)), standardError: complaint.suffix(limits.errors),
            seconds: Clock.now(.monotonic) - start, cpuSeconds: cpuSeconds, peakMemory: peakMemory, tier: tier)
    }

    /// Reads what is left in the pipes, whose writers are all gone.
    private mutating func drain() {
        for end in open where end != child.input {
            var rounds = 0
            while open.contains(end), rounds < 64, serve(end) { rounds += 1 }
        }
    }

    /// Transfers the bytes that a descriptor can transfer now; returns `false` if there are none.
    @discardableResult
    private mutating func serve(_ end: Int32) -> Bool {
        if end == child.input { return feed() }
        let count = read(end, &chunk, chunk.count)
        if count < 0, errno == EAGAIN || errno == EINTR { return false }
        guard count > 0 else {
            drop(end)
            return false
        }
        switch end {
        case child.output:
            if output.count <= limits.output { output += chunk[..<count] }
        case child.report: report += chunk[..<min(count, 64)]
        default:
            complaint += chunk[..<count]
            if complaint.count > 2 * limits.errors + chunk.count {
                complaint.removeFirst(complaint.count - limits.errors)
            }
        }
        return true
    }

    private mutating func feed() -> Bool {
        var pipeSignal = sigset_t()
        var before = sigset_t()
        sigemptyset(&pipeSignal)
        sigaddset(&pipeSignal, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &pipeSignal, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        var count = 0
        if written < input.count {
            count = input[written...].withUnsafeBytes { write(child.input, $0.baseAddress, $0.count) }
            if count < 0, errno == EAGAIN || errno == EINTR { return false }
            if count < 0 {
                var none = timespec()
                sigtimedwait(&pipeSignal, nil, &none)
            }
        }
        written = count < 0 ? input.count : written + count
        if written == input.count { drop(child.input) }
        return true
    }

    private mutating func drop(_ end: Int32) {
        open.removeAll { $0 == end }
        close(end)
    }
}
