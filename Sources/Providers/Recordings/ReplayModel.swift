internal import Glibc
internal import JSON
public import LanguageModels
internal import Synchronization
public import System

/// Answers from a recording: the same request gets the same answer, with the same steps, at once.
///
/// Of requests that were recorded more than once, each call gets the next answer; when all were given, a further call is
/// an error, as is a request that was not recorded.
public final class ReplayModel: LanguageModel {
    private struct State {
        var recordings: [[UInt8]: [Recording]] = [:]
        var given: [[UInt8]: Int] = [:]
    }

    private let path: String
    private let clock: Clock
    private let state: Mutex<State>

    public let name: String
    public let provider = "replay"
    public let capabilities: ModelCapabilities
    /// Calls that the recording holds.
    public let count: Int

    /// Reads a recording.
    ///
    /// - Throws: a `.local` error that names the line that cannot be read.
    public init(contentsOf path: String, clock: Clock = .system) throws(LanguageModelError) {
        self.path = path
        self.clock = clock
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            throw LanguageModelError(
                .local, model: path, problem: "cannot read the recording: \(String(cString: strerror(errno)))")
        }
        defer { close(file) }
        let read = try Self.read(JSONRecordReader(fileDescriptor: file, framing: .lines), path)
        var grouped: [[UInt8]: [Recording]] = [:]
        for recording in read { grouped[recording.request, default: []].append(recording) }
        state = Mutex(State(recordings: grouped))
        count = read.count
        name = read.first?.model ?? "nothing"
        let tellsTokens = read.contains { recording in
            recording.events.contains { if case .token(let step) = $0 { step.alternatives != nil } else { false } }
        }
        capabilities = ModelCapabilities(
            acceptsMessages: true, acceptsText: true, acceptsTokens: false, acceptsTools: true,
            alternatives: tellsTokens ? 20 : 0)
    }

    private static func read(
        _ reader: JSONRecordReader, _ path: String
    ) throws(LanguageModelError) -> [Recording] {
        let parser = JSONParser(maximumDepth: 256)
        var recordings: [Recording] = []
        while true {
            let record: JSONRecord?
            do {
                record = try reader.next()
            } catch {
                throw LanguageModelError(.local, model: path, problem: "cannot read the recording to the end")
            }
            guard let record else { return recordings }
            let problem: String
            do {
                guard record.ending != .oversized else { throw Problem(.limit, "", "the line is too long") }
                recordings.append(try Recording(parser.parse(record.bytes)))
                continue
            } catch let error as JSONError {
                problem = "the line is not JSON: \(error.sentence.dropLast())"
            } catch let error as Problem {
                problem = error.what
            } catch {
                problem = "the line cannot be read"
            }
            throw LanguageModelError(
                .local, model: path, problem: "line \(record.line): \(problem)",
                remedy: "Record again, or remove the line.")
        }
    }

    public func respond(
        to request: ModelRequest, isCancelled: @Sendable () -> Bool, receive: (ModelEvent) -> Void
    ) throws(LanguageModelError) -> ModelResponse {
        let key = Recording.key(request)
        let (recording, held) = state.withLock { state -> (Recording?, Int) in
            let answers = state.recordings[key] ?? []
            let turn = state.given[key] ?? 0
            guard turn < answers.count else { return (nil, answers.count) }
            state.given[key] = turn + 1
            return (answers[turn], answers.count)
        }
        guard let recording else {
            let problem =
                held == 0
                ? "none of the \(count) recorded requests matches request \(Recording.digest(key))"
                : "all \(held) recorded responses to request \(Recording.digest(key)) have been used"
            throw LanguageModelError(
                .local, model: "replay \(path)", problem: problem,
                remedy:
                    "Record the request. Requests match if their messages, tools, sampling, and alternatives are equal."
            )
        }
        var builder = AnswerBuilder(clock: clock)
        for event in recording.events {
            if isCancelled() { return builder.response(finish: .cancelled, usage: nil, model: recording.model) }
            builder.take(event) { _ in }
            receive(event)
        }
        return try recording.outcome.get()
    }
}
