public import Inference
public import Tokenizers

/// Options for drawing a text and recording its internals.
public struct RunOptions: Sendable {
    /// Processors of the logits; by default the most probable token is taken.
    public var chain: ProcessorChain
    /// The same seed draws the same tokens, also after a rerun.
    public var seed: UInt64
    /// Tokens that end the text; `nil` for those of the vocabulary.
    public var endTokens: Set<TokenID>?
    /// Number of most probable alternatives to record for each token.
    public var alternatives: Int
    /// Features of these are kept for each token.
    public var dictionaries: [AttachedDictionary]
    /// What is changed from the first token on.
    public var interventions: [LiveIntervention]
    /// Whether attention is watched; without it a pass takes the fused kernels.
    public var keepsAttention: Bool
    /// Whether tokens of the prompt get probabilities: a row of logits for each.
    public var scoresPrompt: Bool
    /// Bytes for whole weights of the latest tokens.
    public var exactBudget: Int
    /// Bytes for cells, which cover all pairs; with less memory, cells are coarser.
    public var cellBudget: Int
    /// Bytes for queries, by which exact weights are computed again.
    public var queryBudget: Int
    /// Bytes for residual streams, which the logit lens reads.
    public var residualBudget: Int

    public init(
        chain: ProcessorChain = ProcessorChain([Temperature(0)]), seed: UInt64 = 0, endTokens: Set<TokenID>? = nil,
        alternatives: Int = 5, dictionaries: [AttachedDictionary] = [], interventions: [LiveIntervention] = [],
        keepsAttention: Bool = true, scoresPrompt: Bool = true, exactBudget: Int = 128 << 20,
        cellBudget: Int = 192 << 20, queryBudget: Int = 128 << 20, residualBudget: Int = 128 << 20
    ) {
        self.chain = chain
        self.seed = seed
        self.endTokens = endTokens
        self.alternatives = alternatives
        self.dictionaries = dictionaries
        self.interventions = interventions
        self.keepsAttention = keepsAttention
        self.scoresPrompt = scoresPrompt
        self.exactBudget = exactBudget
        self.cellBudget = cellBudget
        self.queryBudget = queryBudget
        self.residualBudget = residualBudget
    }
}
