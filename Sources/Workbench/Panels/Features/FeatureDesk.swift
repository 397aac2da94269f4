internal import FeatureLab
internal import Interpretability
internal import Models
internal import Synchronization
internal import System
internal import Tokenizers

/// Open models, dictionaries, and the last text with its changed branch.
///
/// They stay open, so that the next text starts at once.
final class FeatureDesk: Sendable {
    private struct Open {
        var models: [String: InspectedModel] = [:]
        var hooked: [String: HookedTransformer<Float>] = [:]
        var tokenizers: [String: Tokenizer] = [:]
        var weights: [Int64: SparseAutoencoder] = [:]
        var readouts: [String: Readout<Float>?] = [:]
        var run: (run: InspectedRun, prompt: FeaturePrompt, dictionary: Int64)?
        var pair: (pair: RunPair, changes: FeatureChanges)?
        var tape = SteeringTape()
    }
    private let open = Mutex(Open())

    /// Returns the open object with a key, or opens it.
    private func opened<Key: Sendable, Value: Sendable>(
        _ path: any (WritableKeyPath<Open, [Key: Value]> & Sendable), _ key: Key, open make: () throws -> Value
    ) rethrows -> Value {
        if let known = open.withLock({ $0[keyPath: path][key] }) { return known }
        let value = try make()
        open.withLock { $0[keyPath: path][key] = value }
        return value
    }

    // MARK: Models

    func model(at path: String) throws -> InspectedModel {
        try opened(\.models, path) { try InspectedModel(path: path) }
    }

    /// Returns the model of a dictionary.
    ///
    /// - Throws: `Problem` if the model is unknown.
    func model(of dictionary: FeatureDictionary) throws -> InspectedModel {
        guard let path = dictionary.modelPath else {
            throw Problem(
                .unknown, dictionary.name, "unknown model",
                remedy: "Set it with orrery feature set \(dictionary.name) --model FILE.")
        }
        return try model(at: path)
    }

    /// Returns the implementation with gradients and single heads, which copies the weights as float32.
    func hooked(_ model: InspectedModel) throws -> HookedTransformer<Float> {
        try opened(\.hooked, model.path) { try HookedTransformer<Float>(model.checkpoint) }
    }

    /// Returns the tokenizer for token texts; `nil` if the model is unavailable.
    func tokenizer(of dictionary: FeatureDictionary) -> Tokenizer? {
        guard let path = dictionary.modelPath else { return nil }
        if let known = open.withLock({ $0.models[path]?.tokenizer }) { return known }
        return try? opened(\.tokenizers, path) {
            guard let tokenizer = try Checkpoints.open(path).tokenizer() else {
                throw Problem(.missing, path, "no tokenizer found")
            }
            return tokenizer
        }
    }

    func weights(of dictionary: FeatureDictionary, opening: () throws -> SparseAutoencoder) throws -> SparseAutoencoder
    {
        try opened(\.weights, dictionary.id, open: opening)
    }

    /// Returns the matrix from directions to logits; `nil` if the model is unknown or the matrix is too large to copy.
    func readout(of dictionary: FeatureDictionary) throws -> Readout<Float>? {
        guard let path = dictionary.modelPath else { return nil }
        return try opened(\.readouts, path) {
            let checkpoint = try open.withLock { $0.models[path]?.checkpoint } ?? Checkpoints.open(path)
            let size = checkpoint.configuration.vocabularySize * checkpoint.configuration.width
            return size <= Self.readoutLimit ? try RuntimeModel(checkpoint).readout() : nil
        }
    }

    /// Largest unembedding to copy: 2²⁶ numbers, a quarter of a gigabyte.
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

    /// Continues without changes.
    func dropPair() { open.withLock { $0.pair = nil } }

    /// Current state of the text.
    var reading: SteeringReading? {
        open.withLock { open in open.run.map { open.tape.reading($0.run, open.pair?.pair) } }
    }

    /// Returns the active features of the last text that was read with a dictionary.
    func codes(of dictionary: FeatureDictionary) -> SparseCodes? {
        open.withLock { open in
            open.run.flatMap { $0.dictionary == dictionary.id ? $0.run.snapshot.features.first : nil }
        }
    }
}
