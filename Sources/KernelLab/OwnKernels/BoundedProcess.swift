internal import Glibc
internal import System
internal import Workspace

/// A program that is given so much time and may say so much; then it is ended, with all that it started.
struct BoundedProcess {
    struct Result {
        /// The exit status; `nil` if a signal ended it.
        var status: Int32?
        var signal: Int32?
        var timedOut = false
        var output: String
        var errors: String
    }

    var program: String
    var arguments: [String]
    var seconds: Double
    /// Called with the elapsed seconds, several times per second.
    var progress: (Double) -> Void = { _ in }

    private static let mostOutput = 4 << 20

    /// Runs it to its end, its time or the person's cancel, whichever comes first.
    ///
    /// - Throws: `CancellationError`; `errno` as a sentence where it could not be started.
    func run(_ cancellation: Cancellation) throws -> Result {
        var outEnds: [Int32] = [-1, -1]
        var errorEnds: [Int32] = [-1, -1]
        guard pipe(&outEnds) == 0, pipe(&errorEnds) == 0 else {
            for end in outEnds + errorEnds where end >= 0 { close(end) }
            throw OwnKernelError(program, "cannot create a pipe: \(String(cString: strerror(errno)))")
        }
        for end in outEnds + errorEnds { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, outEnds[1], STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, errorEnds[1], STDERR_FILENO)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        attributes.resetSignals(adding: Int32(POSIX_SPAWN_SETPGROUP))
        posix_spawnattr_setpgroup(&attributes, 0)
        var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        // A fault is said in a sentence: a backtrace would only cost time.
        let backtrace = strdup("SWIFT_BACKTRACE=enable=no")
        defer { free(backtrace) }
        var variables = Self.environment.filter { !String(cString: $0).hasPrefix("SWIFT_BACKTRACE=") }.map(
            Optional.some)
        variables += [backtrace, nil]
        var child = pid_t()
        let failed = posix_spawnp(&child, program, &actions, &attributes, &words, &variables)
        close(outEnds[1])
        close(errorEnds[1])
        guard failed == 0 else {
            for end in [outEnds[0], errorEnds[0]] { close(end) }
            throw OwnKernelError(program, "cannot start the program: \(String(cString: strerror(failed)))")
        }
        var result = follow(output: outEnds[0], errors: errorEnds[0], cancellation)
        kill(-child, SIGKILL)
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        if status & 0x7F == 0 { result.status = (status >> 8) & 0xFF } else { result.signal = status & 0x7F }
        try cancellation.check()
        return result
    }

    /// Reads until both outputs are closed, or its time is over.
    private func follow(output: Int32, errors: Int32, _ cancellation: Cancellation) -> Result {
        var result = Result(output: "", errors: "")
        var collected: [Int32: [UInt8]] = [output: [], errors: []]
        var openEnds: Set<Int32> = [output, errors]
        let start = Self.now
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while !openEnds.isEmpty, !cancellation.isCancelled {
            let passed = Self.now - start
            guard passed < seconds else {
                result.timedOut = true
                break
            }
            progress(passed)
            var polled = openEnds.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard poll(&polled, nfds_t(polled.count), 20) > 0 else { continue }
            for entry in polled where entry.revents != 0 {
                let count = read(entry.fd, &chunk, chunk.count)
                if count > 0 {
                    if collected[entry.fd, default: []].count < Self.mostOutput {
                        collected[entry.fd, default: []] += chunk[..<count]
                    }
                } else if count == 0 || errno != EINTR {
                    openEnds.remove(entry.fd)
                }
            }
        }
        close(output)
        close(errors)
        result.output = String(decoding: collected[output] ?? [], as: UTF8.self)
        result.errors = String(decoding: collected[errors] ?? [], as: UTF8.self)
        return result
    }

    private static var environment: [UnsafeMutablePointer<CChar>] {
        var found: [UnsafeMutablePointer<CChar>] = []
        var place = environ
        while let variable = place.pointee {
            found.append(variable)
            place += 1
        }
        return found
    }

    private static var now: Double {
        Clock.now(.monotonic)
    }
}
