internal import Glibc
public import LanguageModels
internal import Synchronization

/// Keeps every call of a model in a file, which `replay:` answers from.
///
/// The file holds prompts and answers, and no key; only its owner may read it. Canceled calls are not kept.
public final class RecordingModel: LanguageModel {
    private let model: any LanguageModel
    private let path: String
    private let file: Int32
    private let lock = Mutex(())

    public var name: String { model.name }
    public var provider: String { model.provider }
    public var capabilities: ModelCapabilities { model.capabilities }

    /// Opens the file, behind whose end calls are written.
    ///
    /// - Throws: a `.local` error where it cannot be written.
    public init(_ model: any LanguageModel, path: String) throws(LanguageModelError) {
        self.model = model
        self.path = path
        file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Self.problem(path) }
    }

    deinit { close(file) }

    public func respond(
        to request: ModelRequest, isCancelled: @Sendable () -> Bool, receive: (ModelEvent) -> Void
    ) throws(LanguageModelError) -> ModelResponse {
        var events: [ModelEvent] = []
        let outcome: Result<ModelResponse, LanguageModelError>
        do throws(LanguageModelError) {
            outcome = .success(
                try model.respond(to: request, isCancelled: isCancelled) { event in
                    events.append(event)
                    receive(event)
                })
        } catch {
            outcome = .failure(error)
        }
        if case .success(let response) = outcome, response.finish == .cancelled { return response }
        try write(
            Recording.line(
                provider: provider, model: name, request: request, events: events, outcome: outcome))
        return try outcome.get()
    }

    /// Writes a line whole, or says that it cannot.
    private func write(_ line: [UInt8]) throws(LanguageModelError) {
        let isWritten = lock.withLock { _ in
            var done = 0
            while done < line.count {
                let count = line[done...].withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                done += count
            }
            return true
        }
        guard isWritten else { throw Self.problem(path) }
    }

    private static func problem(_ path: String) -> LanguageModelError {
        LanguageModelError(
            .local, model: path, problem: "cannot write the recording: \(String(cString: strerror(errno)))",
            remedy: "Use a path in a writable folder.")
    }
}
