internal import Kernels
public import Models
public import Tensors

extension TrainableTransformer {
    /// A model with random weights: N(0, 0.02), what blocks add to the stream N(0, 0.02 / √(2L)), gains 1, biases 0.
    ///
    /// Each parameter has a stream of random numbers of its own, by its name: a model with one more layer begins with
    /// the same numbers elsewhere.
    ///
    /// - Source: Radford et al., "Language models are unsupervised multitask learners", 2019, section 2.3.
    public convenience init(_ configuration: ModelConfiguration, seed: UInt64) throws(TensorError) {
        try configuration.checkTrainable()
        let residual = 0.02 / Double(2 * configuration.layerCount).squareRoot()
        var parameters: [Parameter<Scalar>] = []
        for weight in WeightLayout(configuration).weights {
            let value: Tensor<Scalar>
            switch weight.start {
            case .zero: value = try Tensor(repeating: 0, shape: weight.shape)
            case .one: value = try Tensor(repeating: 1, shape: weight.shape)
            case .normal, .residual:
                // Drawn in float32, so that both precisions begin alike.
                let numbers = try Tensor<Float>.normal(
                    weight.shape, deviation: weight.start == .normal ? 0.02 : residual, seed: seed,
                    stream: Self.stream(weight.name))
                value = try numbers.converted(to: Scalar.self)
            }
            parameters.append(Parameter(weight.name, value))
        }
        try self.init(configuration, parameters)
    }

    /// The model of a file: GGUF, safetensors or llama2.c.
    ///
    /// Weights in other formats than float32 are decoded; `decodedFormats` names these.
    ///
    /// - Throws: `ModelError` where a tensor is missing, has other sizes, or memory is short.
    public convenience init(_ checkpoint: any Checkpoint) throws(ModelError) {
        let configuration = checkpoint.configuration
        var formats: Set<String> = []
        var parameters: [Parameter<Scalar>] = []
        do {
            try configuration.checkTrainable()
            for weight in WeightLayout(configuration, has: { checkpoint.shape(of: $0) != nil }).weights {
                let numbers = try Self.read(weight, of: checkpoint, &formats)
                let value = try Tensor(numbers, shape: weight.shape).converted(to: Scalar.self)
                parameters.append(Parameter(weight.name, value))
            }
            try self.init(configuration, parameters)
        } catch let error as ModelError {
            throw error
        } catch let error as TensorError {
            throw ModelError(checkpoint.path, problem: error.problem)
        } catch {
            throw ModelError(checkpoint.path, problem: "\(error)")
        }
        decodedFormats = formats.sorted()
    }

    /// The numbers of one parameter, rotating pairs in halves.
    private static func read(
        _ weight: WeightLayout.Weight, of checkpoint: any Checkpoint, _ formats: inout Set<String>
    ) throws(ModelError) -> [Float] {
        let configuration = checkpoint.configuration
        guard weight.shape.count == 2 else {
            let values = try checkpoint.vector(weight.name, count: weight.shape[0])
            return configuration.inHalves(values, weight.name)
        }
        let (rows, columns) = (weight.shape[0], weight.shape[1])
        let matrix: WeightMatrix
        if let (stacked, expert) = weight.stackedExpert {
            let count = configuration.experts?.count ?? 0
            matrix = try checkpoint.matrices(stacked, count: count, rows: rows, columns: columns)[expert]
        } else {
            matrix = try checkpoint.matrix(weight.name, rows: rows, columns: columns)
        }
        if matrix.format != .f32 { formats.insert(matrix.format.rawValue) }
        var values = [Float](repeating: 0, count: rows * columns)
        values.withUnsafeMutableBufferPointer { target in
            if let base = target.baseAddress { matrix.decode(rows: 0..<rows, into: base) }
        }
        return configuration.inHalves(values, weight.name)
    }

    /// FNV-1a of a name.
    private static func stream(_ name: String) -> UInt32 {
        name.utf8.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
    }
}

extension WeightLayout.Weight {
    /// `blk.0.ffn_up.3.weight` is expert 3 of `blk.0.ffn_up_exps.weight`.
    var stackedExpert: (name: String, expert: Int)? {
        let parts = name.split(separator: ".")
        guard parts.count == 5, let expert = Int(parts[3]) else { return nil }
        return ("\(parts[0]).\(parts[1]).\(parts[2])_exps.weight", expert)
    }
}

extension ModelConfiguration {
    /// Sizes that the parts take for granted.
    func checkTrainable() throws(TensorError) {
        if let problem { throw TensorError("transformer", problem: problem) }
    }

    /// Rows of queries and keys whose rotating pairs lie side by side, with pairs in halves: within each head row
    /// 2j + i becomes row j of half i. Other weights stay.
    func inHalves(_ values: [Float], _ name: String) -> [Float] {
        guard case .rotary(let rotary) = positions, rotary.pairing == .adjacent else { return values }
        let parts = name.split(separator: ".")
        let heads: Int
        switch parts.count > 2 ? parts[2] : "" {
        case "attn_q": heads = headCount
        case "attn_k": heads = kvHeadCount
        default: return values
        }
        let (columns, pairs) = (values.count / (heads * headWidth), rotary.width / 2)
        var result = values
        for head in 0..<heads {
            for row in 0..<2 * pairs {
                let (half, pair) = (row % 2, row / 2)
                let (from, to) = (
                    (head * headWidth + row) * columns, (head * headWidth + half * pairs + pair) * columns
                )
                for column in 0..<columns { result[to + column] = values[from + column] }
            }
        }
        return result
    }
}
