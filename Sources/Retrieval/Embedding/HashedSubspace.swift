internal import Kernels
internal import Tensors

/// Rows of weights of which most are zero.
struct SparseRows {
    /// Start of the entries of each row: `[rows + 1]`.
    var starts: [Int64] = [0]
    var columns: [UInt32] = []
    var values: [Float] = []
    var width: Int

    init(width: Int) { self.width = width }
}

/// The directions along which the rows of a sparse matrix A differ most: its right singular vectors.
///
/// Subspace iteration with more columns than are wanted: a random start, then Y = orthonormal(AᵀA Y) a few times, and
/// at last the eigenvectors of Yᵀ AᵀA Y. Slices of 48 columns are worked on by themselves, so that the result does not
/// depend on the number of threads.
///
/// Source: Halko, Martinsson, Tropp, SIAM Review 53(2), 2011, algorithms 4.4 and 5.1.
struct HashedSubspace {
    private let rows: SparseRows
    private let slices: Int
    /// Y and AᵀA Y: slice after slice, each `[features, 48]`.
    private let basis: AlignedBuffer<Float>
    private let image: AlignedBuffer<Float>
    private let pool: ThreadPool

    private static var sliceWidth: Int { SparseGram.sliceWidth }
    private var size: Int { slices * Self.sliceWidth }

    /// - Parameter dimension: Directions that are wanted.
    init(_ rows: SparseRows, dimension: Int, seed: UInt64, pool: ThreadPool) throws(KernelError) {
        self.rows = rows
        self.pool = pool
        slices = (dimension + 24 + Self.sliceWidth - 1) / Self.sliceWidth
        basis = try AlignedBuffer(count: slices * Self.sliceWidth * rows.width)
        image = try AlignedBuffer(count: slices * Self.sliceWidth * rows.width)
        var random = PhiloxGenerator(seed: seed, stream: 0x5356_4421)
        var bits: UInt32 = 0
        for index in 0..<basis.count {
            if index & 31 == 0 { bits = random.nextWord() }
            basis.pointer[index] = bits & 1 == 1 ? 1 : -1
            bits >>= 1
        }
    }

    /// The directions and their singular values, the greatest first.
    ///
    /// - Parameters:
    ///   - dimension: Numbers in a row of the result; those without a direction are 0.
    ///   - isCancelled: Asked between the passes.
    /// - Returns: `[features, dimension]` and `[dimension]`; `nil` if the work was canceled.
    func directions(
        _ dimension: Int, passes: Int, isCancelled: () -> Bool
    ) throws -> (rows: AlignedBuffer<Float>, values: [Double])? {
        for _ in 0..<passes {
            if isCancelled() { return nil }
            multiply()
            let gram = try products(image, image)
            try rotate(image, by: Self.whitening(gram, size), into: basis)
        }
        if isCancelled() { return nil }
        multiply()
        let gram = try products(basis, image)
        let (vectors, values) = try Self.eigenvectors(gram, size)
        try rotate(basis, by: vectors, into: image)
        let result = try AlignedBuffer<Float>(count: rows.width * dimension)
        for slice in 0..<slices {
            let source = self.slice(slice, of: image)
            let first = slice * Self.sliceWidth
            let count = min(Self.sliceWidth, dimension - first)
            for row in 0..<(count > 0 ? rows.width : 0) {
                (result.pointer + row * dimension + first).update(from: source + row * Self.sliceWidth, count: count)
            }
        }
        return (result, values.prefix(dimension).map { max($0, 0).squareRoot() })
    }

    private func slice(_ index: Int, of buffer: AlignedBuffer<Float>) -> UnsafeMutablePointer<Float> {
        buffer.pointer + index * rows.width * Self.sliceWidth
    }

    private func view(_ index: Int, of buffer: AlignedBuffer<Float>) -> MatrixView<Float> {
        MatrixView(UnsafePointer(slice(index, of: buffer)), rows: rows.width, columns: Self.sliceWidth)
    }

    /// image = AᵀA basis.
    private func multiply() {
        image.pointer.update(repeating: 0, count: image.count)
        rows.starts.withUnsafeBufferPointer { starts in
            rows.columns.withUnsafeBufferPointer { columns in
                rows.values.withUnsafeBufferPointer { values in
                    guard let columns = columns.baseAddress, let values = values.baseAddress else { return }
                    pool.run(chunks: slices) { slice, _ in
                        SparseGram.accumulate(
                            starts: starts, columns: columns, values: values,
                            in: self.slice(slice, of: basis), out: self.slice(slice, of: image))
                    }
                }
            }
        }
    }

    /// aᵀ b: `[size, size]`.
    private func products(_ a: AlignedBuffer<Float>, _ b: AlignedBuffer<Float>) throws -> [Double] {
        let block = try AlignedBuffer<Float>(count: Self.sliceWidth * Self.sliceWidth)
        var gram = [Double](repeating: 0, count: size * size)
        for i in 0..<slices {
            for j in i..<slices {
                try MatrixProduct.multiply(
                    view(i, of: a).transposed, view(j, of: b),
                    into: MutableMatrixView(block.pointer, rows: Self.sliceWidth, columns: Self.sliceWidth),
                    pool: pool)
                for row in 0..<Self.sliceWidth {
                    for column in 0..<Self.sliceWidth {
                        let value = Double(block.pointer[row * Self.sliceWidth + column])
                        let (x, y) = (i * Self.sliceWidth + row, j * Self.sliceWidth + column)
                        gram[x * size + y] = value
                        gram[y * size + x] = value
                    }
                }
            }
        }
        return gram
    }

    /// target = source matrix, the matrix being `[size, size]`.
    private func rotate(
        _ source: AlignedBuffer<Float>, by matrix: [Float], into target: AlignedBuffer<Float>
    ) throws {
        try matrix.withUnsafeBufferPointer { matrix in
            guard let base = matrix.baseAddress else { return }
            for j in 0..<slices {
                for i in 0..<slices {
                    let part = MatrixView(
                        base + i * Self.sliceWidth * size + j * Self.sliceWidth, rows: Self.sliceWidth,
                        columns: Self.sliceWidth, rowStride: size)
                    try MatrixProduct.multiply(
                        view(i, of: source), part,
                        into: MutableMatrixView(slice(j, of: target), rows: rows.width, columns: Self.sliceWidth),
                        accumulate: i > 0, pool: pool)
                }
            }
        }
    }

    /// W such that the columns of Y W are orthonormal, given G = YᵀY; directions that Y does not have become zeros.
    private static func whitening(_ gram: [Double], _ size: Int) throws -> [Float] {
        // Normalize the columns to length 1 first, so that short ones are not lost next to long ones.
        let scales = (0..<size).map { gram[$0 * size + $0] > 0 ? 1 / gram[$0 * size + $0].squareRoot() : 0 }
        var scaled = gram
        for row in 0..<size { for column in 0..<size { scaled[row * size + column] *= scales[row] * scales[column] } }
        let eigen = try SymmetricEigen(Tensor(scaled, shape: [size, size]))
        let values = eigen.values.elements
        let vectors = eigen.vectors?.elements ?? []
        let least = (values.last ?? 0) * 1e-6
        var result = [Float](repeating: 0, count: size * size)
        for column in 0..<size {
            // The largest first.
            let from = size - 1 - column
            guard values[from] > least else { continue }
            let factor = 1 / values[from].squareRoot()
            for row in 0..<size {
                result[row * size + column] = Float(scales[row] * vectors[row * size + from] * factor)
            }
        }
        return result
    }

    /// Returns eigenvectors in columns, in descending order of their values.
    private static func eigenvectors(_ gram: [Double], _ size: Int) throws -> ([Float], [Double]) {
        let eigen = try SymmetricEigen(Tensor(gram, shape: [size, size]))
        let vectors = eigen.vectors?.elements ?? []
        var result = [Float](repeating: 0, count: size * size)
        for column in 0..<size {
            let from = size - 1 - column
            for row in 0..<size { result[row * size + column] = Float(vectors[row * size + from]) }
        }
        return (result, eigen.values.elements.reversed())
    }
}
