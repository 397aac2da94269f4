internal import Bytes
internal import Tokenizers

/// On which tokens features fire in their top examples: what a search by token reads.
///
/// The strength of a feature on a token is the token's share of all that the feature is active in its top examples:
/// Σ activations on the token / Σ activations.
struct TokenFirings {
    /// An activation of a top example whose token is looked up.
    private struct Firing: BitwiseCopyable {
        var position: UInt32
        var feature: UInt32
        var share: Float
    }

    private var firings: [Firing] = []

    mutating func append(_ record: FeatureRecord) {
        let sum = record.top.reduce(Float(0)) { $0 + $1.values.reduce(0, +) }
        guard sum > 0 else { return }
        for example in record.top {
            for (offset, value) in example.values.enumerated() where value > 0 {
                firings.append(
                    Firing(
                        position: UInt32(example.first + offset), feature: UInt32(record.feature), share: value / sum))
            }
        }
    }

    /// Features by token with their strengths, strongest first; of equal ones the smaller number.
    ///
    /// - Parameter block: Gives the tokens of a row of texts; rows come in ascending order, each once.
    mutating func byToken(_ block: (Int) throws -> [TokenID]) throws -> [TokenID: [RelatedNumber]] {
        firings.sort { ($0.position, $0.feature) < ($1.position, $1.feature) }
        var sums: [TokenID: [UInt32: Float]] = [:]
        var (number, tokens): (Int, [TokenID]) = (-1, [])
        for firing in firings {
            let wanted = Int(firing.position) / TextBlocks.capacity
            if wanted != number {
                number = wanted
                tokens = try block(number)
            }
            let place = Int(firing.position) % TextBlocks.capacity
            guard place < tokens.count else { throw Frame.damage("row \(number) of the indexed text") }
            sums[tokens[place], default: [:]][firing.feature, default: 0] += firing.share
        }
        return sums.mapValues { features in
            features.map { RelatedNumber(feature: Int($0.key), value: $0.value) }
                .sorted { ($1.value, $0.feature) < ($0.value, $1.feature) }
        }
    }

    static func bytes(_ features: [RelatedNumber]) -> [UInt8] {
        var bytes = ByteWriter()
        bytes.write(list: features.map { UInt32($0.feature) })
        bytes.write(list: features.map(\.value))
        return bytes.bytes
    }

    static func features(_ reader: ByteReader) throws(ByteDamage) -> [RelatedNumber] {
        var bytes = reader
        let features: [UInt32] = try bytes.list()
        let values: [Float] = try bytes.list()
        guard features.count == values.count, bytes.isAtEnd else { throw ByteDamage() }
        return zip(features, values).map { RelatedNumber(feature: Int($0), value: $1) }
    }
}
