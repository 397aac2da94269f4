package import Glibc
internal import Synchronization

/// A program that was started in a group of its own, with our ends of its pipes: they do not block.
package struct ProgramLaunch: Sendable {
    package var child: pid_t
    package var input: Int32
    package var output: Int32
    package var errors: Int32

    /// Starts a program; no shell is between.
    ///
    /// - Throws: why it does not start.
    init(_ words: [String]) throws(LineProblem) {
        // Ends of pipes that another program inherited would hold them open: programs are started one after the other.
        let (started, ends) = try ChildProgram.starting.withLock { (_) throws(LineProblem) in
            try ChildProgram.start(words)
        }
        child = started
        (input, output, errors) = (ends[1], ends[2], ends[4])
        for end in [input, output, errors] { _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK) }
    }

    /// Starts a program, or gives the reason why not, without a full stop.
    package static func start(_ words: [String]) -> Result<ProgramLaunch, ProgramProblem> {
        do throws(LineProblem) {
            return .success(try ProgramLaunch(words))
        } catch {
            return .failure(ProgramProblem(error.text))
        }
    }
}

/// Why a program does not do what it should, without a full stop.
package struct ProgramProblem: Error, Hashable, Sendable {
    package var text: String

    package init(_ text: String) { self.text = text }
}
