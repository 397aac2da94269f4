internal import Bytes
internal import Interpretability

/// A uniform sample of tokens with all that was active on them, from which correlations are computed.
///
/// A token is in where the hash of its place is at most a threshold, which is halved whenever there are too many: which
/// tokens are in follows from the stream alone.
struct TokenSample: Equatable {
    let seed: UInt64
    let capacity: Int
    private(set) var threshold: UInt32 = .max
    private(set) var keys: [UInt32] = []
    private(set) var starts: [Int] = [0]
    private(set) var features: [Int32] = []
    private(set) var values: [Float] = []

    /// Maximum number of stored active features, regardless of the number of tokens: 64 MiB.
    private static let entryCapacity = 8 << 20

    init(seed: UInt64, capacity: Int) {
        self.seed = seed
        self.capacity = max(1, capacity)
    }

    /// Tokens in the sample.
    var count: Int { keys.count }

    /// Takes in the rows that count.
    mutating func append(_ block: FeatureBlock, base: UInt32) {
        var first = 0
        for sequence in block.sequences {
            append(block.codes, first + min(block.uncounted, sequence.count)..<first + sequence.count, base: base)
            first += sequence.count
        }
    }

    private mutating func append(_ codes: SparseCodes, _ rows: Range<Int>, base: UInt32) {
        for row in rows {
            let key = ExampleSlot.key(seed: ~seed, feature: 0, position: base &+ UInt32(row))
            guard key <= threshold else { continue }
            let range = codes.starts[row]..<codes.starts[row + 1]
            keys.append(key)
            features.append(contentsOf: codes.features[range])
            values.append(contentsOf: codes.values[range])
            starts.append(features.count)
            while (keys.count > capacity || features.count > Self.entryCapacity) && keys.count > 1 { thin() }
        }
    }

    private mutating func thin() {
        threshold >>= 1
        var kept = TokenSample(seed: seed, capacity: capacity)
        kept.threshold = threshold
        for row in keys.indices where keys[row] <= threshold {
            kept.keys.append(keys[row])
            kept.features.append(contentsOf: features[starts[row]..<starts[row + 1]])
            kept.values.append(contentsOf: values[starts[row]..<starts[row + 1]])
            kept.starts.append(kept.features.count)
        }
        self = kept
    }

    func write(to bytes: inout ByteWriter) {
        bytes.write(threshold)
        bytes.write(list: keys)
        bytes.write(list: starts)
        bytes.write(list: features)
        bytes.write(list: values)
    }

    mutating func read(from bytes: inout ByteReader) throws(ByteDamage) {
        threshold = try bytes.read()
        keys = try bytes.list()
        starts = try bytes.list()
        features = try bytes.list()
        values = try bytes.list()
        guard starts.count == keys.count + 1, starts.first == 0, starts.last == features.count,
            values.count == features.count, keys.count <= capacity, keys.allSatisfy({ $0 <= threshold }),
            zip(starts, starts.dropFirst()).allSatisfy(<=)
        else { throw ByteDamage() }
    }
}
