internal import Glibc
internal import Providers

/// Limits of a user's program for each line.
public struct ProgramLimits: Hashable, Sendable {
    /// One day.
    public static let mostSeconds = 86_400.0

    /// Seconds from a line to its answer; the start of the program counts for its first line.
    public var seconds: Double
    /// Maximum bytes of an answer.
    public var line: Int
    /// Bytes of standard error to store for each line, the last ones.
    public var errors: Int
    /// Maximum number of lines in a row without an answer.
    public var failures: Int

    public init(seconds: Double = 60, line: Int = 8 << 20, errors: Int = 16 << 10, failures: Int = 10) {
        self.seconds = seconds
        self.line = line
        self.errors = errors
        self.failures = failures
    }
}

/// A running program: one line in, one line out. The owner must end it.
struct KeptProgram: Sendable {
    let launch: ProgramLaunch
    let limits: ProgramLimits
    /// Output that has not been read as an answer.
    var rest: [UInt8] = []
    /// Number of answered requests.
    var answered = 0
    /// Whether the program writes back line numbers.
    var echoes = false
    /// Whether more output may come.
    private(set) var outputIsOpen = true
    private var errorsAreOpen = true
    private var complaint: [UInt8] = []
    private var chunk = [UInt8](repeating: 0, count: 1 << 16)

    init(_ launch: ProgramLaunch, limits: ProgramLimits) {
        self.launch = launch
        self.limits = limits
    }

    /// Kills the program with all its children.
    func end() {
        kill(-launch.child, SIGKILL)
        var status: Int32 = 0
        while waitpid(launch.child, &status, 0) < 0, errno == EINTR {}
        for end in [launch.input, launch.output, launch.errors] { close(end) }
    }

    /// Whether the program has ended by itself.
    var hasEnded: Bool { exit != nil }

    /// Exit information; `nil` while the program runs.
    private var exit: siginfo_t? {
        var information = siginfo_t()
        let isTold = waitid(P_PID, id_t(launch.child), &information, WEXITED | WNOHANG | WNOWAIT) == 0
        return isTold && information.si_signo == SIGCHLD ? information : nil
    }

    /// Standard error since the last line was sent.
    var standardError: String { String(decoding: complaint.suffix(limits.errors), as: UTF8.self) }

    /// Clears the standard error.
    mutating func begin() { complaint = [] }

    /// Waits up to `seconds` for output, or for room to write if `isWriting`; output goes to `rest`.
    mutating func wait(_ seconds: Double, isWriting: Bool = false) {
        var polled = [pollfd(fd: outputIsOpen ? launch.output : -1, events: Int16(POLLIN), revents: 0)]
        polled.append(pollfd(fd: errorsAreOpen ? launch.errors : -1, events: Int16(POLLIN), revents: 0))
        if isWriting { polled.append(pollfd(fd: launch.input, events: Int16(POLLOUT), revents: 0)) }
        // poll() has millisecond resolution.
        if seconds < 0.001 { usleep(UInt32(seconds * 1e6)) }
        guard poll(&polled, nfds_t(polled.count), Int32(seconds * 1e3)) > 0 else { return }
        if polled[0].revents != 0 { _ = readOutput() }
        if polled[1].revents != 0 { _ = readErrors() }
    }

    /// Reads available output, up to slightly more than an answer may have.
    mutating func drain() {
        while outputIsOpen, rest.count <= limits.line, readOutput() {}
    }

    /// Reads available standard error.
    mutating func drainErrors() {
        while readErrors() {}
    }

    /// Reads output, and returns whether there was any.
    private mutating func readOutput() -> Bool {
        let count = read(launch.output, &chunk, chunk.count)
        if count < 0, errno == EAGAIN || errno == EINTR { return false }
        guard count > 0 else {
            outputIsOpen = false
            return false
        }
        rest += chunk[..<count]
        return true
    }

    private mutating func readErrors() -> Bool {
        let count = read(launch.errors, &chunk, chunk.count)
        if count < 0, errno == EAGAIN || errno == EINTR { return false }
        guard count > 0 else {
            errorsAreOpen = false
            return false
        }
        complaint += chunk[..<count]
        if complaint.count > 2 * limits.errors + chunk.count { complaint.removeFirst(complaint.count - limits.errors) }
        return true
    }

    /// Writes as much as the pipe accepts; if the reader is gone, everything counts as written.
    ///
    /// - Returns: Number of bytes written.
    func write(_ bytes: ArraySlice<UInt8>) -> Int {
        guard !bytes.isEmpty else { return 0 }
        var pipeSignal = sigset_t()
        var before = sigset_t()
        sigemptyset(&pipeSignal)
        sigaddset(&pipeSignal, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &pipeSignal, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        let count = bytes.withUnsafeBytes { Glibc.write(launch.input, $0.baseAddress, $0.count) }
        if count >= 0 { return count }
        if errno == EAGAIN || errno == EINTR { return 0 }
        var none = timespec()
        sigtimedwait(&pipeSignal, nil, &none)
        return bytes.count
    }

    /// Whether the program has read all its input.
    var hasReadAll: Bool {
        var count: Int32 = 0
        return ioctl(launch.input, UInt(FIONREAD), &count) != 0 || count == 0
    }

    /// Returns how the program ended, as the subject of a sentence.
    mutating func ending() -> String {
        // The program closed its output: give it a moment to end and to say why.
        for _ in 0..<50 {
            drainErrors()
            if let information = exit {
                drainErrors()
                let status = information._sifields._sigchld.si_status
                return information.si_code == CLD_EXITED
                    ? "the program exited with status \(status)" : "the program was killed by signal \(status)"
            }
            poll(nil, 0, 10)
        }
        return "the program closed its output"
    }
}
