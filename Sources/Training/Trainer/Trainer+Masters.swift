internal import Tensors

/// An optimizer whose model computes with rounded weights, and that keeps exact ones.
protocol MasterKeeping {
    /// Gives the model the exact weights.
    mutating func expose(_ parameters: [Parameter<Float>]) throws(TensorError)
    /// Takes them back, and rounds those of the model.
    mutating func prepare(_ parameters: [Parameter<Float>]) throws(TensorError)
}

extension BFloat16Weights: MasterKeeping where Base: Optimizer<Float> {}

extension Trainer {
    /// Runs `body` while the model has its exact weights, where its own are rounded ones.
    func withMasters<Result>(_ body: () throws -> Result) throws -> Result {
        guard var masters = optimizer as? any MasterKeeping & Optimizer<Float> else { return try body() }
        let parameters = task.parameters
        try masters.expose(parameters)
        defer {
            // What fails to be rounded stays exact: the next step tries again.
            try? masters.prepare(parameters)
            optimizer = masters
        }
        return try body()
    }
}
