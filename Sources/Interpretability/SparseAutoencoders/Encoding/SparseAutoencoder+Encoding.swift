internal import Kernels
public import System
public import Tensors

extension SparseAutoencoder {
    /// The active features of rows.
    ///
    /// If features are equal in TopK, the lower index wins. O(n d F) multiplications, in blocks of rows, with 8 MiB of
    /// memory in addition to the codes; uses all threads.
    ///
    /// - Parameter rows: `[..., d]`, or `[..., H, W]` with H·W = d, as heads' outputs are.
    public func encode(_ rows: Tensor<Float>) throws(Problem) -> SparseCodes {
        try check()
        return try encode(try InputRows(rows, for: self))
    }

    /// Returns chosen features of rows, `[n, features]`; 0 if a feature is not active.
    ///
    /// Costs only the chosen columns of the encoder, except for TopK, whose features compete: it computes them all.
    public func encode(
        _ rows: Tensor<Float>, only features: [Int]
    ) throws(Problem) -> Tensor<Float> {
        try check()
        for feature in features { try checkFeature(feature) }
        guard case .topK = activation else {
            if features.isEmpty {
                let count = try InputRows.flattened(rows, width: inputWidth).shape[0]
                return try telling { try Tensor(repeating: 0, shape: [count, 0]) }
            }
            return try choosing(features).encode(rows).dense()
        }
        let codes = try encode(rows)
        return try telling {
            var row = [Float](repeating: 0, count: featureCount)
            return try Tensor(shape: [codes.rows, features.count]) { memory in
                for index in 0..<codes.rows {
                    let range = codes.starts[index]..<codes.starts[index + 1]
                    for place in range { row[Int(codes.features[place])] = codes.values[place] }
                    for (column, feature) in features.enumerated() {
                        memory[index * features.count + column] = row[feature]
                    }
                    for place in range { row[Int(codes.features[place])] = 0 }
                }
            }
        }
    }

    func encode(_ inputs: InputRows) throws(Problem) -> SparseCodes {
        var codes = SparseCodes(width: featureCount)
        codes.starts.reserveCapacity(inputs.count + 1)
        let rule = FeatureRule(self)
        try forEachBlock(of: inputs) { products, rows in
            for found in Self.select(products, rows: rows, count: featureCount, by: rule) {
                for count in found.counts { codes.starts.append(codes.starts[codes.starts.count - 1] + count) }
                codes.features.append(contentsOf: found.features)
                codes.values.append(contentsOf: found.values)
            }
        }
        return codes
    }

    /// Calls `body` with x W_enc of some rows after the other: `[rows, F]`.
    private func forEachBlock(
        of inputs: InputRows, _ body: (_ products: UnsafePointer<Float>, _ rows: Int) -> Void
    ) throws(Problem) {
        let (count, width, features) = (inputs.count, inputWidth, featureCount)
        let block = min(max(count, 1), max(16, (1 << 21) / features))
        let weights = MatrixView(
            UnsafePointer(encoder.base), rows: width, columns: features, rowStride: encoder.strides[0],
            columnStride: encoder.strides[1])
        let encoder = encoder
        try telling {
            defer { withExtendedLifetime(encoder) {} }
            // Several blocks read the weights again and again: then a copy in the kernel's own order pays.
            let packed = try multiplying(for: "encode") { () throws(KernelError) in
                count > block ? try PackedMatrix(weights) : nil
            }
            let products = try TensorStorage<Float>(count: block * features, for: "encode")
            try inputs.rows.withElements { x throws(TensorError) in
                var first = 0
                while first < count {
                    let rows = min(block, count - first)
                    let input = MatrixView(x.baseAddress! + first * width, rows: rows, columns: width)
                    let output = MutableMatrixView(products.pointer, rows: rows, columns: features)
                    try multiplying(for: "encode") { () throws(KernelError) in
                        if let packed {
                            try MatrixProduct.multiply(input, packed, into: output)
                        } else {
                            try MatrixProduct.multiply(input, weights, into: output)
                        }
                    }
                    body(UnsafePointer(products.pointer), rows)
                    first += rows
                }
            }
        }
    }

    /// The active features of rows of products, by threads that each take some rows.
    private static func select(
        _ products: UnsafePointer<Float>, rows: Int, count: Int, by rule: FeatureRule
    ) -> [FeatureRule.Found] {
        let group = max(1, (1 << 16) / count)
        let chunks = (rows + group - 1) / group
        return [FeatureRule.Found](unsafeUninitializedCapacity: chunks) { found, initialized in
            let target = found.baseAddress!
            let pool = chunks > 1 ? ThreadPool.shared : .single
            pool.run(chunks: chunks) { chunk, _ in
                var piece = FeatureRule.Found()
                for row in chunk * group..<min(rows, (chunk + 1) * group) {
                    rule.select(products + row * count, count: count, into: &piece)
                }
                (target + chunk).initialize(to: piece)
            }
            initialized = chunks
        }
    }

    /// A dictionary of chosen features, in the order of the choice; for any but TopK its features are the same.
    func choosing(_ features: [Int]) throws(Problem) -> SparseAutoencoder {
        func chosen(_ vector: Tensor<Float>) throws -> Tensor<Float> {
            let all = vector.elements
            return try Tensor(features.map { all[$0] })
        }
        return try telling {
            let chosenActivation: Activation =
                switch activation {
                case .relu, .topK: activation
                case .jumpReLU(let threshold): .jumpReLU(threshold: try chosen(threshold))
                case .gated(let gate, let scale, let bias):
                    .gated(
                        gateBias: try chosen(gate), magnitudeScale: try chosen(scale), magnitudeBias: try chosen(bias))
                }
            return try SparseAutoencoder(
                encoder: try Self.rows(features, of: encoder.transposed()).transposed(),
                encoderBias: try chosen(encoderBias), decoder: try Self.rows(features, of: decoder),
                decoderBias: decoderBias, activation: chosenActivation, normalization: normalization,
                subtractsDecoderBias: subtractsDecoderBias, origin: origin)
        }
    }

    /// Some rows of a matrix, whatever its strides.
    static func rows(_ chosen: [Int], of matrix: Tensor<Float>) throws(TensorError) -> Tensor<Float> {
        let (width, strides) = (matrix.shape[1], matrix.strides)
        return try Tensor(shape: [chosen.count, width]) { target in
            for (row, index) in chosen.enumerated() {
                let source = matrix.base + index * strides[0]
                for column in 0..<width { target[row * width + column] = source[column * strides[1]] }
            }
            withExtendedLifetime(matrix) {}
        }
    }
}
