internal import Glibc
public import LanguageModels
internal import Synchronization
internal import Workspace

/// Gets one answer from a model and keeps it while it comes: after kill -9 what is lost is at most its last quarter of a second.
public struct GenerationRun: Sendable {
    /// An update for a watcher, at most 30 times per second, with everything since the previous update.
    public struct Progress: Sendable {
        /// The answer without its steps.
        public var generation: Generation
        /// The place of the first of `steps` in the answer.
        public var firstStep: Int
        public var steps: [TokenStep]
    }

    private let store: GenerationStore
    private let model: any LanguageModel
    private let now: @Sendable () -> Int64

    /// Nanoseconds between two writes of what came.
    private static let savingPeriod: Int64 = 250_000_000
    /// Nanoseconds between two looks of a watcher.
    private static let watchingPeriod: Int64 = 33_000_000

    public init(_ store: GenerationStore, model: any LanguageModel, now: @escaping @Sendable () -> Int64) {
        self.store = store
        self.model = model
        self.now = now
    }

    /// Sends the request and waits for the complete generation.
    ///
    /// - Parameter generation: Request; its steps are the beginning of the generation.
    /// - Returns: The generation, with its row. A failed generation is also stored, with its error message.
    /// - Throws: `WorkspaceError` where it cannot be kept.
    public func run(
        _ generation: Generation, isCancelled: @escaping @Sendable () -> Bool,
        watch: (Progress) -> Void = { _ in }
    ) throws -> Generation {
        var generation = generation
        let isBranch = !generation.steps.isEmpty
        var told = 0
        func tell() {
            var shell = generation
            shell.steps = []
            watch(Progress(generation: shell, firstStep: told, steps: Array(generation.steps[told...])))
            told = generation.steps.count
        }
        generation.started = now()
        generation.outcome = Generation.Outcome(.running, process: getpid())
        generation.id = try store.save(generation)
        var kept = generation.steps.count
        var lastSaved = now()
        var lastWatched: Int64 = 0
        var failure: (any Error)?
        let unkept = Atomic(false)
        do {
            let response = try model.respond(
                to: request(of: generation), isCancelled: { isCancelled() || unkept.load(ordering: .relaxed) }
            ) { event in
                // A branch has its prompt, whose tokens know where they came from.
                if case .prompt = event, isBranch { return }
                generation.receive(event)
                let time = now()
                if time - lastWatched >= Self.watchingPeriod {
                    lastWatched = time
                    tell()
                }
                guard time - lastSaved >= Self.savingPeriod, failure == nil else { return }
                lastSaved = time
                do {
                    try store.save(generation, keptSteps: kept)
                    kept = generation.steps.count
                } catch {
                    // What cannot be kept is not worth its cost.
                    failure = error
                    unkept.store(true, ordering: .relaxed)
                }
            }
            generation.finish(response)
        } catch {
            generation.outcome = Generation.Outcome(
                .failed, finish: "failed", seconds: Double(now() - generation.started) / 1e9, problem: error.sentence)
        }
        if let failure { throw failure }
        try store.save(generation, keptSteps: kept)
        tell()
        return generation
    }

    /// Returns the request of a generation; a branch continues from its tokens, or from its text if tokens are unsupported.
    private func request(of generation: Generation) -> ModelRequest {
        var request = generation.document.request
        guard !generation.steps.isEmpty else { return request }
        if !generation.prompt.isEmpty, generation.steps.allSatisfy({ $0.id != nil }) {
            request.input = .tokens(generation.prompt.map(\.id) + generation.steps.compactMap(\.id))
            request.generatedTokens = generation.steps.count
            // The limit is one of the whole answer.
            request.sampling.maximumTokens = request.sampling.maximumTokens.map { max(1, $0 - generation.steps.count) }
        } else if case .text(let text) = request.input {
            request.input = .text(text + generation.text)
        }
        return request
    }
}
