internal import Kernels
internal import Models
internal import System

/// What a run knows of the tokens that it has read: a value, whose memory its snapshots and branches share.
struct RunState {
    var readCount = 0
    /// One entry per token with a known distribution: the tokens read, and the next one if known.
    var records: [TokenRecord] = []
    var atlas: AttentionAtlas
    /// `[read, layers]`.
    var residualNorms: [Float] = []
    /// `[read, layers, experts]`.
    var expertWeights: [Float] = []
    /// One for each dictionary, with a row for each token.
    var features: [SparseCodes] = []
    /// One for each dictionary: the first token whose row was recorded.
    var featuresFrom: [Int] = []
    /// The stream after each block, of the latest tokens.
    var residuals: [ResidualBlock] = []

    init(_ model: InspectedModel) { atlas = AttentionAtlas(AttentionLayout(model.configuration)) }

    /// As it was after `length` tokens.
    mutating func cut(to length: Int, layers: Int, experts: Int) {
        guard length < readCount else { return }
        readCount = length
        records.removeSubrange(min(length + 1, records.count)...)
        residualNorms.removeSubrange((length * layers)...)
        if experts > 0 { expertWeights.removeSubrange((length * layers * experts)...) }
        features = features.map { $0.rows(0..<length) }
        featuresFrom = featuresFrom.map { min($0, length) }
        residuals.removeAll { $0.first >= length }
    }

    /// Goes on with other dictionaries: what was recorded of one that stays is kept, and of a new one nothing is known of
    /// the tokens that were read.
    mutating func attach(_ dictionaries: [AttachedDictionary], before: [AttachedDictionary]) {
        let places = dictionaries.map { one in before.firstIndex { $0.isSame(as: one) } }
        let (kept, starts) = (features, featuresFrom)
        features = zip(dictionaries, places).map { one, place in
            if let place, place < kept.count { return kept[place] }
            let rows = Array(repeating: 0, count: readCount + 1)
            return SparseCodes(width: one.dictionary.featureCount, starts: rows)
        }
        featuresFrom = places.map { place in
            if let place, place < starts.count { return starts[place] }
            return readCount
        }
    }

    /// Returns the residual stream of a token after a block; `nil` if it is no longer stored.
    func residual(position: Int, layer: Int) -> UnsafePointer<Float>? {
        guard position < readCount,
            let block = residuals.last(where: { $0.first <= position }), position < block.first + block.count
        else { return nil }
        return UnsafePointer(block.rows.pointer + ((position - block.first) * block.layers + layer) * block.width)
    }

    /// Releases the oldest streams until `block` fits; drops `block` if it does not fit alone.
    mutating func keep(_ block: ResidualBlock?, within budget: Int) {
        guard let block else { return }
        residuals.append(block)
        var held = residuals.reduce(0) { $0 + $1.rows.byteCount }
        while held > budget, !residuals.isEmpty { held -= residuals.removeFirst().rows.byteCount }
    }

    var byteCount: Int {
        atlas.byteCount + residuals.reduce(0) { $0 + $1.rows.byteCount }
            + 4 * (residualNorms.count + expertWeights.count)
            + features.reduce(0) { $0 + 8 * $1.features.count + 8 * $1.starts.count }
    }
}

/// The stream after each block for the tokens of one pass, `[token, layer, D]`: never written after the pass.
final class ResidualBlock: Sendable {
    let first: Int
    let count: Int
    let layers: Int
    let width: Int
    let rows: AlignedBuffer<Float>

    init(first: Int, count: Int, layers: Int, width: Int) throws(Problem) {
        (self.first, self.count, self.layers, self.width) = (first, count, layers, width)
        rows = try telling { try AlignedBuffer(count: count * layers * width) }
    }
}
