package import Glibc
package import System

/// Background processes that outlive this process and its terminal.
package enum DetachedProcess {
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
    ) throws(Problem) -> pid_t {
        var launch = Launch([program] + arguments, path: program)
        launch.group = .session
        launch.output = .appending(path: log)
        launch.errors = launch.output
        do {
            return try launch.start()
        } catch {
            throw Problem(.failed, "", "\(program) cannot be started in the background: \(error.reason)")
        }
    }
}
