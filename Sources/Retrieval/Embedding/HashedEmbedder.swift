internal import Formatting
internal import Glibc
internal import Kernels
internal import SearchIndexes
public import System
internal import Tensors

/// Vectors without a model: words, pairs of words and runs of characters, weighted by rarity and brought into few
/// dimensions by the directions along which the texts of a corpus differ.
///
/// It needs no download, learns in seconds (``HashedEmbedderFit``), and finds what shares words or the topics that
/// words share; it learns only meanings that the corpus shows. A text with none of the corpus's features gets a vector
/// of its own features, hashed, that is near no other by more than chance.
///
/// Source: Deerwester et al., "Indexing by latent semantic analysis", JASIS 41(6), 1990; weights (1 + ln tf) · idf.
public final class HashedEmbedder: Embedder {
    public let dimension: Int
    public let digest: String
    /// The feature of each row, ascending.
    let features: [UInt32]
    /// `[features, dimension]`: what each feature adds to a vector, times 64.
    let rows: [Float16]
    private let wide: [Float]
    private let table: HashedFeatureTable

    public var name: String { "hashed-\(dimension)" }
    public var batchSize: Int { 256 }
    /// Features that it knows.
    public var featureCount: Int { features.count }

    /// An embedder that has seen nothing: vectors are hashed features.
    ///
    /// - Parameter dimension: 16 to 1024, rounded up to a multiple of 16.
    public convenience init(dimension: Int = 256) {
        self.init(dimension: HashedEmbedderFit.possible(dimension), features: [], rows: [])
    }

    init(dimension: Int, features: [UInt32], rows: [Float16]) {
        self.dimension = dimension
        self.features = features
        self.rows = rows
        wide = rows.map { $0.widened / 64 }
        table = HashedFeatureTable(features)
        var hash: UInt64 = UInt64(dimension)
        for feature in features { hash = WordHashes.mixed(hash ^ UInt64(feature)) &+ 1 }
        // Four numbers at a time; features are rows of at least sixteen.
        for first in stride(from: 0, to: rows.count, by: 4) {
            var four: UInt64 = 0
            for index in first..<first + 4 { four = four &<< 16 | UInt64(rows[index].bitPattern) }
            hash = WordHashes.mixed(hash ^ four) &+ 1
        }
        digest = "hashed-1-\(dimension)-\(Format.hexadecimal(hash, digits: 16))"
    }

    /// Returns the weight of a feature with a frequency: 1 + ln tf.
    static func damped(_ frequency: UInt32) -> Float {
        frequency < 256 ? dampedTable[Int(frequency)] : 1 + logf(Float(frequency))
    }

    private static let dampedTable: [Float] = (0..<256).map { $0 == 0 ? 0 : 1 + logf(Float($0)) }

    public func embed(
        _ texts: [String], as role: EmbeddingRole, isCancelled: @Sendable () -> Bool
    ) throws(Problem) -> [Float] {
        let size = 16
        var vectors = [Float](repeating: 0, count: texts.count * dimension)
        vectors.withUnsafeMutableBufferPointer { vectors in
            guard let base = vectors.baseAddress else { return }
            nonisolated(unsafe) let target = base  // each chunk writes its own rows
            let pool = texts.count > size ? ThreadPool.shared : .single
            pool.run(chunks: (texts.count + size - 1) / size) { chunk, _ in
                if isCancelled() { return }
                var reader = HashedFeatures()
                for index in chunk * size..<min(texts.count, chunk * size + size) {
                    reader.read(texts[index])
                    embed(reader, into: target + index * dimension)
                }
            }
        }
        if isCancelled() {
            throw Problem(.cancelled, name, "the operation was canceled", remedy: "Start it again.")
        }
        return vectors
    }

    /// One vector of length 1.
    private func embed(_ reader: HashedFeatures, into vector: UnsafeMutablePointer<Float>) {
        var known: [UInt32] = []
        var weights: [Float] = []
        known.reserveCapacity(reader.features.count)
        weights.reserveCapacity(reader.features.count)
        for (feature, frequency) in zip(reader.features, reader.frequencies) {
            guard let row = table.row(of: feature) else { continue }
            known.append(row)
            weights.append(Self.damped(frequency))
        }
        known.withUnsafeBufferPointer { known in
            weights.withUnsafeBufferPointer { weights in
                wide.withUnsafeBufferPointer { wide in
                    guard let weights = weights.baseAddress, let wide = wide.baseAddress else { return }
                    SparseGram.sum(of: known, weights: weights, rows: wide, width: dimension, into: vector)
                }
            }
        }
        if normalize(vector) { return }
        for (feature, frequency) in zip(reader.features, reader.frequencies) {
            let hash = WordHashes.mixed(UInt64(feature))
            let value = HashedFeatures.kind(feature).weight * Self.damped(frequency)
            vector[Int(hash % UInt64(dimension))] += hash >> 63 == 0 ? value : -value
        }
        // A text without words has the last axis to itself.
        if !normalize(vector) { vector[dimension - 1] = 1 }
    }

    /// Brings a vector to length 1.
    ///
    /// - Returns: False for zeros, which stay.
    private func normalize(_ vector: UnsafeMutablePointer<Float>) -> Bool {
        var square: Double = 0
        for index in 0..<dimension { square += Double(vector[index]) * Double(vector[index]) }
        guard square > 1e-20 else {
            vector.update(repeating: 0, count: dimension)
            return false
        }
        let scale = 1 / square.squareRoot()
        for index in 0..<dimension { vector[index] = Float(Double(vector[index]) * scale) }
        return true
    }
}
