internal import Glibc
public import Kernels
public import System
internal import Tensors

/// Learns a ``HashedEmbedder`` from the texts of a corpus, which come by in batches and need not fit into memory.
///
/// ```swift
/// var fit = HashedEmbedderFit()
/// for batch in batches { fit.add(batch) }
/// let embedder = try fit.finish()
/// ```
/// Every text counts for how rare a feature is; the directions are learned from a random sample of the texts (Vitter's
/// algorithm R, ACM TOMS 11(1), 1985), of which at most 4 KB each are kept. In addition it takes 64 MB, and while
/// it finishes about 2.5 KB for each feature. The result depends on the texts, their order and the
/// seed, not on the number of threads; another processor rounds its last bits differently.
public struct HashedEmbedderFit: Sendable {
    public let dimension: Int
    public let seed: UInt64
    private let sampleSize: Int
    private let mostFeatures: Int
    /// Number of texts that contain each feature.
    private var texts: [UInt32]
    /// Features and how often they come (up to 255), in the lower and the upper bits.
    private var sample: [[UInt32]] = []
    private var random: PhiloxGenerator
    /// Texts that were added.
    public private(set) var count = 0

    /// - Parameters:
    ///   - dimension: Numbers in a vector, 16 to 1024, rounded up to a multiple of 16.
    ///   - sampleSize: Texts that directions are learned from.
    ///   - mostFeatures: Those that carry most weight are kept.
    public init(dimension: Int = 256, sampleSize: Int = 32_768, mostFeatures: Int = 65_536, seed: UInt64 = 1) {
        self.dimension = Self.possible(dimension)
        self.sampleSize = min(max(sampleSize, 1), 1 << 20)
        self.mostFeatures = min(max(mostFeatures, 16), 1 << 20)
        self.seed = seed
        texts = [UInt32](repeating: 0, count: HashedFeatures.count)
        random = PhiloxGenerator(seed: seed, stream: 0x5361_6D70)
    }

    /// Returns the dimension that stands for one that was asked for.
    static func possible(_ dimension: Int) -> Int { (min(max(dimension, 16), 1_024) + 15) / 16 * 16 }

    private static let mostOfOneText = 1_024

    /// Takes in texts.
    public mutating func add(_ batch: [String], pool: ThreadPool = .shared) {
        let size = 32
        var features = [[UInt32]](repeating: [], count: batch.count)
        features.withUnsafeMutableBufferPointer { features in
            nonisolated(unsafe) let features = features  // each chunk writes its own places
            pool.run(chunks: (batch.count + size - 1) / size) { chunk, _ in
                var reader = HashedFeatures()
                for index in chunk * size..<min(batch.count, chunk * size + size) {
                    reader.read(batch[index])
                    let most = UInt32(255)
                    features[index] = zip(reader.features, reader.frequencies).map {
                        $0 | min($1, most) &<< HashedFeatures.bits
                    }
                }
            }
        }
        for one in features where !one.isEmpty {
            texts.withUnsafeMutableBufferPointer { texts in
                for feature in one { texts[Int(feature & Self.mask)] &+= 1 }
            }
            count += 1
            if sample.count < sampleSize {
                sample.append(Array(one.prefix(Self.mostOfOneText)))
            } else {
                let place = random.integer(in: 0..<count)
                if place < sampleSize { sample[place] = Array(one.prefix(Self.mostOfOneText)) }
            }
        }
    }

    private static var mask: UInt32 { (1 << HashedFeatures.bits) - 1 }

    /// The embedder.
    ///
    /// - Throws: Where there is no memory, and where it was canceled.
    public func finish(
        pool: ThreadPool = .shared, isCancelled: () -> Bool = { false }
    ) throws(Problem) -> HashedEmbedder {
        let (features, weights) = chosen()
        guard !features.isEmpty else { return HashedEmbedder(dimension: dimension) }
        do {
            let subspace = try HashedSubspace(
                matrix(features, weights), dimension: dimension, seed: seed, pool: pool)
            guard let found = try subspace.directions(dimension, passes: 3, isCancelled: isCancelled) else {
                throw Problem(.cancelled, "hashed embedding", "the operation was canceled", remedy: "Start it again.")
            }
            // Strong directions count a little more than weak ones: σ^0.3, relative to the strongest.
            let strongest = max(found.values.first ?? 0, .leastNormalMagnitude)
            let scales = found.values.map { Float(pow(max($0, 0) / strongest, 0.3)) }
            var rows = [Float16](repeating: 0, count: features.count * dimension)
            for feature in features.indices {
                for column in 0..<dimension {
                    let value = found.rows.pointer[feature * dimension + column]
                    // Times 64, so that small numbers keep their digits in 16 bits.
                    rows[feature * dimension + column] = Float16(
                        narrowing: 64 * weights[feature] * value * scales[column])
                }
            }
            return HashedEmbedder(dimension: dimension, features: features, rows: rows)
        } catch {
            throw error as? Problem
                ?? Problem(
                    .failed, "hashed embedding", "learning from \(count) texts failed (\(error))",
                    remedy: "Use fewer dimensions, or free some memory.")
        }
    }

    /// Returns the features that carry most weight, ascending, and their weights: idf times what their kind weighs.
    private func chosen() -> ([UInt32], [Float]) {
        var found: [(feature: UInt32, weight: Float, mass: Float)] = []
        for (index, texts) in texts.enumerated() where texts > 0 {
            let feature = UInt32(index)
            let share = (Double(count) - Double(texts) + 0.5) / (Double(texts) + 0.5)
            let weight = Float(log1p(max(share, 0))) * HashedFeatures.kind(feature).weight
            found.append((feature, weight, weight * weight * Float(texts)))
        }
        if found.count > mostFeatures {
            found.sort { $0.mass != $1.mass ? $0.mass > $1.mass : $0.feature < $1.feature }
            found.removeLast(found.count - mostFeatures)
            found.sort { $0.feature < $1.feature }
        }
        return (found.map(\.feature), found.map(\.weight))
    }

    /// Returns the sampled texts over the chosen features, rows of length 1.
    private func matrix(_ features: [UInt32], _ weights: [Float]) -> SparseRows {
        let table = HashedFeatureTable(features)
        var rows = SparseRows(width: features.count)
        for one in sample {
            let first = rows.values.count
            var square: Float = 0
            for packed in one {
                guard let column = table.row(of: packed & Self.mask) else { continue }
                let frequency = packed >> HashedFeatures.bits
                let value = HashedEmbedder.damped(frequency) * weights[Int(column)]
                square += value * value
                rows.columns.append(column)
                rows.values.append(value)
            }
            let scale = square > 0 ? 1 / square.squareRoot() : 0
            for index in first..<rows.values.count { rows.values[index] *= scale }
            rows.starts.append(Int64(rows.values.count))
        }
        return rows
    }
}
