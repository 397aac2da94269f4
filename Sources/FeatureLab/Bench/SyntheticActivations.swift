internal import Glibc
internal import Hashing
internal import Interpretability
internal import Tokenizers

/// Texts and codes with the shape of real ones: tokens and densities of features by Zipf's law, a part of the features
/// of a token following from the token.
struct SyntheticActivations {
    let features: Int
    let active: Int
    let vocabulary = 32_000
    static let sequenceLength = 512
    private let featureTable: [Int32]
    private let tokenTable: [TokenID]
    private let seed: UInt64

    init(features: Int, active: Int, seed: UInt64 = 0) {
        self.features = features
        self.active = min(active, features)
        self.seed = seed
        featureTable = Self.table(features)
        tokenTable = Self.table(vocabulary)
    }

    /// The sequences from a number on.
    func block(_ sequences: Range<Int>) -> FeatureBlock {
        var block = FeatureBlock(sequences: [], codes: SparseCodes(width: features))
        let rows = sequences.count * Self.sequenceLength
        block.codes.starts.reserveCapacity(rows + 1)
        block.codes.features.reserveCapacity(rows * active)
        block.codes.values.reserveCapacity(rows * active)
        for sequence in sequences {
            var state = SplitMix64(state: seed &+ UInt64(sequence) &* 0x9E37_79B9)
            var tokens: [TokenID] = []
            for _ in 0..<Self.sequenceLength {
                let token = tokenTable[Int(state.next() % UInt64(tokenTable.count))]
                tokens.append(token)
                append(token, &state, to: &block.codes)
            }
            block.sequences.append(tokens)
        }
        return block
    }

    // A quarter of the features of a token are its own; they come in ascending order, each once.
    private func append(_ token: TokenID, _ state: inout SplitMix64, to codes: inout SparseCodes) {
        let first = codes.features.count
        for draw in 0..<active {
            let feature: Int32
            if draw < active / 4 {
                var own = SplitMix64(state: UInt64(token) &* 64 &+ UInt64(draw))
                feature = Int32(own.next() % UInt64(features))
            } else {
                feature = featureTable[Int(state.next() % UInt64(featureTable.count))]
            }
            var place = codes.features.count
            while place > first, codes.features[place - 1] > feature { place -= 1 }
            if place > first, codes.features[place - 1] == feature { continue }
            codes.features.insert(feature, at: place)
        }
        for entry in first..<codes.features.count {
            let uniform = Float(state.next() >> 40) / Float(1 << 24)
            let scale = 1 + Float(codes.features[entry] % 17)
            codes.values.append(scale * (0.05 - log(max(uniform, 1e-7))))
        }
        codes.starts.append(codes.features.count)
    }

    // A million draws of Zipf's law, from which a uniform draw is one of the law.
    private static func table(_ count: Int) -> [Int32] {
        let size = 1 << 20
        var total = 0.0
        for number in 1...count { total += 1 / Double(number) }
        var table: [Int32] = []
        table.reserveCapacity(size + count)
        var sum = 0.0
        for number in 1...count {
            sum += 1 / Double(number)
            repeat { table.append(Int32(number - 1)) } while Double(table.count) < sum / total * Double(size)
        }
        return table
    }
}
