package import Console

/// A request of the screen: a function of the cursor, the windows, and the sizes of the panes.
package struct AttentionRequest: Hashable, Sendable {
    package var layer = 0
    package var head = 0
    /// Token under the cursor: the query of the cross.
    package var token = 0
    package var window = HeadWindow()
    /// Rows available for the large head, in cells.
    package var rows = 0
    package var columns = 0
    /// Rows of a head's small map; 0 if no maps are drawn.
    package var miniRows = 0
    package var miniColumns = 0
    package var pooling = HeatGrid.Pooling.max
    package var isWeighted = false
    package var tab = ReadingTab.token
    /// Number of tokens that fit into the reading pane.
    package var positions = 0
    /// Token whose rank the lens shows; `nil` for the token that follows each position.
    package var target: String?
    package var range: Range<Int>?
    /// Whether attention from later tokens to the cursor's token is also requested.
    package var wantsAttending = false

    package init() {}
}

/// The current state of a run.
package struct AttentionRun: Sendable {
    package var title: String
    package var tokens: [String]
    package var promptCount: Int
    package var readCount: Int
    package var layers: Int
    package var heads: Int
    package var experts = 0
    /// Reason why the text ended; `nil` if more tokens may follow.
    package var finish: String?
    package var tokensPerSecond: Double?

    package init(
        title: String, tokens: [String], promptCount: Int, readCount: Int, layers: Int, heads: Int, experts: Int = 0,
        finish: String? = nil, tokensPerSecond: Double? = nil
    ) {
        self.title = title
        self.tokens = tokens
        self.promptCount = promptCount
        self.readCount = readCount
        self.layers = layers
        self.heads = heads
        self.experts = experts
        self.finish = finish
        self.tokensPerSecond = tokensPerSecond
    }
}

extension AttentionRun {
    /// Returns the text of a token; empty if there is no such token.
    func text(_ token: Int) -> String { tokens.indices.contains(token) ? tokens[token] : "" }

    /// Returns a token with symbols for white space; empty if there is no such token.
    func visible(_ token: Int) -> String {
        tokens.indices.contains(token) ? ShadedTokens.visible(tokens[token]) : ""
    }
}

/// One head, query by key, in cells.
package struct HeadPicture: Sendable {
    package var grid: HeatGrid
    /// Queries in the picture.
    package var queries: Range<Int>
    package var keys: Range<Int>
    package var queriesPerCell: Int
    package var keysPerCell: Int
    /// Scale of a cell, such as `1 cell = 64 × 64, max`.
    package var note: String
    package init(
        grid: HeatGrid, queries: Range<Int>, keys: Range<Int>, queriesPerCell: Int, keysPerCell: Int, note: String
    ) {
        self.grid = grid
        self.queries = queries
        self.keys = keys
        self.queriesPerCell = queriesPerCell
        self.keysPerCell = keysPerCell
        self.note = note
    }

    /// Returns the cell with a pair; `nil` if the pair is outside.
    func place(query: Int, key: Int) -> HeatGrid.Position? {
        guard queries.contains(query), keys.contains(key), queriesPerCell > 0, keysPerCell > 0 else { return nil }
        return HeatGrid.Position(
            row: (query - queries.lowerBound) / queriesPerCell, column: (key - keys.lowerBound) / keysPerCell)
    }

    /// Returns the first pair of a cell.
    func pair(at place: HeatGrid.Position) -> (query: Int, key: Int) {
        (
            min(queries.upperBound - 1, queries.lowerBound + place.row * queriesPerCell),
            min(keys.upperBound - 1, keys.lowerBound + place.column * keysPerCell)
        )
    }
}

/// Share of a token's attention that goes to a range of tokens.
package struct RangeShare: Sendable {
    package var range: Range<Int>
    /// Sum of the weights on the range, over all heads.
    package var sum: Float
    /// Number of heads in the sum.
    package var heads: Int
    /// Heads with the most attention to the range.
    package var top: [(layer: Int, head: Int, share: Float)]

    package init(
        range: Range<Int>, sum: Float, heads: Int, top: [(layer: Int, head: Int, share: Float)]
    ) {
        self.range = range
        self.sum = sum
        self.heads = heads
        self.top = top
    }
}

/// Predictions of each layer.
package struct LensPicture: Sendable {
    /// Most probable tokens, most probable first; the rank of the target token, starting at 1, and its probability.
    package typealias Cell = (top: [(text: String, probability: Float)], rank: Int?, probability: Float?)

    /// Names of the rows, such as `0_pre` and `final_post`.
    package var layers: [String]
    package var positions: Range<Int>
    /// Cells as `[layer][position]`.
    package var cells: [[Cell]]
    /// Token whose rank is shown.
    package var target: String

    package init(layers: [String], positions: Range<Int>, cells: [[Cell]], target: String) {
        self.layers = layers
        self.positions = positions
        self.cells = cells
        self.target = target
    }
}

/// Prediction of a token, from the position before it.
package struct TokenFacts: Sendable {
    package var probability: Float?
    package var entropy: Float?
    package var alternatives: [(text: String, probability: Float)] = []

    package init(
        probability: Float? = nil, entropy: Float? = nil, alternatives: [(text: String, probability: Float)] = []
    ) {
        self.probability = probability
        self.entropy = entropy
        self.alternatives = alternatives
    }
}

/// Views of one run for a request. A `nil` view was not computed; `missing` gives the reason.
package struct AttentionLook: Sendable {
    package var request: AttentionRequest
    /// Scores as `[layers, heads]`; NaN if nothing can be measured yet.
    package var scores: [HeadMeasure: [Float]] = [:]
    /// Definition of each score.
    package var definitions: [HeadMeasure: String] = [:]
    /// One small map per head, as `[layers, heads]`.
    package var heatmaps: [HeatGrid] = []
    /// Weights behind one cell of the small maps.
    package var miniCell: CellSpan?
    package var head: HeadPicture?
    /// Weights of the selected head: from the cursor's token to earlier tokens.
    package var attended: [Float]?
    /// Weights of the selected head: from each later token to the cursor's token.
    package var attending: [Float]?
    package var facts: TokenFacts?
    package var share: RangeShare?
    package var lens: LensPicture?
    /// Norm of the residual stream after each layer, as `[layers, positions]`.
    package var norms: HeatGrid?
    /// Routing weights of the selected layer, as `[experts, positions]`.
    package var routing: HeatGrid?
    /// First position of `norms` and `routing`.
    package var firstPosition = 0
    /// Reasons why views are missing.
    package var missing: [ReadingTab: String] = [:]
    package var headProblem: String?

    package init(request: AttentionRequest) { self.request = request }
}

/// Views of the run, and of the run that it is compared with.
package struct AttentionLooks: Sendable {
    package var first: AttentionLook
    package var second: AttentionLook?
    package var divergence: Divergence?

    package init(first: AttentionLook, second: AttentionLook? = nil, divergence: Divergence? = nil) {
        self.first = first
        self.second = second
        self.divergence = divergence
    }

    /// Divergence between a changed run and the unchanged run.
    package struct Divergence: Sendable {
        /// First token of the rerun.
        package var from: Int
        /// KL(unchanged ‖ changed) in nats of the next-token distribution at each token, starting at `from`.
        package var values: [Float]
        package var mean: Double

        package init(from: Int, values: [Float], mean: Double) {
            self.from = from
            self.values = values
            self.mean = mean
        }
    }
}
