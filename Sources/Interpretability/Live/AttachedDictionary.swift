public import Models
public import System
internal import Tensors

/// A dictionary at the hook whose rows it reads, while a model runs.
public struct AttachedDictionary: Sendable {
    public let name: String
    public let hook: Hook
    public let dictionary: SparseAutoencoder

    /// - Parameters:
    ///   - name: Name on screens.
    ///   - hook: Hook to attach to (default: the hook of the dictionary's origin).
    /// - Throws: An error if the hook is none of the model's (the sentence names the nearest), has no rows of a token,
    ///   or is of another width.
    public init(
        _ name: String, _ dictionary: SparseAutoencoder, hook: Hook? = nil, for model: InspectedModel
    ) throws(Problem) {
        self.name = name
        self.dictionary = dictionary
        let hook = try Hook.named(hook?.name ?? dictionary.origin.hook, among: model.hooks)
        self.hook = hook
        let row = hook.shape(for: model.configuration, tokens: 1, keys: 1)
        switch hook {
        case .scores, .pattern:
            throw Problem(
                .invalid, name, "\(hook.name) has rows per head and key, not per token",
                remedy: "Use a hook with one row per token, such as blocks.0.hook_resid_post.")
        default: break
        }
        let width = row.dropFirst().reduce(1, *)
        guard width == dictionary.inputWidth else {
            throw Problem(
                .invalid, name,
                "the dictionary reads rows of \(dictionary.inputWidth) numbers, but \(hook.name) of \(model.name) has "
                    + "\(width)",
                remedy: "Attach it to the model it was trained on"
                    + (dictionary.origin.model.isEmpty ? "." : ": \(dictionary.origin.model)."))
        }
    }

    /// Whether another has the same weights at the same hook; names do not count.
    func isSame(as other: AttachedDictionary) -> Bool {
        hook == other.hook && dictionary.featureCount == other.dictionary.featureCount
            && dictionary.normalization == other.dictionary.normalization
            && dictionary.encoder.base == other.dictionary.encoder.base
            && dictionary.decoder.base == other.dictionary.decoder.base
            && dictionary.encoderBias.base == other.dictionary.encoderBias.base
    }
}
