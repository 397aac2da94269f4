package import Glibc
package import System

/// A program that was started in a group of its own, with our ends of its pipes: they do not block.
package struct ProgramLaunch: Sendable {
    package var child: pid_t
    package var input: Int32
    package var output: Int32
    package var errors: Int32

    /// Starts a program; no shell is between.
    ///
    /// - Throws: why it does not start.
    init(_ words: [String]) throws(Problem) {
        let process: ChildProcess
        do {
            process = try ChildProcess.start(Launch(words), hasInput: true)
        } catch {
            throw Problem(.failed, "", "cannot start the program: \(error.reason)")
        }
        (child, input, output, errors) = (process.identifier, process.input, process.output, process.errors)
        for end in [input, output, errors] { _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK) }
    }

    /// Starts a program, or gives the reason why not, without a full stop.
    package static func start(_ words: [String]) -> Result<ProgramLaunch, Problem> {
        Result { () throws(Problem) in try ProgramLaunch(words) }
    }
}
