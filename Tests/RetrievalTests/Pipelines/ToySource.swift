import Retrieval
import SearchIndexes
import System

/// A corpus small enough to reckon by hand: words count by how often they stand there, and every chunk says how near it
/// is and how hard an index has to look to come by it.
struct ToySource: RetrievalSource {
    struct Item {
        var id: Int64
        var document: String
        var text: String { didSet { words = ToySource.words(text) } }
        private(set) var words: [String]
        var range: Range<Int>
        var parent: Int64?
        var kind = "manual"
        var year = 2_020
        /// Inner product with every query; `nil` if the item has no vector.
        var nearness: Double?
        /// The smallest effort with which the index comes by it.
        var effort = 1

        init(
            _ id: Int64, _ text: String, document: String? = nil, range: Range<Int>? = nil, parent: Int64? = nil,
            nearness: Double? = nil
        ) {
            self.id = id
            self.text = text
            words = ToySource.words(text)
            self.document = document ?? "doc-\(id)"
            self.range = range ?? 0..<text.utf8.count
            self.parent = parent
            self.nearness = nearness
        }
    }

    var items: [Item] = []
    /// Larger chunks, which are not searched.
    var parents: [Item] = []
    /// Words that analysis loses.
    var stopWords: Set<String> = ["the", "what", "do", "a"]
    var usualEffort = 10
    var index = "hnsw"
    var isLexical = true
    /// Chunks of a namespace that is not searched.
    var hidden: Set<Int64> = []
    var hasVectors = true

    var corpus: String { "toys" }
    var chunkCount: Int { items.count }
    var spaces: [DenseSpace] {
        hasVectors
            ? [DenseSpace(name: "toy", dimension: 2, metric: .innerProduct, index: index, count: items.count)] : []
    }

    func item(_ id: Int64) -> Item? { items.first { $0.id == id } }

    func chunks(_ ids: [Int64]) throws(Problem) -> [ChunkContent] {
        ids.compactMap { id in
            (items + parents).first { $0.id == id }.map {
                ChunkContent(
                    id: $0.id, document: $0.document, label: "\($0.document) #\($0.id)", text: $0.text,
                    range: $0.range, parent: $0.parent)
            }
        }
    }

    func chunks(ofDocument document: String) throws(Problem) -> [Int64] {
        items.filter { $0.document == document }.map(\.id)
    }

    func metadata(ofChunk chunk: Int64) throws(Problem) -> [Stage.Parameter] {
        item(chunk).map { [Stage.Parameter("kind", $0.kind), Stage.Parameter("year", "\($0.year)")] } ?? []
    }

    // MARK: words

    static func words(_ text: String) -> [String] {
        text.lowercased().utf8.split { byte in
            !(byte >= 0x61 && byte <= 0x7A) && !(byte >= 0x30 && byte <= 0x39) && byte != 0x3D && byte != 0x2E
        }.compactMap { String($0) }
    }

    func lexicalScore(_ item: Item, _ query: String) -> Double {
        let terms = Set(Self.words(query)).subtracting(stopWords)
        return Double(item.words.count { terms.contains($0) })
    }

    func searchLexically(
        _ request: LexicalRequest, isCancelled: @Sendable () -> Bool
    ) throws(Problem) -> ChunkHits {
        if isCancelled() { throw .cancelled("lexical") }
        var hits: [ChunkHit] = []
        for item in items where !hidden.contains(item.id) && request.filter?.contains(item.id) ?? true {
            let score = lexicalScore(item, request.query)
            if score > 0 { hits.append(ChunkHit(chunk: item.id, score: score)) }
        }
        return ChunkHits(Self.best(hits, request.k))
    }

    func explainLexically(_ chunk: Int64, _ request: LexicalRequest) throws(Problem) -> LexicalFinding {
        let own = item(chunk)?.words ?? []
        let terms = Self.words(request.query).map { word in
            let isLost = stopWords.contains(word)
            let count = isLost ? 0 : own.count { $0 == word }
            return StageExplanation.TermFinding(
                word: word, term: isLost ? nil : word, lost: isLost ? "stop word" : nil, frequency: count,
                contribution: Double(count))
        }
        return LexicalFinding(score: terms.reduce(0) { $0 + $1.contribution }, terms: terms)
    }

    // MARK: vectors

    func embed(
        _ texts: [String], as role: EmbeddingRole, space: String?, isCancelled: @Sendable () -> Bool
    ) throws(Problem) -> [[Float]] { texts.map { _ in [1, 0] } }

    func searchDensely(
        _ request: DenseRequest, isCancelled: @Sendable () -> Bool
    ) throws(Problem) -> ChunkHits {
        let effort = max(request.effort ?? usualEffort, request.k)
        return nearest(request) { $0.effort <= effort }
    }

    func searchExactly(
        _ request: DenseRequest, isCancelled: @Sendable () -> Bool
    ) throws(Problem) -> ChunkHits { nearest(request) { _ in true } }

    private func nearest(_ request: DenseRequest, _ isSeen: (Item) -> Bool) -> ChunkHits {
        var hits: [ChunkHit] = []
        for item in items where isSeen(item) && !hidden.contains(item.id) && request.filter?.contains(item.id) ?? true {
            if let nearness = item.nearness { hits.append(ChunkHit(chunk: item.id, score: nearness)) }
        }
        return ChunkHits(Self.best(hits, request.k))
    }

    static func best(_ hits: [ChunkHit], _ k: Int) -> [ChunkHit] {
        let sorted = hits.sorted { one, other in
            one.score != other.score ? one.score > other.score : one.chunk < other.chunk
        }
        return Array(sorted.prefix(k))
    }

    func vectors(of ids: [Int64], space: String?) throws(Problem) -> [[Float]?] {
        ids.map { id in item(id)?.nearness.map { [Float($0), Float(max(0, 1 - $0 * $0)).squareRoot()] } }
    }

    // MARK: filters

    /// Clauses such as `kind=manual` and `year=2020`, all of which have to hold, with ` and ` between them.
    func resolve(filter expression: String) throws(Problem) -> ChunkFilter {
        let kept = Set(items.filter { item in Self.clauses(expression).allSatisfy { Self.holds($0, item) } }.map(\.id))
        return ChunkFilter(expression: expression, count: kept.count) { kept.contains($0) }
    }

    func exclusions(of chunk: Int64, by expression: String) throws(Problem) -> [FilterExclusion] {
        guard let item = item(chunk) else { return [] }
        if hidden.contains(chunk) {
            return [FilterExclusion(clause: "namespace = \"open\"", actual: "it is in \"closed\"", without: nil)]
        }
        let clauses = Self.clauses(expression)
        return clauses.filter { !Self.holds($0, item) }.map { failed in
            FilterExclusion(
                clause: failed, actual: failed.hasPrefix("kind") ? "kind is \(item.kind)" : "year is \(item.year)",
                without: clauses.filter { $0 != failed }.joined(separator: " and "))
        }
    }

    private static func clauses(_ expression: String) -> [String] {
        expression.isEmpty ? [] : expression.replacing(" and ", with: "&").split(separator: "&").map(String.init)
    }

    private static func holds(_ clause: String, _ item: Item) -> Bool {
        clause == "kind=\(item.kind)" || clause == "year=\(item.year)"
    }
}

/// Reads its scores in the passages: `grade=0.83`.
struct ToyScorer: PairScorer {
    var name: String { "toy" }

    func scores(
        _ query: String, _ passages: [String], isCancelled: @Sendable () -> Bool
    ) throws(Problem) -> [Double] { passages.map(Self.grade) }

    static func grade(_ text: String) -> Double {
        ToySource.words(text).first { $0.hasPrefix("grade=") }.flatMap { Double($0.dropFirst(6)) } ?? 0
    }
}

extension PipelineResources {
    /// Counts words, and scores as the passages say.
    static let toys = PipelineResources(
        pairScorer: { _ throws(Problem) in ToyScorer() },
        countTokens: { $0.split(separator: " ").count })
}
