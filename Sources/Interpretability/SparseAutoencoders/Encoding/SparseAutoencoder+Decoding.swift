internal import Kernels
public import System
public import Tensors

extension SparseAutoencoder {
    /// Rows written with features: f W_dec + b_dec, with the normalization undone.
    ///
    /// Adds the rows of active features only: O(L0 · d) a row, by threads.
    ///
    /// - Parameter rows: Inputs, required if the normalization differs per row (`rowNorm`, `layerNorm`).
    /// - Returns: `[n, d]`.
    public func decode(
        _ codes: SparseCodes, of rows: Tensor<Float>? = nil
    ) throws(Problem) -> Tensor<Float> {
        try check()
        guard codes.width == featureCount else {
            throw Problem(.invalid, "codes", "\(codes.width) features do not match the dictionary's \(featureCount)")
        }
        try codes.check()
        guard let rows else {
            guard !normalization.isByRow else {
                throw Problem(
                    .invalid, "dictionary", "normalization per row needs the original rows",
                    remedy: "Pass the original input rows to the decoder along with the codes.")
            }
            let none = try telling { try Tensor<Float>(repeating: 0, shape: [0, inputWidth]) }
            return try decode(codes, try RowRestoring(none, normalization))
        }
        let inputs = try InputRows.flattened(rows, width: inputWidth)
        guard inputs.shape[0] == codes.rows else {
            throw Problem(.invalid, "codes", "\(codes.rows) rows do not match the \(inputs.shape[0]) input rows")
        }
        return try decode(codes, try RowRestoring(inputs, normalization))
    }

    /// What the dictionary makes of rows, in their shape.
    public func reconstruct(_ rows: Tensor<Float>) throws(Problem) -> Tensor<Float> {
        try check()
        let inputs = try InputRows(rows, for: self)
        let output = try decode(try encode(inputs), inputs.restoring)
        return try telling { try output.reshaped(rows.shape) }
    }

    /// What the dictionary leaves out of rows: x − x̂, in their shape.
    public func error(of rows: Tensor<Float>) throws(Problem) -> Tensor<Float> {
        let reconstruction = try reconstruct(rows)
        return try telling { try rows - reconstruction }
    }

    func decode(_ codes: SparseCodes, _ restoring: RowRestoring) throws(Problem) -> Tensor<Float> {
        let (width, count) = (inputWidth, codes.rows)
        return try telling {
            let directions = try decoder.contiguous()
            let bias = decoderBias.elements
            return try Tensor(shape: [count, width]) { output in
                guard let target = output.baseAddress, count > 0 else { return }
                let group = max(1, (1 << 14) / width)
                let chunks = (count + group - 1) / group
                let pool = chunks > 1 ? ThreadPool.shared : .single
                pool.run(chunks: chunks) { chunk, _ in
                    for row in chunk * group..<min(count, (chunk + 1) * group) {
                        let place = target + row * width
                        bias.withUnsafeBufferPointer { place.update(from: $0.baseAddress!, count: width) }
                        for index in codes.starts[row]..<codes.starts[row + 1] {
                            let direction = directions.base + Int(codes.features[index]) * width
                            Elementwise.add(codes.values[index], times: direction, to: place, count: width)
                        }
                        let (factor, mean) = restoring.outward(row)
                        if factor != 1 || mean != 0 {
                            for column in 0..<width { place[column] = place[column] * factor + mean }
                        }
                    }
                }
                withExtendedLifetime(directions) {}
            }
        }
    }
}

extension SparseAutoencoder.Normalization {
    /// Whether what it does to a row depends on that row.
    var isByRow: Bool {
        switch self {
        case .none, .scale: false
        case .rowNorm, .layerNorm: true
        }
    }
}
