internal import Kernels

/// Encodes tensors a stretch of rows at a time, and measures what each loses.
///
/// Memory: three times four million weights, whatever the size of the model.
final class TensorEncoder {
    /// Bytes of some rows, and their scales where these lie apart.
    typealias Sink = (_ bytes: UnsafeRawBufferPointer, _ scales: UnsafeRawBufferPointer, _ firstRow: Int)
        throws(ModelError) -> Void

    private let pool: ThreadPool
    private let isCancelled: () -> Bool
    private let path: String
    private static let stretch = 1 << 22

    init(_ path: String, pool: ThreadPool, isCancelled: @escaping () -> Bool) {
        self.path = path
        self.pool = pool
        self.isCancelled = isCancelled
    }

    func encode(
        _ source: QuantizationSource, as format: WeightFormat, into sink: Sink
    ) throws(ModelError) -> QuantizationError {
        let (rows, columns) = (source.rows, source.columns)
        guard rows > 0, columns > 0 else { return QuantizationError() }
        let reader = try source.reader()
        // 64 rows at a time keep the blocks of every format whole.
        let height = min(rows, max(64, Self.stretch / columns / 64 * 64))
        let weights = try AlignedBuffer<Float>.orModelError(height * columns, path)
        let decoded = try AlignedBuffer<Float>.orModelError(height * columns, path)
        let bytes = try AlignedBuffer<UInt8>.orModelError(format.byteCount(height * columns) ?? 0, path)
        let scales = try AlignedBuffer<Float>.orModelError(format.scaleCount(rows: height, columns: columns), path)
        defer { withExtendedLifetime((weights, decoded, bytes, scales)) {} }
        var error = QuantizationError()
        for first in stride(from: 0, to: rows, by: height) {
            try checkCancelled()
            let count = min(height, rows - first)
            reader.read(first..<first + count, into: weights.pointer, pool: pool)
            format.encode(
                weights.pointer, rows: count, columns: columns, into: bytes.pointer, scales: scales.pointer, pool: pool)
            let size = format.byteCount(count * columns) ?? 0
            let encoded = UnsafeRawBufferPointer(start: bytes.pointer, count: size)
            try decode(encoded, scales, format, count, columns, into: decoded)
            error.add(
                QuantizationError(weights.pointer, decoded.pointer, count: count * columns, pool: pool))
            guard error.isFinite || format.blockSize == 1 && !format.hasSeparateScales else {
                throw ModelError(
                    path,
                    problem:
                        "\(source.name) has a value that is infinite, NaN, or too large for \(format.rawValue)",
                    remedy: "Quantize to bf16 or f32, or repair the model.")
            }
            let scaleCount = format.scaleCount(rows: count, columns: columns)
            try sink(encoded, UnsafeRawBufferPointer(start: scales.pointer, count: 4 * scaleCount), first)
        }
        return error
    }

    func checkCancelled() throws(ModelError) {
        if isCancelled() { throw ModelError(path, problem: "canceled") }
    }

    private func decode(
        _ bytes: UnsafeRawBufferPointer, _ scales: AlignedBuffer<Float>, _ format: WeightFormat, _ rows: Int,
        _ columns: Int, into target: AlignedBuffer<Float>
    ) throws(ModelError) {
        do {
            let matrix = try WeightMatrix(
                format, rows: rows, columns: columns, bytes: bytes,
                scales: format.hasSeparateScales ? UnsafePointer(scales.pointer) : nil)
            matrix.decode(rows: 0..<rows, into: target.pointer, pool: pool)
        } catch {
            throw ModelError(path, problem: "cannot encode a tensor as \(format.rawValue): \(error)")
        }
    }
}
