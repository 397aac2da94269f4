extension Tensor where Scalar: NumericScalar {
    /// The sum, element by element; shapes stretch to fit. Integers wrap around.
    public static func + (a: Tensor, b: Tensor) throws(TensorError) -> Tensor { try a.combined(.add, b) }
    public static func + (a: Tensor, b: Scalar) throws(TensorError) -> Tensor { try a.combined(.add, b) }
    public static func + (a: Scalar, b: Tensor) throws(TensorError) -> Tensor { try b.combined(.add, a) }
    public static func += (a: inout Tensor, b: Tensor) throws(TensorError) { try a.combine(.add, b) }
    public static func += (a: inout Tensor, b: Scalar) throws(TensorError) { try a.combine(.add, Tensor(b)) }

    /// The difference, element by element; shapes stretch to fit. Integers wrap around.
    public static func - (a: Tensor, b: Tensor) throws(TensorError) -> Tensor { try a.combined(.subtract, b) }
    public static func - (a: Tensor, b: Scalar) throws(TensorError) -> Tensor { try a.combined(.subtract, b) }
    public static func - (a: Scalar, b: Tensor) throws(TensorError) -> Tensor {
        try Elementwise.pair(a, b, for: "subtract") { ArithmeticLoops.row(.subtract, $0, $1, $2, $3, into: $4, $5) }
    }
    public static func -= (a: inout Tensor, b: Tensor) throws(TensorError) { try a.combine(.subtract, b) }
    public static func -= (a: inout Tensor, b: Scalar) throws(TensorError) { try a.combine(.subtract, Tensor(b)) }

    /// The product, element by element; shapes stretch to fit. Integers wrap around.
    public static func * (a: Tensor, b: Tensor) throws(TensorError) -> Tensor { try a.combined(.multiply, b) }
    public static func * (a: Tensor, b: Scalar) throws(TensorError) -> Tensor { try a.combined(.multiply, b) }
    public static func * (a: Scalar, b: Tensor) throws(TensorError) -> Tensor { try b.combined(.multiply, a) }
    public static func *= (a: inout Tensor, b: Tensor) throws(TensorError) { try a.combine(.multiply, b) }
    public static func *= (a: inout Tensor, b: Scalar) throws(TensorError) { try a.combine(.multiply, Tensor(b)) }

    private func combined(_ operation: ArithmeticOperation, _ b: Tensor) throws(TensorError) -> Tensor {
        try Elementwise.pair(self, b, for: operation.rawValue) {
            ArithmeticLoops.row(operation, $0, $1, $2, $3, into: $4, $5)
        }
    }

    private func combined(_ operation: ArithmeticOperation, _ b: Scalar) throws(TensorError) -> Tensor {
        try Elementwise.pair(self, b, for: operation.rawValue) {
            ArithmeticLoops.row(operation, $0, $1, $2, $3, into: $4, $5)
        }
    }

    private mutating func combine(_ operation: ArithmeticOperation, _ b: Tensor) throws(TensorError) {
        try Elementwise.update(&self, b, for: operation.rawValue) {
            ArithmeticLoops.row(operation, $0, $1, $2, $3, into: $4, $5)
        }
    }

    /// Every element at least `low` and at most `high`; NaN stays.
    public func clamped(_ low: Scalar, _ high: Scalar) throws(TensorError) -> Tensor {
        try combined(.maximum, low).combined(.minimum, high)
    }

    /// The smaller of two elements each; NaN where either is.
    public static func minimum(_ a: Tensor, _ b: Tensor) throws(TensorError) -> Tensor { try a.combined(.minimum, b) }
    public static func minimum(_ a: Tensor, _ b: Scalar) throws(TensorError) -> Tensor { try a.combined(.minimum, b) }

    /// The larger of two elements each; NaN where either is.
    public static func maximum(_ a: Tensor, _ b: Tensor) throws(TensorError) -> Tensor { try a.combined(.maximum, b) }
    public static func maximum(_ a: Tensor, _ b: Scalar) throws(TensorError) -> Tensor { try a.combined(.maximum, b) }
}

extension Tensor where Scalar: FloatingScalar {
    /// The quotient, element by element; shapes stretch to fit.
    public static func / (a: Tensor, b: Tensor) throws(TensorError) -> Tensor {
        try Elementwise.pair(a, b, for: "divide") { ArithmeticLoops.row(.divide, $0, $1, $2, $3, into: $4, $5) }
    }
    public static func / (a: Tensor, b: Scalar) throws(TensorError) -> Tensor {
        try Elementwise.pair(a, b, for: "divide") { ArithmeticLoops.row(.divide, $0, $1, $2, $3, into: $4, $5) }
    }
    public static func / (a: Scalar, b: Tensor) throws(TensorError) -> Tensor {
        try Elementwise.pair(a, b, for: "divide") { ArithmeticLoops.row(.divide, $0, $1, $2, $3, into: $4, $5) }
    }
    public static func /= (a: inout Tensor, b: Tensor) throws(TensorError) {
        try Elementwise.update(&a, b, for: "divide") { ArithmeticLoops.row(.divide, $0, $1, $2, $3, into: $4, $5) }
    }
    public static func /= (a: inout Tensor, b: Scalar) throws(TensorError) { try a /= Tensor(b) }

    /// Each element raised to the power of its counterpart.
    public func power(_ exponents: Tensor) throws(TensorError) -> Tensor {
        try Elementwise.pair(self, exponents, for: "power") {
            ArithmeticLoops.row(.power, $0, $1, $2, $3, into: $4, $5)
        }
    }

    /// Each element raised to this power.
    public func power(_ exponent: Scalar) throws(TensorError) -> Tensor {
        if exponent.float64 == 2 { return try self * self }
        return try Elementwise.pair(self, exponent, for: "power") {
            ArithmeticLoops.row(.power, $0, $1, $2, $3, into: $4, $5)
        }
    }
}
