public import Tensors

/// Numbers set to zero at random while training, the others scaled up by 1 / (1 - rate).
public final class Dropout<Scalar: FloatingAccumulator>: Layer {
    public let rate: Double

    public init(_ rate: Double) throws(TensorError) {
        guard rate >= 0, rate < 1 else {
            throw TensorError("Dropout", problem: "needs a rate of at least 0 and below 1, not \(rate)")
        }
        self.rate = rate
    }

    public var parameters: [Parameter<Scalar>] { [] }

    public func callAsFunction(_ x: Variable<Scalar>, _ pass: Pass) throws(TensorError) -> Variable<Scalar> {
        try dropout(x, rate: rate, pass)
    }
}
