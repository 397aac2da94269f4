internal import CKernels

extension WeightFormat {
    /// Encodes some rows of a matrix, one after another: a matrix of any size needs no more memory than its caller takes.
    ///
    /// q8_0 and q4_0 give the bytes of llama.cpp's reference and the q*_k those of its searches without importances;
    /// f16 and bf16 round to nearest, ties to even; nf4 takes the nearest value of the codebook for x / max|x| of 64
    /// weights, int8 rounds x · (127 / max|x|) of a row to nearest, ties to even, as bitsandbytes does.
    ///
    /// - Parameter weights: `[rows, columns]`, columns a multiple of `blockSize`. The scales of nf4 run over the whole
    ///   matrix: a stretch that does not end it holds a multiple of 64 weights.
    /// - Parameter bytes: room for `byteCount(rows * columns)`.
    /// - Parameter scales: room for `scaleCount(rows:columns:)` where scales lie apart; else unused.
    public func encode(
        _ weights: UnsafePointer<Float>, rows: Int, columns: Int, into bytes: UnsafeMutableRawPointer,
        scales: UnsafeMutablePointer<Float>? = nil, pool: ThreadPool = .shared
    ) {
        precondition(columns % blockSize == 0, "the length of a \(rawValue) row must be a multiple of \(blockSize)")
        precondition(!hasSeparateScales || scales != nil, "\(rawValue) needs a buffer for scales")
        guard rows > 0, columns > 0 else { return }
        guard self != .nf4 else {
            return encodeNF4(weights, count: rows * columns, into: bytes, scales: scales!, pool: pool)
        }
        let bytesPerRow = columns / blockSize * bytesPerBlock
        let height = max(1, 4096 / columns)
        pool.run(chunks: (rows + height - 1) / height) { chunk, _ in
            for row in chunk * height..<min(rows, (chunk + 1) * height) {
                encodeRow(
                    weights + row * columns, count: columns, into: bytes + row * bytesPerRow,
                    scale: scales.map { $0 + row })
            }
        }
    }

    private func encodeRow(
        _ weights: UnsafePointer<Float>, count: Int, into bytes: UnsafeMutableRawPointer,
        scale: UnsafeMutablePointer<Float>?
    ) {
        switch self {
        case .f32: bytes.copyMemory(from: weights, byteCount: 4 * count)
        case .f16: HalfConversion.narrow(weights, to: bytes.assumingMemoryBound(to: UInt16.self), count: count)
        case .bf16: BFloat16Conversion.narrow(weights, to: bytes.assumingMemoryBound(to: UInt16.self), count: count)
        case .int8: orrery_encode_int8(weights, count, bytes.assumingMemoryBound(to: Int8.self), scale)
        case .nf4: orrery_encode_nf4(weights, count, bytes.assumingMemoryBound(to: UInt8.self), scale)
        case .q8_0, .q4_0, .q4_k, .q5_k, .q6_k:
            quantization?.encode(weights, count: count, into: bytes.assumingMemoryBound(to: UInt8.self))
        }
    }

    private func encodeNF4(
        _ weights: UnsafePointer<Float>, count: Int, into bytes: UnsafeMutableRawPointer,
        scales: UnsafeMutablePointer<Float>, pool: ThreadPool
    ) {
        let stretch = 4096
        pool.run(chunks: (count + stretch - 1) / stretch) { chunk, _ in
            let first = chunk * stretch
            encodeRow(
                weights + first, count: min(stretch, count - first), into: bytes + first / 2, scale: scales + first / 64
            )
        }
    }
}

extension WeightMatrix {
    /// Weights that are encoded from `[rows, columns]` float32, in memory of their own.
    ///
    /// - Throws: `KernelError.shape` where columns are not a multiple of the block; `KernelError.memory`.
    public init(
        _ format: WeightFormat, encoding weights: UnsafePointer<Float>, rows: Int, columns: Int,
        pool: ThreadPool = .shared
    ) throws(KernelError) {
        guard rows > 0, columns > 0, columns % format.blockSize == 0 else {
            throw .shape(
                operation: format.rawValue,
                problem: "a row has \(columns) weights, but \(format.rawValue) needs a multiple of \(format.blockSize)")
        }
        let (count, overflow) = rows.multipliedReportingOverflow(by: columns)
        guard !overflow, let byteCount = format.byteCount(count) else { throw .memory(bytes: nil) }
        let memory = try EncodedMemory(
            bytes: AlignedBuffer(count: byteCount),
            scales: AlignedBuffer(count: format.scaleCount(rows: rows, columns: columns)))
        format.encode(
            weights, rows: rows, columns: columns, into: memory.bytes.pointer, scales: memory.scales.pointer, pool: pool
        )
        try self.init(
            format, rows: rows, columns: columns, bytes: UnsafeRawBufferPointer(memory.bytes.elements),
            scales: format.hasSeparateScales ? UnsafePointer(memory.scales.pointer) : nil, owner: memory)
    }
}

/// What an encoded matrix owns.
private final class EncodedMemory {
    let bytes: AlignedBuffer<UInt8>
    let scales: AlignedBuffer<Float>

    init(bytes: AlignedBuffer<UInt8>, scales: AlignedBuffer<Float>) {
        self.bytes = bytes
        self.scales = scales
    }
}
