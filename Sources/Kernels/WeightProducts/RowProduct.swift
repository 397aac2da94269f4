internal import CKernels

/// A way to multiply rows of weights; every one gives the same numbers but for rounding.
package enum RowProductPath: CaseIterable, Sendable {
    case portable
    case avx2
    /// 512-bit vectors, with vpdpbusd for the formats of blocks.
    case avx512

    /// The instructions that it needs for weights of a format.
    func needs(_ format: WeightFormat) -> ProcessorFeatures {
        switch self {
        case .portable: []
        case .avx2: .avx2
        case .avx512: format.quantization == nil ? [.avx2, .avx512] : [.avx2, .avx512, .vnni]
        }
    }

    package func isAvailable(_ format: WeightFormat) -> Bool {
        ProcessorFeatures.present.isSuperset(of: needs(format))
    }

    /// The fastest on this processor.
    static func best(_ format: WeightFormat) -> Self { allCases.last { $0.isAvailable(format) } ?? .portable }

    fileprivate var integers: orrery_row_path {
        switch self {
        case .portable: ORRERY_ROWS_PORTABLE
        case .avx2: ORRERY_ROWS_AVX2
        case .avx512: ORRERY_ROWS_VNNI
        }
    }

    fileprivate var floats: orrery_float_path {
        switch self {
        case .portable: ORRERY_FLOAT_PORTABLE
        case .avx2: ORRERY_FLOAT_AVX2
        case .avx512: ORRERY_FLOAT_AVX512
        }
    }
}

/// One matrix of a joint product with the same x, and where its results go.
package struct RowProduct {
    let matrix: WeightMatrix
    let output: UnsafeMutablePointer<Float>
    let yStride: Int
    let path: RowProductPath
    private let activations: Activations
    /// What x was turned into; `nil` if x is taken as it is.
    private var prepared: UnsafeMutableRawPointer?

    /// What x is turned into before weights of a format meet it.
    private enum Activations: Equatable {
        /// x itself.
        case floats
        /// x in the order in which nf4's nibbles come.
        case arranged
        /// 8 bits with a scale for each 32, in the order of a path.
        case runs(RowProductPath)
        /// 8 bits with a scale for each 256.
        case superBlocks(RowProductPath)
    }

    /// - Parameter path: the best where nil, or where this processor lacks it.
    package init(
        _ matrix: WeightMatrix, into output: UnsafeMutablePointer<Float>, yStride: Int, path: RowProductPath? = nil
    ) {
        self.matrix = matrix
        self.output = output
        self.yStride = yStride
        let format = matrix.format
        let path = path.flatMap { $0.isAvailable(format) ? $0 : nil } ?? .best(format)
        self.path = path
        switch format {
        case .q8_0, .q4_0: activations = .runs(path)
        case .q4_k, .q5_k, .q6_k: activations = .superBlocks(path)
        case .nf4 where orrery_arranged_floats(ORRERY_FLOAT_NF4, path.floats, matrix.columns) > 0:
            activations = .arranged
        default: activations = .floats
        }
    }

    /// All products, in one go of the pool.
    ///
    /// - Throws: `KernelError.memory` if there is not enough memory for the converted activations.
    package static func run(
        _ products: consuming [RowProduct], _ x: UnsafePointer<Float>, xStride: Int, m: Int, pool: ThreadPool
    ) throws(KernelError) {
        guard m > 0, !products.isEmpty else { return }
        try prepare(&products, x, xStride: xStride, m: m, pool: pool)
        let ready = products
        guard pool.threads > 1 else {
            for product in ready { product.multiply(rows: 0..<product.matrix.rows, x, xStride: xStride, m: m) }
            return
        }
        let chunks = chunks(of: ready)
        pool.run(chunks: chunks.count) { i, _ in
            ready[chunks[i].product].multiply(rows: chunks[i].rows, x, xStride: xStride, m: m)
        }
    }

    // MARK: Activations

    private static func prepare(
        _ products: inout [RowProduct], _ x: UnsafePointer<Float>, xStride: Int, m: Int, pool: ThreadPool
    ) throws(KernelError) {
        let bytes = products.reduce(0) { $0 + $1.preparedBytes(m: m) }  // no less than what is needed
        guard bytes > 0 else { return }
        guard var place = orrery_activation_memory(bytes) else { throw .memory(bytes: bytes) }
        for i in products.indices where products[i].activations != .floats {
            if let same = products[..<i].first(where: { $0.activations == products[i].activations }) {
                products[i].prepared = same.prepared
                continue
            }
            products[i].prepared = place
            place += products[i].preparedBytes(m: m)
            let product = products[i]
            // A few rows take less time than another thread does to wake.
            (m < firstShared ? .single : pool).run(chunks: m) { row, _ in
                product.prepare(row: row, of: x, xStride: xStride, m: m)
            }
        }
    }

    private static var firstShared: Int { 8 }

    private func preparedBytes(m: Int) -> Int {
        let bytes =
            switch activations {
            case .floats: 0
            case .arranged: 4 * m * orrery_arranged_floats(ORRERY_FLOAT_NF4, path.floats, matrix.columns)
            case .runs, .superBlocks: orrery_activation_bytes(matrix.columns, m)
            }
        return (bytes + 63) / 64 * 64
    }

    private func prepare(row: Int, of x: UnsafePointer<Float>, xStride: Int, m: Int) {
        guard let prepared else { return }
        if let quantization = matrix.quantization {
            orrery_quantize_activations(
                quantization.format, path.integers, x, xStride, matrix.columns, m, row, 1, prepared)
        } else {
            let floats = orrery_arranged_floats(ORRERY_FLOAT_NF4, path.floats, matrix.columns)
            orrery_arrange_floats(
                ORRERY_FLOAT_NF4, x + row * xStride, matrix.columns,
                prepared.assumingMemoryBound(to: Float.self) + row * floats)
        }
    }

    // MARK: Rows

    private func multiply(rows: Range<Int>, _ x: UnsafePointer<Float>, xStride: Int, m: Int) {
        let y = output + rows.lowerBound
        guard let first = matrix.bytes.baseAddress else { return }
        if let quantization = matrix.quantization {
            let place = first + rows.lowerBound * matrix.bytesPerRow
            orrery_row_product_of(quantization.format, path.integers)?(
                place.assumingMemoryBound(to: UInt8.self), rows.count, matrix.columns, prepared, m, y, yStride)
            return
        }
        let product = orrery_float_row_product_of(matrix.format.floats, path.floats)
        if activations == .arranged, let prepared {
            product?(
                first, matrix.scales, rows.lowerBound, rows.count, matrix.columns,
                prepared.assumingMemoryBound(to: Float.self),
                orrery_arranged_floats(ORRERY_FLOAT_NF4, path.floats, matrix.columns), m, y, yStride)
        } else {
            product?(
                first, matrix.scales, rows.lowerBound, rows.count, matrix.columns, x, xStride, m, y, yStride)
        }
    }

    private struct Chunk {
        var product: Int
        var rows: Range<Int>
    }

    /// An eighth of what is left each time, 64 to 512 KiB of weights: long stretches, which memory likes, and short ones
    /// at the end, so that threads finish together.
    private static func chunks(of products: [RowProduct]) -> [Chunk] {
        var chunks: [Chunk] = []
        var left = products.reduce(0) { $0 + $1.matrix.bytes.count }
        for (i, product) in products.enumerated() {
            let (rows, bytesPerRow) = (product.matrix.rows, product.matrix.bytesPerRow)
            var row = 0
            while row < rows {
                let bytes = min(max(left / 8, 64 << 10), 512 << 10)
                let end = min(rows, row + max(4, bytes / bytesPerRow / 4 * 4))
                chunks.append(Chunk(product: i, rows: row..<end))
                left -= (end - row) * bytesPerRow
                row = end
            }
        }
        return chunks
    }
}
