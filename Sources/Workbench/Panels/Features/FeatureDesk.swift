internal import FeatureLab
internal import Interpretability
internal import Models
internal import Synchronization
internal import System
internal import Tokenizers

/// What is open for the panel: models by path, dictionaries by row, the text that was read last and its changed branch.
///
/// Opening a model maps its file; it is kept, so that the next text begins at once.
final class FeatureDesk: Sendable {
    private struct Open {
        var models: [String: InspectedModel] = [:]
        var tokenizers: [String: Tokenizer] = [:]
        var weights: [Int64: SparseAutoencoder] = [:]
        var readouts: [String: Readout<Float>] = [:]
        var run: (run: InspectedRun, prompt: FeaturePrompt, dictionary: Int64)?
        var pair: (pair: RunPair, changes: FeatureChanges)?
        var tape = SteeringTape()
    }
    private let open = Mutex(Open())

    /// Returns the model of a dictionary.
    ///
    /// - Throws: `Problem` if the model is unknown.
    func model(of dictionary: FeatureDictionary) throws -> InspectedModel {
        guard let path = dictionary.modelPath else {
            throw Problem(
                .unknown, dictionary.name, "unknown model",
                remedy: "Set it with orrery feature set \(dictionary.name) --model FILE.")
        }
        if let known = open.withLock({ $0.models[path] }) { return known }
        let model = try InspectedModel(path: path)
        open.withLock { $0.models[path] = model }
        return model
    }

    /// Returns the tokenizer for token texts; `nil` if the model is unavailable.
    func tokenizer(of dictionary: FeatureDictionary) -> Tokenizer? {
        guard let path = dictionary.modelPath else { return nil }
        if let known = open.withLock({ $0.tokenizers[path] ?? $0.models[path]?.tokenizer }) { return known }
        guard let tokenizer = try? Checkpoints.open(path).tokenizer() else { return nil }
        open.withLock { $0.tokenizers[path] = tokenizer }
        return tokenizer
    }

    func weights(of dictionary: FeatureDictionary, opening: () throws -> SparseAutoencoder) throws -> SparseAutoencoder
    {
        if let known = open.withLock({ $0.weights[dictionary.id] }) { return known }
        let weights = try opening()
        open.withLock { $0.weights[dictionary.id] = weights }
        return weights
    }

    /// Returns the matrix from directions to logits; `nil` if the model is unknown or too large to copy it.
    func readout(of dictionary: FeatureDictionary) throws -> Readout<Float>? {
        guard let path = dictionary.modelPath else { return nil }
        if let known = open.withLock({ $0.readouts[path] }) { return known }
        let checkpoint = try Checkpoints.open(path)
        let size = checkpoint.configuration.vocabularySize * checkpoint.configuration.width
        guard size <= Self.readoutLimit else { return nil }
        let readout = try RuntimeModel(checkpoint).readout()
        open.withLock { $0.readouts[path] = readout }
        return readout
    }

    /// Numbers of an unembedding that is copied to be looked at: a quarter of a gigabyte.
    private static let readoutLimit = 1 << 26

    // MARK: The text

    /// Returns a run of a text with the dictionary attached, reusing the last run if it is the same.
    func run(
        _ prompt: FeaturePrompt, with dictionary: FeatureDictionary, opening: () throws -> SparseAutoencoder
    ) throws -> InspectedRun {
        let known = open.withLock { open in
            open.run.flatMap { $0.prompt == prompt && $0.dictionary == dictionary.id ? $0.run : nil }
        }
        if let known { return known }
        let model = try model(of: dictionary)
        var options = RunOptions()
        options.keepsAttention = false
        options.dictionaries = [
            try AttachedDictionary(
                dictionary.name, try weights(of: dictionary, opening: opening),
                hook: try model.hook(named: dictionary.hook), for: model)
        ]
        let run = try model.run(prompt.tokens ?? model.tokens(of: prompt.text), options)
        open.withLock { open in
            open.run = (run, prompt, dictionary.id)
            open.pair = nil
            open.tape.startUntouched()
        }
        return run
    }

    /// Returns the branch with these changes: the existing one or a new one.
    func pair(_ run: InspectedRun, _ changes: FeatureChanges) throws -> RunPair {
        let known = open.withLock { open in
            open.pair.flatMap { $0.changes == changes && $0.pair.untouched === run ? $0.pair : nil }
        }
        if let known { return known }
        let last = max(0, run.snapshot.tokens.count - 1)
        let pair = try RunPair(run, from: min(changes.start, last), with: changes.interventions)
        open.withLock { open in
            open.pair = (pair, changes)
            open.tape.startChanged()
        }
        return pair
    }

    /// The text goes on untouched.
    func dropPair() { open.withLock { $0.pair = nil } }

    /// What is known of the text by now.
    var reading: SteeringReading? {
        open.withLock { open in open.run.map { open.tape.reading($0.run, open.pair?.pair) } }
    }

    /// What is active on the text that was read last with this dictionary.
    func codes(of dictionary: FeatureDictionary) -> SparseCodes? {
        open.withLock { open in
            open.run.flatMap { $0.dictionary == dictionary.id ? $0.run.snapshot.features.first : nil }
        }
    }
}
