package import Glibc

/// Background processes that outlive this process and its terminal.
package enum DetachedProcess {
    /// An error for a process that could not be started.
    package struct Failure: Error, CustomStringConvertible {
        /// Message for the user.
        package var description: String
    }

    /// Starts a program in a new session, so that it continues when the terminal is closed.
    ///
    /// - Parameters:
    ///   - program: Path of the program (default: this program).
    ///   - arguments: Arguments of the program, without its name.
    ///   - log: File to which the output is appended.
    /// - Returns: The process ID.
    @discardableResult
    package static func start(
        _ program: String = "/proc/self/exe", arguments: [String], log: String
    ) throws(Failure) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log, O_WRONLY | O_CREAT | O_APPEND, 0o644)
        posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        let newSession: Int32 = 0x80  // POSIX_SPAWN_SETSID, which the headers define only with _GNU_SOURCE
        attributes.resetSignals(adding: newSession)
        var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var child = pid_t()
        let failed = posix_spawn(&child, program, &actions, &attributes, &words, environ)
        guard failed == 0 else {
            let reason = String(cString: strerror(failed))
            throw Failure(description: "\(program) cannot be started in the background: \(reason).")
        }
        return child
    }
}
