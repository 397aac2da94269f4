internal import Interpretability
internal import ModelLab
internal import Providers
internal import Synchronization
internal import System
internal import Workspace

/// Models and their circuits.
struct CircuitEngine: Sendable {
    private let house: ModelHouse
    private let open = OpenModels()

    init(_ workspace: Workspace) { house = ModelHouse(workspace) }

    /// Returns the names of models with local weights.
    func models() throws -> [String] { try house.localNames() }

    /// Returns the file of a model's name or path.
    func path(of word: String) throws -> String {
        guard case .local(let path) = try house.specification(of: word) else {
            throw Problem(
                .invalid, "", "\(word) runs on a server", remedy: "Choose a model file: circuits need the weights.")
        }
        return path
    }

    /// Runs a question.
    ///
    /// - Parameter tell: Called with the growing map, at most 10 times per second.
    func run(
        _ question: CircuitQuestion, until cancellation: Cancellation, tell: (CircuitReading) -> Void
    ) throws -> CircuitReading {
        let model = try open.model(question.model)
        let work = try CircuitWork(question, model)
        var reading = try work.reading()
        guard !reading.map.isComplete else { return reading }
        var told = ContinuousClock.now
        let map = try work.map { progress in
            reading.map.note(progress)
            guard ContinuousClock.now - told >= .milliseconds(100) else { return }
            told = .now
            reading.progress = progress
            tell(reading)
        } isCancelled: {
            cancellation.isCancelled
        }
        (reading.map, reading.progress) = (map, nil)
        return reading
    }

    /// Runs one cell again, to see what the model would generate.
    func cell(_ reading: CircuitReading, row: Int, column: Int) throws -> CircuitCell {
        try CircuitWork(reading.question, try open.model(reading.question.model)).cell(row: row, column: column)
    }
}

extension PatchMap {
    /// Adds a cell to a map that is still incomplete.
    fileprivate mutating func note(_ progress: PatchProgress) {
        let place = progress.row * columns.labels.count + progress.column
        guard scores.indices.contains(place) else { return }
        scores[place] = progress.score
        // Scores are differences, or shares of one.
        values[place] = corrupt.map { $0 + progress.score * (clean - $0) } ?? clean + progress.score
    }
}

/// Models that stay open between questions.
private final class OpenModels: Sendable {
    private let models = Mutex<[String: CircuitModel]>([:])

    func model(_ path: String) throws -> CircuitModel {
        if let known = models.withLock({ $0[path] }) { return known }
        let model = try CircuitModel(path: path)
        models.withLock { $0[path] = model }
        return model
    }
}
