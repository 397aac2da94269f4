package import Glibc
internal import System

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
        var launch = Launch([program] + arguments, path: program)
        launch.group = .session
        launch.output = .appending(path: log)
        launch.errors = launch.output
        do {
            return try launch.start()
        } catch {
            throw Failure(description: "\(program) cannot be started in the background: \(error.reason).")
        }
    }
}
