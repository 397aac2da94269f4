package import Console

/// What the screen asks the engine for: a function of the cursor, the windows and the sizes of the panes.
package struct AttentionRequest: Hashable, Sendable {
    package var layer = 0
    package var head = 0
    /// The token under the cursor: the query of the cross.
    package var token = 0
    package var window = HeadWindow()
    /// Cells that the large head has room for.
    package var rows = 0
    package var columns = 0
    /// Cells of a small head; 0 where none is drawn.
    package var miniRows = 0
    package var miniColumns = 0
    package var pooling = HeatGrid.Pooling.max
    package var isWeighted = false
    package var tab = ReadingTab.token
    /// Tokens that the reading pane has room for.
    package var positions = 0
    /// The token whose rank the lens tells; nil takes the one that follows.
    package var target: String?
    package var range: Range<Int>?
    /// Whether who looks at the cursor's token is wanted too.
    package var wantsAttending = false

    package init(
        layer: Int = 0, head: Int = 0, token: Int = 0, window: HeadWindow = HeadWindow(), rows: Int = 0,
        columns: Int = 0, miniRows: Int = 0, miniColumns: Int = 0,
        pooling: HeatGrid.Pooling = HeatGrid.Pooling.max, isWeighted: Bool = false, tab: ReadingTab = ReadingTab.token,
        positions: Int = 0,
        target: String? = nil, range: Range<Int>? = nil, wantsAttending: Bool = false
    ) {
        self.layer = layer
        self.head = head
        self.token = token
        self.window = window
        self.rows = rows
        self.columns = columns
        self.miniRows = miniRows
        self.miniColumns = miniColumns
        self.pooling = pooling
        self.isWeighted = isWeighted
        self.tab = tab
        self.positions = positions
        self.target = target
        self.range = range
        self.wantsAttending = wantsAttending
    }
}

/// A run as far as it has come.
package struct AttentionRun: Sendable {
    package var title: String
    package var tokens: [String]
    package var promptCount: Int
    package var readCount: Int
    package var layers: Int
    package var heads: Int
    package var experts = 0
    /// Why it is over; nil while more may come.
    package var finish: String?
    package var tokensPerSecond: Double?
    /// What is changed in it.
    package var changes: [String] = []
    /// Rises with every change.
    package var revision = 0

    package init(
        title: String, tokens: [String], promptCount: Int, readCount: Int, layers: Int, heads: Int, experts: Int = 0,
        finish: String? = nil, tokensPerSecond: Double? = nil, changes: [String] = [], revision: Int = 0
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
        self.changes = changes
        self.revision = revision
    }
}

/// One head, query by key, in cells.
package struct HeadPicture: Sendable {
    package var grid: HeatGrid
    /// What all cells together stand for.
    package var queries: Range<Int>
    package var keys: Range<Int>
    package var queriesPerCell: Int
    package var keysPerCell: Int
    /// `1 cell = 64 × 64, max`.
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

    /// The cell that holds a pair; nil outside.
    func place(query: Int, key: Int) -> HeatGrid.Place? {
        guard queries.contains(query), keys.contains(key), queriesPerCell > 0, keysPerCell > 0 else { return nil }
        return HeatGrid.Place(
            row: (query - queries.lowerBound) / queriesPerCell, column: (key - keys.lowerBound) / keysPerCell)
    }

    /// The first pair of a cell.
    func pair(at place: HeatGrid.Place) -> (query: Int, key: Int) {
        (
            min(queries.upperBound - 1, queries.lowerBound + place.row * queriesPerCell),
            min(keys.upperBound - 1, keys.lowerBound + place.column * keysPerCell)
        )
    }
}

/// How much of a token's attention goes to a stretch of tokens.
package struct RangeShare: Sendable {
    package struct Head: Hashable, Sendable {
        package var layer: Int
        package var head: Int
        package var share: Float

        package init(layer: Int, head: Int, share: Float) {
            self.layer = layer
            self.head = head
            self.share = share
        }
    }

    package var token: Int
    package var range: Range<Int>
    /// Σ over all heads of the weights on the stretch.
    package var sum: Float
    /// Heads that were counted.
    package var heads: Int
    /// Those that give most.
    package var top: [Head]

    package init(token: Int, range: Range<Int>, sum: Float, heads: Int, top: [Head]) {
        self.token = token
        self.range = range
        self.sum = sum
        self.heads = heads
        self.top = top
    }
}

/// What each layer would say.
package struct LensPicture: Sendable {
    package struct Cell: Sendable {
        /// The likeliest tokens, best first.
        package var top: [(text: String, probability: Float)]
        /// The wanted token's, where one was asked for; ranks count from 1.
        package var rank: Int?
        package var probability: Float?

        package init(top: [(text: String, probability: Float)], rank: Int? = nil, probability: Float? = nil) {
            self.top = top
            self.rank = rank
            self.probability = probability
        }
    }

    /// A name a row: `0_pre`, ..., `final_post`.
    package var layers: [String]
    package var positions: Range<Int>
    /// `[layer][position]`.
    package var cells: [[Cell]]
    /// Whose rank it is.
    package var target: String

    package init(layers: [String], positions: Range<Int>, cells: [[Cell]], target: String) {
        self.layers = layers
        self.positions = positions
        self.cells = cells
        self.target = target
    }
}

/// What the model gave to a token before it came.
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

/// What was found for a request, of one run. What is nil was not computed, and `missing` says why.
package struct AttentionLook: Sendable {
    package var request: AttentionRequest
    package var run: AttentionRun
    /// `[layers, heads]`; NaN where there is nothing to measure yet.
    package var scores: [HeadMeasure: [Float]] = [:]
    /// What a measure means, in the words of the engine.
    package var definitions: [HeadMeasure: String] = [:]
    /// A small picture a head, `[layers, heads]`.
    package var minis: [HeatGrid] = []
    /// What a cell of those stands for.
    package var miniCell: CellSpan?
    package var head: HeadPicture?
    /// The cursor's token to each before it, and each later token to it, by the chosen head.
    package var attended: [Float]?
    package var attending: [Float]?
    package var facts: TokenFacts?
    package var share: RangeShare?
    package var lens: LensPicture?
    /// |residual| after each layer, `[layers, positions]`.
    package var norms: HeatGrid?
    /// Routing weights of the chosen layer, `[experts, positions]`.
    package var routing: HeatGrid?
    /// The first position of `norms` and `routing`.
    package var firstPosition = 0
    /// Why something is not there.
    package var missing: [ReadingTab: String] = [:]
    package var headProblem: String?

    package init(
        request: AttentionRequest, run: AttentionRun, scores: [HeadMeasure: [Float]] = [:],
        definitions: [HeadMeasure: String] = [:], minis: [HeatGrid] = [], head: HeadPicture? = nil,
        attended: [Float]? = nil, attending: [Float]? = nil, facts: TokenFacts? = nil, share: RangeShare? = nil,
        lens: LensPicture? = nil, norms: HeatGrid? = nil, routing: HeatGrid? = nil, firstPosition: Int = 0,
        missing: [ReadingTab: String] = [:], headProblem: String? = nil
    ) {
        self.request = request
        self.run = run
        self.scores = scores
        self.definitions = definitions
        self.minis = minis
        self.head = head
        self.attended = attended
        self.attending = attending
        self.facts = facts
        self.share = share
        self.lens = lens
        self.norms = norms
        self.routing = routing
        self.firstPosition = firstPosition
        self.missing = missing
        self.headProblem = headProblem
    }
}

/// What was found of the run, and of the other one that it is held against.
package struct AttentionLooks: Sendable {
    package var first: AttentionLook
    package var second: AttentionLook?
    package var divergence: Divergence?

    package init(first: AttentionLook, second: AttentionLook? = nil, divergence: Divergence? = nil) {
        self.first = first
        self.second = second
        self.divergence = divergence
    }

    /// How far a changed run is from the untouched one.
    package struct Divergence: Sendable {
        /// The token from which on it was run anew.
        package var from: Int
        /// KL(untouched ‖ changed) in nats, of what follows each token from there on.
        package var values: [Float]
        package var mean: Double

        package init(from: Int, values: [Float], mean: Double) {
            self.from = from
            self.values = values
            self.mean = mean
        }
    }
}
