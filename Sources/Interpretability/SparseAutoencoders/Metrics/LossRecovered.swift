public import System

/// How much of a model's loss survives when one activation is replaced by a dictionary's reconstruction.
///
/// score = (CE_ablated − CE_dictionary) / (CE_ablated − CE_clean): 1 if nothing is lost, 0 if the dictionary is as bad
/// as an ablated activation. The divergence score is analogous, with a clean divergence of 0.
///
/// - Source: Bricken et al., "Towards monosemanticity", 2023; `SAEBench`, core evaluation.
public struct LossRecovered: Hashable, Sendable {
    public private(set) var tokenCount = 0
    private var clean = 0.0
    private var dictionary = 0.0
    private var ablated = 0.0
    private var divergenceCount = 0
    private var dictionaryDivergence = 0.0
    private var ablatedDivergence = 0.0

    public init() {}

    /// Adds the losses of predicted tokens under the three runs, in nats.
    public mutating func add(
        clean: [Double], dictionary: [Double], ablated: [Double]
    ) throws(Problem) {
        guard clean.count == dictionary.count, clean.count == ablated.count else {
            throw Problem(
                .invalid, "loss recovered",
                "the losses cover different numbers of tokens: \(clean.count), "
                    + "\(dictionary.count), and \(ablated.count)")
        }
        tokenCount += clean.count
        for loss in clean { self.clean += loss }
        for loss in dictionary { self.dictionary += loss }
        for loss in ablated { self.ablated += loss }
    }

    /// Adds KL(clean ‖ other) of predicted tokens, in nats.
    public mutating func addDivergences(
        dictionary: [Double], ablated: [Double]
    ) throws(Problem) {
        guard dictionary.count == ablated.count else {
            throw Problem(
                .invalid, "loss recovered",
                "the divergences cover different numbers of tokens: \(dictionary.count) and "
                    + "\(ablated.count)")
        }
        divergenceCount += dictionary.count
        for divergence in dictionary { dictionaryDivergence += divergence }
        for divergence in ablated { ablatedDivergence += divergence }
    }

    /// Mean loss a token, in nats; NaN before any was added.
    public var cleanLoss: Double { clean / Double(tokenCount) }
    public var dictionaryLoss: Double { dictionary / Double(tokenCount) }
    public var ablatedLoss: Double { ablated / Double(tokenCount) }
    /// (CE_ablated − CE_dictionary) / (CE_ablated − CE_clean).
    public var score: Double { (ablated - dictionary) / (ablated - clean) }
    /// (KL_ablated − KL_dictionary) / KL_ablated; NaN if no sequences were added.
    public var divergenceScore: Double { (ablatedDivergence - dictionaryDivergence) / ablatedDivergence }
    /// Mean KL(clean ‖ dictionary) a token.
    public var dictionaryDivergenceMean: Double { dictionaryDivergence / Double(divergenceCount) }
}
