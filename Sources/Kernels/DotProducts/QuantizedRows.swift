internal import CKernels

/// A matrix W[rows, columns] of quantized weights where it lies: in a mapped file or in memory of its own.
///
/// ```swift
/// let w = try QuantizedRows(.q8_0, encoding: weights, rows: 4096, columns: 4096)
/// try w.multiply(x, xStride: 4096, m: 1, into: y, yStride: 4096)
/// ```
public struct QuantizedRows: @unchecked Sendable {  // bytes that never change
    public let format: Quantization
    public let rows: Int
    public let columns: Int
    /// Row after row, `bytesPerRow` each.
    public let bytes: UnsafeRawBufferPointer
    private let owner: AnyObject?

    /// Rows in memory that the caller keeps, or that `owner` keeps for as long as this value lives.
    ///
    /// - Throws: `KernelError.shape` where columns are not a multiple of the block, or the bytes are too few.
    public init(
        _ format: Quantization, rows: Int, columns: Int, bytes: UnsafeRawBufferPointer, owner: AnyObject? = nil
    ) throws(KernelError) {
        let needed = try Self.byteCount(format, rows: rows, columns: columns)
        guard bytes.count >= needed else {
            throw .shape(
                operation: format.rawValue,
                problem: "\(rows) rows of \(columns) weights need \(needed) bytes, but there are \(bytes.count)")
        }
        self.format = format
        self.rows = rows
        self.columns = columns
        self.bytes = UnsafeRawBufferPointer(rebasing: bytes[0..<needed])
        self.owner = owner
    }

    /// Rows that are encoded from weights[rows, columns].
    ///
    /// - Throws: `KernelError.shape` where columns are not a multiple of the block; `KernelError.memory`.
    public init(
        _ format: Quantization, encoding weights: UnsafePointer<Float>, rows: Int, columns: Int,
        pool: ThreadPool = .shared
    ) throws(KernelError) {
        let memory = try AlignedBuffer<UInt8>(count: Self.byteCount(format, rows: rows, columns: columns))
        let bytesPerRow = rows > 0 ? memory.count / rows : 0
        pool.run(chunks: rows) { row, _ in
            format.encode(weights + row * columns, count: columns, into: memory.pointer + row * bytesPerRow)
        }
        try self.init(
            format, rows: rows, columns: columns, bytes: UnsafeRawBufferPointer(memory.elements), owner: memory)
    }

    private static func byteCount(_ format: Quantization, rows: Int, columns: Int) throws(KernelError) -> Int {
        guard rows >= 0, columns > 0, columns % format.blockSize == 0 else {
            throw .shape(
                operation: format.rawValue,
                problem: "a row has \(columns) weights, but \(format.rawValue) needs a multiple of \(format.blockSize)")
        }
        let (weights, overflow) = rows.multipliedReportingOverflow(by: columns)
        guard !overflow, let bytes = format.byteCount(weights) else { throw .memory(bytes: nil) }
        return bytes
    }

    public var bytesPerRow: Int { columns / format.blockSize * format.bytesPerBlock }

    private func pointer(row: Int) -> UnsafePointer<UInt8>? {
        bytes.baseAddress.map { ($0 + row * bytesPerRow).assumingMemoryBound(to: UInt8.self) }
    }

    /// The weights of one row.
    public func decode(row: Int, into weights: UnsafeMutablePointer<Float>) {
        precondition(row >= 0 && row < rows)
        guard let bytes = pointer(row: row) else { return }
        withExtendedLifetime(owner) { format.decode(bytes, count: columns, into: weights) }
    }

    /// A way to multiply.
    public enum Path: String, CaseIterable, Sendable {
        /// Weights and activations decoded to floats, products summed in double: the twin of the others.
        case decoded
        /// Integer products.
        case portable
        /// 256-bit vpmaddubsw.
        case avx2
        /// vpdpbusd.
        case vnni

        /// The instructions that it needs.
        public var needs: ProcessorFeatures {
            switch self {
            case .decoded, .portable: []
            case .avx2: .avx2
            case .vnni: [.avx2, .avx512, .vnni]
            }
        }

        public var isAvailable: Bool { ProcessorFeatures.present.isSuperset(of: needs) }

        /// The fastest on this processor.
        public static let best: Self = allCases.last { $0.isAvailable } ?? .portable

        var path: orrery_row_path {
            switch self {
            case .decoded: ORRERY_ROWS_DECODED
            case .portable: ORRERY_ROWS_PORTABLE
            case .avx2: ORRERY_ROWS_AVX2
            case .vnni: ORRERY_ROWS_VNNI
            }
        }
    }

    /// y[m, rows] = x[m, columns] · Wᵀ; strides count elements.
    ///
    /// Activations are brought to 8 bits on the way, as llama.cpp does: by runs of 32 with a float16 scale for q8_0 and
    /// q4_0, of 256 with a float32 scale for the q*_k. That is nearly all of the error (about half a percent of y's spread);
    /// against those activations the products are exact but for the rounding of one addition a block. A run with an
    /// infinity or a NaN makes its row of y NaN. The order of sums depends on `columns` alone: the same bits for any
    /// number of threads, and for a row alone or among others.
    ///
    /// - Parameter path: one that this processor lacks is replaced by its best.
    /// - Throws: `KernelError.memory` if there is not enough memory for the activations.
    public func multiply(
        _ x: UnsafePointer<Float>, xStride: Int, m: Int, into y: UnsafeMutablePointer<Float>, yStride: Int,
        path: Path = .best, pool: ThreadPool = .shared
    ) throws(KernelError) {
        guard m > 0, rows > 0 else { return }
        let path = (path.isAvailable ? path : .best).path
        let bytes = orrery_activation_bytes(columns, m)
        guard let product = orrery_row_product_of(format.format, path), let first = pointer(row: 0),
            let activations = orrery_activation_memory(bytes)
        else { throw .memory(bytes: bytes) }
        pool.run(chunks: m) { row, _ in
            orrery_quantize_activations(format.format, path, x, xStride, columns, m, row, 1, activations)
        }
        let height = rowsOfChunk
        pool.run(chunks: (rows + height - 1) / height) { chunk, _ in
            let row = chunk * height
            product(
                first + row * bytesPerRow, min(height, rows - row), columns, activations, m, y + row, yStride)
        }
        withExtendedLifetime(owner) {}
    }

    /// About 128 KiB of weights, in eights: whole tiles of every path.
    private var rowsOfChunk: Int { max(8, min(512, (128 << 10) / bytesPerRow) / 8 * 8) }
}
