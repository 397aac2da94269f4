public import System
public import Tensors

extension HookedTransformer {
    /// The model of a safetensors file with the names of TransformerLens's state dict.
    ///
    /// ```swift
    /// let model = try HookedTransformer<Double>.open("toy.safetensors") { $0.activation = .relu }
    /// ```
    ///
    /// - Parameter adjust: Sets what a state dict does not say: the activation, scales, positions. Files that `write`
    ///   wrote say most of it.
    /// - Throws: An error if the file has no tensors, a matrix is missing, or shapes do not match.
    public static func open(
        _ path: String, adjusting adjust: (inout HookedConfiguration) -> Void = { _ in }
    ) throws(Problem) -> HookedTransformer {
        let (tensors, notes): ([String: Tensor<Scalar>], [String: String])
        do {
            let file = try TensorFile.open(path)
            var found: [String: Tensor<Scalar>] = [:]
            for name in file.names { found[name] = try file.tensor(named: name).converted(to: Scalar.self) }
            (tensors, notes) = (found, file.metadata)
        } catch {
            throw Problem(error, in: path)
        }
        return try HookedTransformer(named: tensors, notes, adjusting: adjust)
    }

    /// The model of a state dict of TransformerLens.
    public init(
        named tensors: [String: Tensor<Scalar>], _ notes: [String: String] = [:],
        adjusting adjust: (inout HookedConfiguration) -> Void = { _ in }
    ) throws(Problem) {
        let weights = try HookedWeights(named: tensors)
        var configuration = try HookedConfiguration(of: weights)
        configuration.adopt(notes)
        adjust(&configuration)
        try self.init(configuration, weights)
    }

    /// Writes the weights as safetensors under TransformerLens's names, with what they do not tell as metadata.
    ///
    /// Missing biases are written as zeros, because TransformerLens requires all of them.
    ///
    /// - Parameter path: Path that ends in .safetensors.
    public func write(to path: String) throws(Problem) {
        guard path.hasSuffix(".safetensors") else {
            throw Problem(
                .invalid, path, "weights can only be saved as safetensors",
                remedy: "Use a name that ends in .safetensors.")
        }
        do {
            let tensors = try weights.withZeroBiases(configuration).named.map { entry in
                (name: entry.name, tensor: AnyTensor(try entry.tensor.contiguous()))
            }
            try TensorFile.write(tensors, metadata: configuration.notes, to: path)
        } catch {
            throw Problem(error, in: path)
        }
    }
}

extension HookedWeights {
    fileprivate func withZeroBiases(_ c: HookedConfiguration) throws -> HookedWeights {
        var weights = self
        weights.unembeddingBias = try unembeddingBias ?? .zeros(c.vocabularySize)
        for layer in blocks.indices {
            var block = weights.blocks[layer]
            block.queryBias = try block.queryBias ?? .zeros(c.headCount, c.headWidth)
            block.keyBias = try block.keyBias ?? .zeros(c.kvHeadCount, c.headWidth)
            block.valueBias = try block.valueBias ?? .zeros(c.kvHeadCount, c.valueWidth)
            block.outputBias = try block.outputBias ?? .zeros(c.width)
            if var part = block.feedForward, let width = part.input.shape.last {
                if part.gate == nil {
                    part.inputBias = try part.inputBias ?? .zeros(width)
                } else {
                    part.productBias = try part.productBias ?? .zeros(width)
                }
                part.outputBias = try part.outputBias ?? .zeros(c.width)
                block.feedForward = part
            }
            weights.blocks[layer] = block
        }
        return weights
    }
}
