internal import Glibc

extension Gradients.Curve {
    /// The curve at x and its slope there.
    package func point(_ x: Double) -> (value: Double, slope: Double) {
        switch self {
        case .relu: return x <= 0 ? (0, 0) : (x, 1)
        case .silu:
            let share = 1 / (1 + exp(-x))
            return (x * share, share * (1 + x * (1 - share)))
        case .gelu:
            let share = 0.5 * erfc(-x * 0.5.squareRoot())
            return (x * share, share + x * exp(-0.5 * x * x) / (2 * Double.pi).squareRoot())
        case .geluTanh:
            let factor = (2 / Double.pi).squareRoot()
            let bend = Glibc.tanh(factor * (x + 0.044715 * x * x * x))
            let slope = factor * (1 + 3 * 0.044715 * x * x)
            return (0.5 * x * (1 + bend), 0.5 * (1 + bend) + 0.5 * x * (1 - bend * bend) * slope)
        case .tanh:
            let value = Glibc.tanh(x)
            return (value, 1 - value * value)
        }
    }
}

extension GradientTwin {
    /// y = f(x), times `factor` where there is one.
    package static func activate<T: BinaryFloatingPoint>(
        _ curve: Gradients.Curve, _ x: UnsafePointer<T>, times factor: UnsafePointer<T>? = nil,
        into y: UnsafeMutablePointer<T>, count: Int
    ) {
        for i in 0..<count {
            y[i] = T(curve.point(Double(x[i])).value * (factor.map { Double($0[i]) } ?? 1))
        }
    }

    /// dx = dy f'(x), times `factor` where there is one; dfactor = dy f(x). What is nil is not computed.
    package static func activateBackward<T: BinaryFloatingPoint>(
        _ curve: Gradients.Curve, _ dy: UnsafePointer<T>, x: UnsafePointer<T>, factor: UnsafePointer<T>? = nil,
        dx: UnsafeMutablePointer<T>?, dFactor: UnsafeMutablePointer<T>? = nil, count: Int
    ) {
        for i in 0..<count {
            let (value, slope) = curve.point(Double(x[i]))
            dx?[i] = T(Double(dy[i]) * slope * (factor.map { Double($0[i]) } ?? 1))
            dFactor?[i] = T(Double(dy[i]) * value)
        }
    }
}
