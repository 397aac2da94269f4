public import Tokenizers

/// What is known of a run at one moment: a value that panels draw from.
///
/// It is made after each chunk and each token; its arrays are shared with the run until that grows.
public struct RunSnapshot: Sendable {
    public enum Finish: Hashable, Sendable {
        case endToken, contextFull
    }

    /// Grows with every change.
    public var revision: Int
    /// The prompt, then what came.
    public var tokens: [TokenID]
    public var promptCount: Int
    /// Tokens that the model has read: everything below is about these.
    public var readCount: Int
    /// `nil` while more may come.
    public var finish: Finish?
    /// One entry per token read, plus one if the next token is known.
    public var records: [TokenRecord]
    public var layerCount: Int
    public var headCount: Int
    /// ‖resid_post‖, `[read, layers]`.
    public var residualNorms: [Float]
    /// Number of experts; 0 if the feed-forward is dense.
    public var expertCount: Int
    /// Weights of the experts, 0 for those that were not chosen: `[read, layers, experts]`.
    public var expertWeights: [Float]
    /// Names of the attached dictionaries.
    public var dictionaries: [String]
    /// For each dictionary the active features, a row for each token that was read; behind the interventions.
    public var features: [SparseCodes]
    /// First token with recorded features, for each dictionary. Earlier rows are empty because they were not recorded,
    /// as in a branch with a dictionary that its original run did not have.
    public var featuresFrom: [Int]
    public var attention: AttentionAtlas
    public var interventions: [LiveIntervention]
    /// The token that a rerun began at; `nil` for a run of its own.
    public var changedFrom: Int?
    /// Of the latest pass.
    public var tokensPerSecond: Double
    /// Memory that the run keeps of the insides.
    public var bytes: Int

    /// Whether a token's features of a dictionary were recorded: it was read, with the dictionary attached.
    public func hasFeatures(dictionary: Int, position: Int) -> Bool {
        featuresFrom.indices.contains(dictionary) && position >= featuresFrom[dictionary] && position < readCount
    }

    /// ‖resid_post‖ of a token that was read.
    public func residualNorm(layer: Int, position: Int) -> Float { residualNorms[position * layerCount + layer] }

    /// Returns weights `[experts]`; empty if the feed-forward is dense.
    public func expertWeights(layer: Int, position: Int) -> ArraySlice<Float> {
        let first = (position * layerCount + layer) * expertCount
        return expertWeights[first..<first + expertCount]
    }
}
