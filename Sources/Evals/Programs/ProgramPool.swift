internal import Formatting
internal import Glibc
public import JSON
internal import Providers
internal import Synchronization
internal import System

/// An error for a user's program that gave no answer.
public struct ProgramError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Description without a full stop, with the last line of standard error.
    public var problem: String
    /// Standard error of the program during the request.
    public var standardError: String
    /// Whether the request was canceled, so that the program is not at fault.
    public var isCancellation: Bool
    /// Whether the program is not restarted, so that every other line would fail too.
    public var isBroken = false
    /// Whether this failure, after others, made the program count as broken.
    package var isLast = false
    /// Whether the time limit was exceeded.
    public var isTimeout = false
    /// Whether the program wrote something other than one line of JSON per line read.
    public var isViolation = false

    public var description: String { problem + "." }
}

/// A user's program that stays running, with one instance per concurrent line.
///
/// It runs with the user's rights and environment, outside the sandbox. If an instance ends without an answer, a new
/// instance gets the same line; if that ends in the same way, the line has no answer. An instance that takes too long
/// is killed, and its line is not repeated. After several lines in a row without an answer, the program is not
/// restarted.
///
/// The answer to one line is never taken for the answer to another: see `KeptProgram`. An instance that wrote
/// unrequested output is ended, and the next line goes to a new one.
public final class ProgramPool: Sendable {
    /// The program and its arguments.
    public let words: [String]
    private let instances: Int
    private let limits: ProgramLimits
    private let state = Mutex(State())

    private struct State {
        var idle: [KeptProgram] = []
        var working = 0
        /// Number of lines in a row without an answer.
        var failures = 0
        /// Number of instances in a row with unrequested output.
        var strays = 0
        /// Number of lines sent.
        var lines = 0
        /// Whether the program has ever started.
        var hasStarted = false
        /// Reason why the program is not restarted.
        var broken: Break?
    }

    private struct Break {
        var problem: String
        var isViolation: Bool
    }

    /// - Parameters:
    ///   - words: The program and its arguments; no shell is involved.
    ///   - instances: Maximum number of instances at a time.
    public init(_ words: [String], instances: Int = 8, limits: ProgramLimits = ProgramLimits()) {
        self.words = words.isEmpty ? [""] : words
        self.instances = max(1, instances)
        self.limits = limits
    }

    /// Name in sentences.
    public var name: String { words[0] }

    deinit {
        for program in state.withLock({ $0.idle }) { program.end() }
    }

    /// Sends a line to an instance and returns its answer, on the calling thread.
    ///
    /// - Parameters:
    ///   - line: Returns the line without its end, for the number that the program may write back as `line_id`.
    ///   - seconds: Time limit (default: the pool's own).
    /// - Returns: The answer, and the program's standard error since the request.
    public func ask(
        _ line: (Int) -> [UInt8], within seconds: Double? = nil, isCancelled: () -> Bool = { false }
    ) throws(ProgramError) -> (value: JSONValue, standardError: String) {
        let number = state.withLock { state in
            state.lines += 1
            return state.lines
        }
        let line = line(number)
        let seconds = seconds ?? limits.seconds
        // Earlier failures of this line, which is at fault if a new instance fails in the same way, or a third instance
        // fails.
        var before: [String] = []
        var note = ""
        while true {
            var program = try take(isFresh: !before.isEmpty || !note.isEmpty, isCancelled)
            do throws(KeptProgram.Failure) {
                let answer = try program.ask(line, number: number, within: seconds, isCancelled)
                keep(program)
                return (answer, note + program.standardError)
            } catch {
                program.end()
                state.withLock { $0.working -= 1 }
                let said = note + program.standardError
                switch error {
                case .cancelled: throw Self.cancellation(said)
                case .ended(let how), .more(let how):
                    guard before.last != how, before.count < 2 else { break }
                    before.append(how)
                    continue
                case .stray(let text):
                    try wentAstray(text, said)
                    note = "orrery: the program wrote a line without a request and was restarted: \(text)\n"
                    continue
                case .timedOut, .lineTooLong, .wrong: break
                }
                let problem = problem(error, seconds, isAgain: !before.isEmpty)
                throw failed(problem + Self.lastLine(of: program.standardError), said, error)
            }
        }
    }

    private func keep(_ program: KeptProgram) {
        state.withLock { state in
            state.working -= 1
            state.failures = 0
            if program.answered > 1 { state.strays = 0 }
            state.idle.append(program)
        }
    }

    /// Counts an instance that wrote between two requests.
    private func wentAstray(_ text: String, _ said: String) throws(ProgramError) {
        let broken = state.withLock { state -> Break? in
            state.strays += 1
            guard state.strays >= limits.failures else { return nil }
            let problem =
                "the program wrote a line without a request \(limits.failures) times in a row and will not be restarted; the last "
                + "line was \(text)"
            state.broken = Break(problem: problem, isViolation: true)
            return state.broken
        }
        if let broken { throw Self.error(broken, said) }
    }

    /// Counts a line without an answer.
    private func failed(_ problem: String, _ said: String, _ failure: KeptProgram.Failure? = nil) -> ProgramError {
        let isViolation =
            switch failure {
            case .wrong, .more: true
            default: false
            }
        let (broken, isLast) = state.withLock { state -> (Break?, Bool) in
            state.failures += 1
            let wasBroken = state.broken != nil
            // A program that never started will not start for the next line either.
            if !state.hasStarted {
                state.broken = Break(problem: problem, isViolation: false)
            } else if state.failures >= limits.failures {
                let sentence =
                    "\(limits.failures) samples in a row got no answer, so the program will not be restarted; the last problem: "
                state.broken = Break(problem: sentence + problem, isViolation: isViolation)
            }
            return (state.broken, !wasBroken && state.hasStarted)
        }
        if let broken {
            var error = Self.error(broken, said)
            error.isLast = isLast
            return error
        }
        var error = ProgramError(problem: problem, standardError: said, isCancellation: false)
        error.isTimeout = failure == .timedOut
        error.isViolation = isViolation
        return error
    }

    private static func error(_ broken: Break, _ said: String = "") -> ProgramError {
        var error = ProgramError(problem: broken.problem, standardError: said, isCancellation: false)
        error.isBroken = true
        error.isViolation = broken.isViolation
        return error
    }

    private func problem(_ failure: KeptProgram.Failure, _ seconds: Double, isAgain: Bool) -> String {
        let again = isAgain ? ", and again on a second attempt" : ""
        return switch failure {
        case .cancelled: "the request was canceled"
        case .timedOut: "the program did not answer within \(Format.plain(seconds)) seconds and was killed"
        case .lineTooLong: "the answer is longer than \(limits.line) bytes"
        case .ended(let how): "\(how) before answering\(again)"
        case .wrong(let how): how
        case .more(let text), .stray(let text): "the program wrote more than one line for a request\(again): \(text)"
        }
    }

    private static func cancellation(_ said: String = "") -> ProgramError {
        ProgramError(problem: "the request was canceled", standardError: said, isCancellation: true)
    }

    private enum Place {
        case idle(KeptProgram)
        /// A new instance may start after this one has been ended.
        case free(KeptProgram?)
        case full
        case broken(Break)
    }

    /// Returns an idle instance or a new one; at the limit, the next that becomes idle.
    private func take(isFresh: Bool, _ isCancelled: () -> Bool) throws(ProgramError) -> KeptProgram {
        while true {
            if isCancelled() { throw Self.cancellation() }
            let place = state.withLock { state -> Place in
                if let broken = state.broken { return .broken(broken) }
                guard state.working < instances else { return .full }
                state.working += 1
                guard isFresh else { return state.idle.popLast().map { .idle($0) } ?? .free(nil) }
                return .free(state.working + state.idle.count > instances ? state.idle.popLast() : nil)
            }
            switch place {
            case .idle(let program):
                // An instance that ended after its last answer did so by itself: no line is at fault.
                guard program.hasEnded else { return program }
                program.end()
                state.withLock { $0.working -= 1 }
            case .full: poll(nil, 0, 2)
            case .broken(let broken): throw Self.error(broken)
            case .free(let old):
                old?.end()
                switch ProgramLaunch.start(words) {
                case .success(let launch):
                    state.withLock { $0.hasStarted = true }
                    return KeptProgram(launch, limits: limits)
                case .failure(let problem):
                    state.withLock { $0.working -= 1 }
                    throw failed(problem.what, "")
                }
            }
        }
    }

    /// Returns the last line that is not empty, as the end of a sentence.
    private static func lastLine(of text: String) -> String {
        let line = text.split(whereSeparator: \.isNewline).last { !$0.allSatisfy(\.isWhitespace) }
        return line.map { ": \($0.prefix(300))" } ?? ""
    }
}
