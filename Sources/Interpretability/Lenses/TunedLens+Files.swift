public import System
internal import Tensors

extension TunedLens {
    private static var pointsKey: String { "points" }

    /// Writes a safetensors file: `0.weight` `[out, in]` and `0.bias` of each point, as linear layers of PyTorch, and
    /// the points' labels as metadata.
    public func write(to path: String) throws(Problem) {
        try Self.asked(of: path) {
            let tensors = try points.indices.flatMap { place in
                [
                    ("\(place).weight", AnyTensor(try matrices[place].transposed().contiguous())),
                    ("\(place).bias", AnyTensor(biases[place])),
                ]
            }
            let labels = points.map(\.label).joined(separator: ",")
            try TensorFile.write(
                tensors.map { (name: $0.0, tensor: $0.1) }, metadata: [Self.pointsKey: labels], to: path)
        }
    }

    /// Reads what `write` wrote; a file without labels is of the streams before blocks 0, 1, ….
    ///
    /// - Throws: An error if a tensor is missing, or shapes do not fit one another.
    public init(contentsOf path: String) throws(Problem) {
        let (file, count) = try Self.asked(of: path) {
            let file = try TensorFile.open(path)
            return (file, file.names.count { $0.hasSuffix(".weight") })
        }
        let points: [ResidualPart]
        if let labels = file.metadata[Self.pointsKey] {
            points = labels.split(separator: ",").compactMap { ResidualPart(streamLabel: $0) }
        } else {
            points = (0..<count).map { .pre(layer: $0) }
        }
        var (matrices, biases): ([Tensor<Scalar>], [Tensor<Scalar>]) = ([], [])
        for place in 0..<count {
            let (weight, bias) = try Self.asked(of: path) {
                (
                    try file.tensor(named: "\(place).weight").converted(to: Scalar.self),
                    try file.tensor(named: "\(place).bias").converted(to: Scalar.self)
                )
            }
            let width = bias.count
            guard bias.rank == 1, weight.shape == [width, width], biases.allSatisfy({ $0.count == width }) else {
                throw Problem(
                    .invalid, path, "\(place).weight has shape \(weight.shape) and \(place).bias \(bias.shape)",
                    remedy: "Expected [d, d] and [d] at each point.")
            }
            matrices.append(weight.transposed())
            biases.append(bias)
        }
        guard count > 0, points.count == count, Set(points).count == count else {
            throw Problem(
                .invalid, path, "not a tuned lens: \(count) matrices for \(points.count) points",
                remedy: "Expected one pair per point: 0.weight, 0.bias, and so on.")
        }
        self.init(points: points, matrices: matrices, biases: biases)
    }

    /// Work on a file, whose troubles name it.
    private static func asked<R>(of path: String, _ body: () throws -> R) throws(Problem) -> R {
        do {
            return try body()
        } catch let error as TensorFileError {
            throw Problem(.failed, "tuned lens", error.sentence)
        } catch {
            return try telling { throw error }
        }
    }
}

extension ResidualPart {
    /// A point of the stream by its label: `3_pre`, `3_mid`, `final_post`.
    init?(streamLabel label: some StringProtocol) {
        let parts = label.split(separator: "_")
        guard parts.count == 2 else { return nil }
        if label == "final_post" {
            self = .final
        } else if let layer = Int(parts[0]), layer >= 0, parts[1] == "pre" {
            self = .pre(layer: layer)
        } else if let layer = Int(parts[0]), layer >= 0, parts[1] == "mid" {
            self = .mid(layer: layer)
        } else {
            return nil
        }
    }
}
