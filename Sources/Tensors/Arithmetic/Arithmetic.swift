/// The operations on two numbers that all numeric tensors have.
enum ArithmeticOperation: String {
    case add, subtract, multiply, minimum, maximum
}

/// The operations on two numbers that only floating-point tensors have.
enum FractionOperation: String {
    case divide, power
}

/// One row of an operation on two operands, a stride each; results lie one after the other.
enum ArithmeticLoops {
    @specialized(where S == Float)
    @specialized(where S == Double)
    @specialized(where S == Float16)
    @specialized(where S == BFloat16)
    @specialized(where S == Int8)
    @specialized(where S == Int32)
    static func row<S: NumericScalar>(
        _ operation: ArithmeticOperation, _ a: UnsafePointer<S>, _ aStride: Int, _ b: UnsafePointer<S>, _ bStride: Int,
        into result: UnsafeMutablePointer<S>, _ count: Int
    ) {
        switch operation {
        case .add:
            map(a, aStride, b, bStride, result, count) {
                S(rounding: $0.accumulator.adding($1.accumulator))
            }
        case .subtract:
            map(a, aStride, b, bStride, result, count) {
                S(rounding: $0.accumulator.subtracting($1.accumulator))
            }
        case .multiply:
            map(a, aStride, b, bStride, result, count) {
                S(rounding: $0.accumulator.multiplied(by: $1.accumulator))
            }
        // A NaN wins on either side.
        case .minimum: map(a, aStride, b, bStride, result, count) { $0.isNaN || $0 < $1 ? $0 : $1 }
        case .maximum: map(a, aStride, b, bStride, result, count) { $0.isNaN || $1 < $0 ? $0 : $1 }
        }
    }

    @specialized(where S == Float)
    @specialized(where S == Double)
    @specialized(where S == Float16)
    @specialized(where S == BFloat16)
    static func row<S: FloatingScalar>(
        _ operation: FractionOperation, _ a: UnsafePointer<S>, _ aStride: Int, _ b: UnsafePointer<S>, _ bStride: Int,
        into result: UnsafeMutablePointer<S>, _ count: Int
    ) {
        switch operation {
        case .divide:
            map(a, aStride, b, bStride, result, count) { S(rounding: $0.accumulator / $1.accumulator) }
        case .power:
            map(a, aStride, b, bStride, result, count) {
                S(rounding: Elementary.power($0.accumulator, $1.accumulator))
            }
        }
    }

    /// The cases that processors have vectors for are loops of their own.
    @inline(__always)
    static func map<A, B, C>(
        _ a: UnsafePointer<A>, _ aStride: Int, _ b: UnsafePointer<B>, _ bStride: Int,
        _ result: UnsafeMutablePointer<C>, _ count: Int, _ operation: (A, B) -> C
    ) {
        if aStride == 1, bStride == 1 {
            for i in 0..<count { result[i] = operation(a[i], b[i]) }
        } else if aStride == 1, bStride == 0 {
            let b = b.pointee
            for i in 0..<count { result[i] = operation(a[i], b) }
        } else if aStride == 0, bStride == 1 {
            let a = a.pointee
            for i in 0..<count { result[i] = operation(a, b[i]) }
        } else {
            for i in 0..<count { result[i] = operation(a[i * aStride], b[i * bStride]) }
        }
    }
}
