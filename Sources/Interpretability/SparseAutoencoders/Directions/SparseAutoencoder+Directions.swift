internal import Kernels
public import System
public import Tensors

/// Another feature whose decoder row points about the same way.
public struct FeatureNeighbor: Hashable, Sendable {
    /// Its number in the dictionary.
    public var feature: Int
    /// Of the two decoder rows.
    public var cosine: Float

    /// A neighbor at a cosine.
    public init(feature: Int, cosine: Float) {
        self.feature = feature
        self.cosine = cosine
    }
}

extension SparseAutoencoder {
    /// What one unit of a feature adds to the activation, `[d]`: its decoder row, with the scale of inputs undone.
    ///
    /// Where each row is normalized by itself it is the direction alone: how much it adds depends on the row.
    public func featureDirection(_ feature: Int) throws(Problem) -> Tensor<Float> {
        try check()
        try checkFeature(feature)
        return try telling {
            let row = try Self.rows([feature], of: decoder).reshaped([inputWidth])
            guard case .scale(let factor) = normalization else { return row }
            return try row * (1 / factor)
        }
    }

    /// The Euclidean norms of decoder rows, by feature.
    public func decoderNorms() throws(Problem) -> [Float] {
        try check()
        let width = inputWidth
        return try telling {
            try decoder.withElements { rows in
                (0..<rows.count / width).map { feature in
                    var squares = 0.0
                    for i in feature * width..<(feature + 1) * width { squares += Double(rows[i]) * Double(rows[i]) }
                    return Float(squares.squareRoot())
                }
            }
        }
    }

    /// The features whose decoder rows have the largest cosine with that of each feature, itself left out.
    ///
    /// O(features · F · d) multiplications in blocks of rows. A row of zeros has cosine 0 with all.
    ///
    /// - Parameters:
    ///   - decoder: `[F, d]`.
    ///   - features: Features to include; `nil` for all.
    ///   - isCancelled: Checked between blocks.
    /// - Returns: For each feature `count` others, nearest first, ties by index.
    public static func neighbors(
        in decoder: Tensor<Float>, of features: [Int]? = nil, count: Int = 3, isCancelled: () -> Bool = { false }
    ) throws(Problem) -> [[FeatureNeighbor]] {
        guard decoder.rank == 2, let total = decoder.shape.first, let width = decoder.shape.last, total > 0 else {
            throw Problem(.invalid, "decoder", "shape is \(decoder.shape), expected [features, width]")
        }
        let asked = features ?? Array(0..<total)
        guard asked.allSatisfy({ (0..<total).contains($0) }) else {
            throw Problem(.invalid, "features", "some are out of range", remedy: "Use 0 to \(total - 1).")
        }
        let kept = max(0, min(count, total - 1))
        return try telling {
            let unit = try Tensor<Float>(shape: [total, width]) { target throws(TensorError) in
                try decoder.withElements { source in
                    for feature in 0..<total {
                        let row = feature * width..<(feature + 1) * width
                        var squares = 0.0
                        for i in row { squares += Double(source[i]) * Double(source[i]) }
                        let factor = squares > 0 ? Float(1 / squares.squareRoot()) : 0
                        for i in row { target[i] = source[i] * factor }
                    }
                }
            }
            defer { withExtendedLifetime(unit) {} }
            let columns = MatrixView(UnsafePointer(unit.base), rows: total, columns: width).transposed
            let packed = try multiplying(for: "neighbors") { () throws(KernelError) in try PackedMatrix(columns) }
            let block = min(max(asked.count, 1), max(16, (1 << 21) / total))
            let cosines = try TensorStorage<Float>(count: block * total, for: "neighbors")
            var result: [[FeatureNeighbor]] = []
            result.reserveCapacity(asked.count)
            for first in stride(from: 0, to: asked.count, by: block) {
                if isCancelled() { throw Problem.cancelled() }
                let chosen = Array(asked[first..<min(asked.count, first + block)])
                let rows = try rows(chosen, of: unit)
                try multiplying(for: "neighbors") { () throws(KernelError) in
                    try MatrixProduct.multiply(
                        MatrixView(UnsafePointer(rows.base), rows: chosen.count, columns: width), packed,
                        into: MutableMatrixView(cosines.pointer, rows: chosen.count, columns: total))
                }
                withExtendedLifetime(rows) {}
                for (row, feature) in chosen.enumerated() { cosines.pointer[row * total + feature] = -.infinity }
                result += largest(of: cosines.pointer, rows: chosen.count, count: total, k: kept).map { row in
                    row.map { FeatureNeighbor(feature: Int($0.index), cosine: min($0.value, 1)) }
                }
            }
            return result
        }
    }

    /// The features whose decoder rows are nearest to those of a few; see ``neighbors(in:of:count:isCancelled:)``.
    public func neighbors(
        of features: [Int], count: Int = 3
    ) throws(Problem) -> [[FeatureNeighbor]] {
        try Self.neighbors(in: decoder, of: features, count: count)
    }

    /// The largest of each row, by threads that each take some rows.
    static func largest(
        of matrix: UnsafePointer<Float>, rows: Int, count: Int, k: Int
    ) -> [[(index: Int32, value: Float)]] {
        [[(index: Int32, value: Float)]](unsafeUninitializedCapacity: rows) { result, initialized in
            let target = result.baseAddress
            let pool = rows * count > 1 << 16 ? ThreadPool.shared : .single
            pool.run(chunks: rows) { row, _ in
                (target! + row).initialize(to: LargestOfRow.of(matrix + row * count, count: count, k: k))
            }
            initialized = rows
        }
    }
}
