internal import Interpretability
internal import System
public import Tensors
public import Workspace

extension FeatureStore {
    /// Builds the index of a dictionary from activations that were computed elsewhere; see ``PrecomputedActivations``.
    ///
    /// - Throws: An error if the file is not what it should be: then nothing of it is kept. `CancellationError` where
    ///   it was canceled: what is on the disk is gone on with by the next call.
    @discardableResult
    public func importActivations(
        _ path: String, into id: Int64, decoder: Tensor<Float>? = nil, logits: FeatureLogitSource? = nil,
        memoryLimit: Int = FeatureIndexBuilder.Settings.usualMemory, cancellation: Cancellation? = nil
    ) throws -> FeatureIndex {
        var settings = FeatureIndexBuilder.Settings(source: path)
        settings.fingerprint = try Self.digest(ofFile: path)
        settings.memoryLimit = memoryLimit
        let activations = try PrecomputedActivations(path, features: try dictionary(id).featureCount)
        var isBegun = false
        do {
            return try buildIndex(
                of: id, settings: settings, totalTokens: activations.tokenCount, decoder: decoder, logits: logits,
                cancellation: cancellation
            ) { first in
                isBegun = true
                return try activations.block(from: first)
            }
        } catch let error as Problem {
            // What is refused before it begins leaves another index that was begun alone.
            if isBegun { try discardUnfinishedIndex(of: id) }
            throw error
        }
    }
}
