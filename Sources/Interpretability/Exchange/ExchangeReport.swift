public import JSON
internal import System
internal import Tensors

/// How far what another program computed lies from the same computed here.
public struct ExchangeReport: Hashable, Sendable {
    /// Tensors that were compared.
    public private(set) var tensors = 0
    /// The largest |a − b| / (1 + |b|), b that of the other program; infinite where shapes differ.
    public private(set) var difference = 0.0
    /// The tensor in which it is.
    public private(set) var at = ""

    mutating func take(
        _ own: Tensor<Float>, _ other: Tensor<Float>, _ name: String
    ) throws(Problem) {
        tensors += 1
        var worst = own.shape == other.shape ? 0 : Double.infinity
        if worst == 0 {
            for (a, b) in zip(own.elements, other.elements) where a != b {
                let one = Double(abs(a - b)) / (1 + Double(abs(b)))
                worst = one.isNaN ? .infinity : max(worst, one)
            }
        }
        if worst >= difference { (difference, at) = (worst, name) }
    }
}

extension ExchangeReport: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("tensors", tensors)
            $0.member("difference", difference)
            $0.member("at", at)
        }
    }
}
