internal import Glibc

extension ChildProcess {
    /// Limits of a program.
    public struct Limits: Sendable {
        /// Seconds until the program is killed.
        public var seconds: Double
        /// Maximum number of bytes on standard output.
        public var output: Int
        /// Number of bytes of standard error to return; the rest is discarded.
        public var errors: Int
        /// Whether the program is killed at the output limit; otherwise, the rest is discarded.
        public var endsAtOutputLimit: Bool
        /// Address space in bytes; `nil` for no limit.
        public var memory: Int?

        /// Creates limits; by default, only the output is limited.
        public init(
            seconds: Double = .infinity, output: Int = 4 << 20, errors: Int = 4 << 20, endsAtOutputLimit: Bool = false,
            memory: Int? = nil
        ) {
            self.seconds = seconds
            self.output = output
            self.errors = errors
            self.endsAtOutputLimit = endsAtOutputLimit
            self.memory = memory
        }
    }

    /// The output of a program that has ended.
    public struct Output: Sendable {
        /// The reason for killing a program.
        public enum Stop: Sendable {
            /// The program reached the time limit.
            case timeLimit
            /// The program reached the output limit.
            case outputLimit
            /// The caller canceled the program.
            case cancellation
        }

        /// Exit status or signal.
        public var ending: Ending
        /// Reason for which this process killed the program; `nil` if the program ended by itself.
        public var stop: Stop?
        /// Bytes of standard output, up to the limit.
        public var output: [UInt8]
        /// Bytes of standard error, up to the limit.
        public var errors: [UInt8]

        /// Standard output as text.
        public var text: String { String(decoding: output, as: UTF8.self) }
        /// Last line of standard error that is not blank; empty if there is none.
        public var lastError: String {
            let lines = String(decoding: errors, as: UTF8.self).split(whereSeparator: \.isNewline)
            return String(lines.last { $0.contains { !$0.isWhitespace } } ?? "")
        }
    }

    /// Runs a program without input until it ends or reaches a limit, and kills all processes that it started.
    ///
    /// - Parameters:
    ///   - launch: Program to run; its standard streams and process group are replaced.
    ///   - joinsErrors: Whether standard error is part of the output.
    ///   - isCancelled: Called with the elapsed seconds, about 50 times per second; `true` kills the program.
    public static func run(
        _ launch: Launch, limits: Limits = Limits(), joinsErrors: Bool = false,
        isCancelled: (_ seconds: Double) -> Bool = { _ in false }
    ) throws(Launch.Failure) -> Output {
        var launch = launch
        if let memory = limits.memory {
            // posix_spawn sets no limits: the shell sets one and becomes the program. It receives the words as arguments, not as code.
            launch.words = ["/bin/sh", "-c", "ulimit -v \(memory >> 10) && exec \"$@\"", "sh"] + launch.words
            launch.path = "/bin/sh"
        }
        let process = try start(launch, joinsErrors: joinsErrors)
        var result = Output(ending: .exited(status: 0), stop: nil, output: [], errors: [])
        process.collect(into: &result, limits: limits, isCancelled: isCancelled)
        for end in [process.output, process.errors] where end >= 0 { close(end) }
        result.ending = process.finish()
        return result
    }

    private func collect(into result: inout Output, limits: Limits, isCancelled: (Double) -> Bool) {
        let start = Clock.now(.monotonic)
        var open = Set([output, errors].filter { $0 >= 0 })
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while !open.isEmpty {
            let elapsed = Clock.now(.monotonic) - start
            if isCancelled(elapsed) { return result.stop = .cancellation }
            if elapsed >= limits.seconds { return result.stop = .timeLimit }
            var polled = open.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard poll(&polled, nfds_t(polled.count), 20) > 0 else { continue }
            for entry in polled where entry.revents != 0 {
                let count = read(entry.fd, &chunk, chunk.count)
                if count > 0, entry.fd == output {
                    let room = limits.output - result.output.count
                    result.output += chunk[..<min(count, room)]
                    if count > room, limits.endsAtOutputLimit { return result.stop = .outputLimit }
                } else if count > 0 {
                    result.errors += chunk[..<min(count, limits.errors - result.errors.count)]
                } else if count == 0 || errno != EINTR {
                    open.remove(entry.fd)
                }
            }
        }
    }
}
