public import Glibc
internal import Synchronization

/// A program in its own process group, with pipes to its standard input, output, and error.
///
/// Close the descriptors and call ``finish()`` when the program is no longer needed.
public struct ChildProcess: Sendable {
    /// Process ID, which is also the ID of the process group.
    public let identifier: pid_t
    /// Writing end of the program's standard input; -1 if it has no input.
    public let input: Int32
    /// Reading end of the program's standard output.
    public let output: Int32
    /// Reading end of the program's standard error; -1 if it is joined to standard output.
    public let errors: Int32

    /// Exit status of a program, or the signal that killed it.
    public enum Ending: Hashable, Sendable {
        /// The program exited.
        case exited(status: Int32)
        /// A signal killed the program.
        case killed(signal: Int32)

        /// Exit status as shells report it: 128 plus the signal for a killed program.
        public var status: Int32 {
            switch self {
            case .exited(let status): status
            case .killed(let signal): 128 + signal
            }
        }
    }

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - launch: Program to start; its standard streams and process group are replaced.
    ///   - hasInput: Whether to open a pipe to its standard input.
    ///   - joinsErrors: Whether standard error goes to the pipe of standard output.
    public static func start(
        _ launch: Launch, hasInput: Bool = false, joinsErrors: Bool = false
    ) throws(Launch.Failure) -> ChildProcess {
        try Launch.starting.withLock { _ throws(Launch.Failure) in
            let pipes = Pipes()
            do throws(Launch.Failure) {
                return try start(launch, hasInput, joinsErrors, pipes)
            } catch {
                pipes.closeAll()
                throw error
            }
        }
    }

    private static func start(
        _ launch: Launch, _ hasInput: Bool, _ joinsErrors: Bool, _ pipes: Pipes
    ) throws(Launch.Failure) -> ChildProcess {
        var launch = launch
        let input = hasInput ? try pipes.open() : nil
        let output = try pipes.open()
        let errors = joinsErrors ? nil : try pipes.open()
        launch.input = input.map { .descriptor($0.reading) } ?? .null
        launch.output = .descriptor(output.writing)
        launch.errors = .descriptor((errors ?? output).writing)
        launch.group = .new
        let child = try launch.spawn()
        for end in [input?.reading, output.writing, errors?.writing] { if let end { close(end) } }
        return ChildProcess(
            identifier: child, input: input?.writing ?? -1, output: output.reading, errors: errors?.reading ?? -1)
    }

    /// Pipes that are closed if the program does not start.
    private final class Pipes {
        private var ends: [Int32] = []

        func open() throws(Launch.Failure) -> (reading: Int32, writing: Int32) {
            var pair: [Int32] = [-1, -1]
            guard pipe(&pair) == 0 else { throw Launch.Failure(code: errno) }
            for end in pair { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            ends += pair
            return (pair[0], pair[1])
        }

        func closeAll() { for end in ends { close(end) } }
    }

    /// Whether the program has ended; its process ID stays valid until ``finish()``.
    public var hasEnded: Bool {
        var information = siginfo_t()
        return waitid(P_PID, id_t(identifier), &information, WEXITED | WNOHANG | WNOWAIT) == 0
            && information.si_signo == SIGCHLD
    }

    /// Kills the program's process group, waits for the program, and returns how it ended.
    @discardableResult
    public func finish() -> Ending {
        kill(-identifier, SIGKILL)
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        return status & 0x7F == 0 ? .exited(status: (status >> 8) & 0xFF) : .killed(signal: status & 0x7F)
    }
}
