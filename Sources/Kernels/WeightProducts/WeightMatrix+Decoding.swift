internal import CKernels

extension WeightMatrix {
    /// The weights of one row, exactly as the format defines them.
    ///
    /// - Parameter weights: room for `columns`.
    public func decode(row: Int, into weights: UnsafeMutablePointer<Float>) {
        precondition(row >= 0 && row < rows)
        guard let first = bytes.baseAddress else { return }
        let place = first + row * bytesPerRow
        withExtendedLifetime(owner) {
            if let quantization {
                quantization.decode(place.assumingMemoryBound(to: UInt8.self), count: columns, into: weights)
            } else if format == .f16, Int(bitPattern: place) % 2 == 0 {
                HalfConversion.widen(place.assumingMemoryBound(to: UInt16.self), to: weights, count: columns)
            } else {
                orrery_decode_floats(format.floats, first, scales, columns, row * columns, columns, weights)
            }
        }
    }

    /// The weights of some rows, `[rows.count, columns]`.
    public func decode(rows: Range<Int>, into weights: UnsafeMutablePointer<Float>, pool: ThreadPool = .shared) {
        precondition(rows.lowerBound >= 0 && rows.upperBound <= self.rows)
        let height = max(1, 4096 / columns)
        pool.run(chunks: (rows.count + height - 1) / height) { chunk, _ in
            for row in chunk * height..<min(rows.count, (chunk + 1) * height) {
                decode(row: rows.lowerBound + row, into: weights + row * columns)
            }
        }
    }

    var quantization: Quantization? { format.quantization }
}
