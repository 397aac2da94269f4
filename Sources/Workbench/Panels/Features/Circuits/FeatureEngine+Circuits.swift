internal import Interpretability
internal import ModelLab
internal import Providers
internal import System
internal import Workspace

/// Circuits of local models.
extension FeatureEngine {
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
        let study = try study(question)
        var reading = try study.reading()
        guard !reading.map.isComplete else { return reading }
        var pace = TellingPace(.milliseconds(100))
        let map = try study.map { progress in
            reading.map.note(progress)
            guard pace.isDue else { return }
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
        try study(reading.question).cell(row: row, column: column)
    }

    private func study(_ question: CircuitQuestion) throws -> CircuitStudy {
        let model = try desk.model(at: question.model)
        return try CircuitStudy(question, model) { try desk.hooked(model) }
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
