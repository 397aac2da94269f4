internal import Glibc
internal import System

/// A program that is given bytes and gives lines: it runs in a group of its own, which ends with it.
final class ChildProgram {
    /// What `follow` gives in the order in which it happens.
    enum Event {
        /// A line without its end; valid until the next.
        case line([UInt8])
        case lineTooLong
    }

    enum Ending: Equatable {
        /// The caller wanted no more lines.
        case enough
        case exited(status: Int32)
        case killed(signal: Int32)
        case cancelled
        case timedOut
        case tooMuchOutput
    }

    struct Limits {
        var seconds = 3600.0
        var line = 8 << 20
        var output = 256 << 20
        /// After its last line a program may take so long to end.
        var secondsToEnd = 1.0
    }

    private let child: pid_t
    private var input: Int32
    private let output: Int32
    private let errors: Int32
    private let limits: Limits
    /// The last bytes of its standard error.
    private var complaint: [UInt8] = []
    private var isReaped = false

    /// Starts it; no shell is between.
    ///
    /// - Throws: why it does not start.
    init(_ words: [String], limits: Limits = Limits()) throws(Problem) {
        self.limits = limits
        let launch = try ProgramLaunch(words)
        (child, input, output, errors) = (launch.child, launch.input, launch.output, launch.errors)
    }

    deinit {
        closeInput()
        close(output)
        close(errors)
        if !isReaped { _ = reap() }
    }

    /// Writes `bytes` to it and reads its lines, until it ends or `take` wants no more; then its group is ended.
    ///
    /// - Parameter take: false says that no more is wanted.
    func follow(writing bytes: [UInt8], isCancelled: () -> Bool, take: (Event) -> Bool) -> Ending {
        let start = Clock.now(.monotonic)
        var written = 0
        var reader = LineReader(limits: limits)
        var errorsAreOpen = true
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        var hasEnded = false
        while true {
            if isCancelled() { return end(with: .cancelled) }
            guard Clock.now(.monotonic) - start < limits.seconds else { return end(with: .timedOut) }
            var polled = [pollfd(fd: output, events: Int16(POLLIN), revents: 0)]
            if errorsAreOpen { polled.append(pollfd(fd: errors, events: Int16(POLLIN), revents: 0)) }
            if input >= 0 { polled.append(pollfd(fd: input, events: Int16(POLLOUT), revents: 0)) }
            let ready = poll(&polled, nfds_t(polled.count), 10)
            // A child of the program may keep the pipe open after it has ended.
            if ready <= 0 {
                if hasEnded { return end(with: nil) }
                hasEnded = isOver
                continue
            }
            for entry in polled where entry.revents != 0 {
                if entry.fd == input {
                    written += write(bytes[written...])
                    if written == bytes.count { closeInput() }
                } else if entry.fd == errors {
                    errorsAreOpen = readErrors(&chunk)
                } else {
                    let count = read(output, &chunk, chunk.count)
                    if count < 0, errno == EAGAIN || errno == EINTR { continue }
                    if count <= 0 {
                        guard reader.end(take) else { return end(with: .enough) }
                        return end(with: nil)
                    }
                    switch reader.take(chunk[..<count], take) {
                    case .more: break
                    case .enough: return end(with: .enough)
                    case .tooMuch: return end(with: .tooMuchOutput)
                    }
                }
            }
        }
    }

    /// The last line of its standard error that is not empty.
    var lastComplaint: String {
        let lines = complaint.split(separator: UInt8(ascii: "\n"))
        let last = lines.last { $0.contains { $0 > 0x20 } } ?? []
        return String(decoding: last, as: UTF8.self)
    }

    /// Writes what the pipe accepts; if the reader is gone, the rest counts as written.
    private func write(_ bytes: ArraySlice<UInt8>) -> Int {
        var pipeSignal = sigset_t()
        var before = sigset_t()
        sigemptyset(&pipeSignal)
        sigaddset(&pipeSignal, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &pipeSignal, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        let count = bytes.withUnsafeBytes { Glibc.write(input, $0.baseAddress, $0.count) }
        if count >= 0 { return count }
        if errno == EAGAIN || errno == EINTR { return 0 }
        var none = timespec()
        sigtimedwait(&pipeSignal, nil, &none)
        return bytes.count
    }

    private func readErrors(_ chunk: inout [UInt8]) -> Bool {
        let count = read(errors, &chunk, chunk.count)
        if count < 0 { return errno == EAGAIN || errno == EINTR }
        complaint += chunk[..<count]
        if complaint.count > 8192 { complaint.removeFirst(complaint.count - 4096) }
        return count > 0
    }

    private func closeInput() {
        if input >= 0 { close(input) }
        input = -1
    }

    /// Whether it has ended; its number stays taken until it is reaped.
    private var isOver: Bool {
        var information = siginfo_t()
        return waitid(P_PID, id_t(child), &information, WEXITED | WNOHANG | WNOWAIT) == 0
            && information.si_signo == SIGCHLD
    }

    /// Ends its group and waits for it; without a reason, after the time that a program has to end by itself.
    private func end(with reason: Ending?) -> Ending {
        closeInput()
        if reason == nil || reason == .enough {
            let start = Clock.now(.monotonic)
            var chunk = [UInt8](repeating: 0, count: 4096)
            while !isOver, Clock.now(.monotonic) - start < limits.secondsToEnd {
                var polled = pollfd(fd: errors, events: Int16(POLLIN), revents: 0)
                if poll(&polled, 1, 2) > 0, !readErrors(&chunk) { usleep(500) }
            }
            while readErrors(&chunk), complaintGrows(&chunk) {}
        }
        let own = isOver
        let status = reap()
        if let reason { return reason }
        // One that closed its output and went on was ended by us: its answer was whole.
        guard own else { return .exited(status: 0) }
        return status & 0x7F == 0 ? .exited(status: (status >> 8) & 0xFF) : .killed(signal: status & 0x7F)
    }

    /// Whether there is more of its standard error to be read at once.
    private func complaintGrows(_ chunk: inout [UInt8]) -> Bool {
        var polled = pollfd(fd: errors, events: Int16(POLLIN), revents: 0)
        return poll(&polled, 1, 0) > 0 && polled.revents & Int16(POLLIN) != 0
    }

    private func reap() -> Int32 {
        isReaped = true
        kill(-child, SIGKILL)
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        return status
    }
}

/// Splits output into lines within limits.
private struct LineReader {
    enum Verdict {
        case more, enough, tooMuch
    }

    let limits: ChildProgram.Limits
    private var line: [UInt8] = []
    private var total = 0

    init(limits: ChildProgram.Limits) { self.limits = limits }

    mutating func take(_ bytes: ArraySlice<UInt8>, _ body: (ChildProgram.Event) -> Bool) -> Verdict {
        total += bytes.count
        guard total <= limits.output else { return .tooMuch }
        var rest = bytes
        while let feed = rest.firstIndex(of: UInt8(ascii: "\n")) {
            line += rest[..<feed]
            guard end(body) else { return .enough }
            rest = rest[(feed + 1)...]
        }
        line += rest
        return line.count <= limits.line || end(body) ? .more : .enough
    }

    /// Hands out what is left as a line.
    mutating func end(_ body: (ChildProgram.Event) -> Bool) -> Bool {
        defer { line.removeAll(keepingCapacity: true) }
        guard line.count <= limits.line else {
            _ = body(.lineTooLong)
            return false
        }
        return line.allSatisfy { $0 <= 0x20 } || body(.line(line))
    }
}
