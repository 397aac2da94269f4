internal import Glibc
internal import Synchronization
internal import System
internal import Workspace

/// A program's output, with an end to its time, its memory and its talk.
struct ChildOutput {
    enum Ending: Equatable {
        case exited(Int32)
        case killed(Int32)
        case timedOut
        case tooMuch
        case missing
    }

    var ending: Ending
    var output: [UInt8] = []
    var complaint = ""

    private static let starting = Mutex(())

    /// Runs it to its end or its limits; nothing of it is left behind.
    static func of(_ words: [String], seconds: Double, most: Int, memory: Int) -> ChildOutput {
        let failure: Int32
        var ends: [Int32] = [-1, -1, -1, -1]
        var child = pid_t()
        (failure, child) = starting.withLock { _ in start(words, memory: memory, &ends) }
        for end in [ends[1], ends[3]] where end >= 0 { close(end) }
        defer { for end in [ends[0], ends[2]] where end >= 0 { close(end) } }
        guard failure == 0 else {
            return ChildOutput(ending: .exited(126), complaint: String(cString: strerror(failure)))
        }
        var result = follow(ends[0], ends[2], seconds: seconds, most: most)
        kill(-child, SIGKILL)
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        if result.ending == .exited(0) {
            let signal = status & 0x7F
            let code = (status >> 8) & 0xFF
            // What a shell says of a program that it does not find.
            result.ending = signal != 0 ? .killed(signal) : code == 127 ? .missing : .exited(code)
        }
        return result
    }

    private static func start(_ words: [String], memory: Int, _ ends: inout [Int32]) -> (Int32, pid_t) {
        var out: [Int32] = [-1, -1]
        var errors: [Int32] = [-1, -1]
        guard pipe(&out) == 0 else { return (errno, 0) }
        (ends[0], ends[1]) = (out[0], out[1])
        guard pipe(&errors) == 0 else { return (errno, 0) }
        (ends[2], ends[3]) = (errors[0], errors[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, errors[1], STDERR_FILENO)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        attributes.resetSignals(adding: Int32(POSIX_SPAWN_SETPGROUP))
        posix_spawnattr_setpgroup(&attributes, 0)
        // posix_spawn sets no limits: the shell does, and becomes the program. No word of ours is its code.
        let line = ["/bin/sh", "-c", "ulimit -v \(memory >> 10) && exec \"$@\"", "sh"] + words
        var arguments: [UnsafeMutablePointer<CChar>?] = line.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var child = pid_t()
        let failure = posix_spawn(&child, "/bin/sh", &actions, &attributes, &arguments, environ)
        return (failure, child)
    }

    private static func follow(_ output: Int32, _ errors: Int32, seconds: Double, most: Int) -> ChildOutput {
        var result = ChildOutput(ending: .exited(0))
        var complaint: [UInt8] = []
        var open: Set<Int32> = [output, errors]
        let start = now
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while !open.isEmpty {
            let left = seconds - (now - start)
            guard left > 0 else {
                result.ending = .timedOut
                break
            }
            var polled = open.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard poll(&polled, nfds_t(polled.count), Int32(min(left * 1000, 1000)) + 1) > 0 else { continue }
            for entry in polled where entry.revents != 0 {
                let count = read(entry.fd, &chunk, chunk.count)
                if count > 0, entry.fd == output {
                    result.output += chunk[..<count]
                } else if count > 0 {
                    if complaint.count < 4096 { complaint += chunk[..<count] }
                } else if count == 0 || errno != EINTR {
                    open.remove(entry.fd)
                }
            }
            guard result.output.count <= most else {
                result.ending = .tooMuch
                break
            }
        }
        let lines = String(decoding: complaint, as: UTF8.self).split(whereSeparator: \.isNewline)
        result.complaint = String((lines.last ?? "").prefix(200))
        return result
    }

    private static var now: Double {
        Clock.now(.monotonic)
    }
}
