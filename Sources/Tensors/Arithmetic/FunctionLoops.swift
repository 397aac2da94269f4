/// Functions of one number that take a few instructions.
enum SimpleFunction: String {
    case negate, absolute, sign, sqrt, reciprocalSqrt, reciprocal, floor, ceil, round, relu
}

/// Functions of one number that take a polynomial or more.
enum ElementaryFunction: String {
    case exp, expm1, log, log1p, sin, cos, tanh, erf
}

/// One row of a function. Few functions share a loop's code, since compilers stop inlining where one grows large.
enum FunctionLoops {
    @specialized(where S == Float)
    @specialized(where S == Double)
    @specialized(where S == Float16)
    @specialized(where S == BFloat16)
    static func row<S: FloatingScalar>(
        _ function: SimpleFunction, _ a: UnsafePointer<S>, _ stride: Int, _ result: UnsafeMutablePointer<S>,
        _ count: Int
    ) {
        switch function {
        case .negate: map(a, stride, result, count) { -$0 }
        case .absolute: map(a, stride, result, count) { $0.magnitude }
        case .sign: map(a, stride, result, count) { $0 > 0 ? 1 : $0 < 0 ? -1 : $0 }
        case .sqrt: map(a, stride, result, count) { $0.squareRoot() }
        case .reciprocalSqrt: map(a, stride, result, count) { 1 / $0.squareRoot() }
        case .reciprocal: map(a, stride, result, count) { 1 / $0 }
        case .floor: map(a, stride, result, count) { $0.rounded(.down) }
        case .ceil: map(a, stride, result, count) { $0.rounded(.up) }
        case .round: map(a, stride, result, count) { $0.rounded(.toNearestOrEven) }
        case .relu: map(a, stride, result, count) { $0 < 0 ? 0 : $0 }
        }
    }

    @specialized(where S == Float)
    @specialized(where S == Double)
    @specialized(where S == Float16)
    @specialized(where S == BFloat16)
    static func row<S: FloatingScalar>(
        _ function: ElementaryFunction, _ a: UnsafePointer<S>, _ stride: Int, _ result: UnsafeMutablePointer<S>,
        _ count: Int
    ) {
        switch function {
        case .exp: map(a, stride, result, count) { Elementary.exp($0) }
        case .expm1: map(a, stride, result, count) { Elementary.expm1($0) }
        case .log: map(a, stride, result, count) { Elementary.log($0) }
        case .log1p: map(a, stride, result, count) { Elementary.log1p($0) }
        case .sin: map(a, stride, result, count) { Elementary.sin($0) }
        case .cos: map(a, stride, result, count) { Elementary.cos($0) }
        // Closures of this size are not inlined: these loops call a function that always is.
        case .tanh where stride == 1:
            for i in 0..<count { result[i] = S(rounding: Elementary.tanh(a[i].accumulator)) }
        case .tanh: map(a, stride, result, count) { Elementary.tanh($0) }
        case .erf where stride == 1:
            for i in 0..<count { result[i] = S(rounding: Elementary.erf(a[i].accumulator)) }
        case .erf: map(a, stride, result, count) { Elementary.erf($0) }
        }
    }

    @inline(__always)
    static func map<S: FloatingScalar>(
        _ a: UnsafePointer<S>, _ stride: Int, _ result: UnsafeMutablePointer<S>, _ count: Int,
        _ function: (S.Accumulator) -> S.Accumulator
    ) {
        if stride == 1 {
            for i in 0..<count { result[i] = S(rounding: function(a[i].accumulator)) }
        } else {
            for i in 0..<count { result[i] = S(rounding: function(a[i * stride].accumulator)) }
        }
    }
}
