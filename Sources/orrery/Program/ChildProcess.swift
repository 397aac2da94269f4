import Glibc

/// Runs a program and waits for its end.
enum ChildProcess {
    struct Result {
        var status: Int32
        /// Standard output and standard error, interleaved.
        var output: String
    }

    static let thisProgram = "/proc/self/exe"

    static func run(_ program: String, _ arguments: [String], environment: [String: String]) throws -> Result {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else {
            throw Failure(
                "cannot create a pipe: \(String(cString: strerror(errno))). Close other programs, or raise ulimit -n.")
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO)

        for (name, value) in environment { setenv(name, value, 1) }
        var words: [UnsafeMutablePointer<CChar>?] = (["orrery"] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var child = pid_t()
        let failed = posix_spawn(&child, program, &actions, nil, &words, environ)
        close(ends[1])
        defer { close(ends[0]) }
        guard failed == 0 else { throw Failure("\(program): \(String(cString: strerror(failed)))") }

        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(ends[0], &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { break }
            output += buffer[..<count]
        }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        let code = status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
        return Result(status: code, output: String(decoding: output, as: UTF8.self))
    }
}
