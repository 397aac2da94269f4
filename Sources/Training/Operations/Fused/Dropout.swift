internal import Kernels
public import Tensors

/// x with each number kept and divided by 1 - rate, or 0 with the probability `rate`; x itself where nothing is trained.
///
/// The mask is drawn from the seed and the step of the pass and the number of the draw in it. It is not kept: the way
/// back draws it again.
///
/// - Source: Srivastava et al., "Dropout", JMLR 2014.
public func dropout<S>(_ x: Variable<S>, rate: Double, _ pass: Pass) throws(TensorError) -> Variable<S> {
    guard rate >= 0, rate < 1 else {
        throw TensorError("dropout", problem: "needs a rate of at least 0 and below 1, not \(rate)")
    }
    guard pass.isTraining, rate > 0 else { return x }
    let mask = DropoutMask(rate: rate, pass)
    pass.draws &+= 1
    return try masked(x, mask)
}

/// The mask times x; it is its own way back.
private func masked<S>(_ x: Variable<S>, _ mask: DropoutMask) throws(TensorError) -> Variable<S> {
    .made(by: "dropout", try mask.applied(to: x.value), from: [x]) { back throws(TensorError) in
        [try masked(back.gradient, mask)]
    }
}

/// One mask of dropout: where its random words come from.
struct DropoutMask {
    private let mask: Gradients.Mask
    private let scale: Double
    /// Sets these counters apart from those of other random numbers with the same seed.
    private static let purpose: UInt32 = 0x6472_6F70

    init(rate: Double, _ pass: Pass) {
        scale = 1 / (1 - rate)
        mask = Gradients.Mask(
            key: SIMD2(UInt32(truncatingIfNeeded: pass.seed), UInt32(truncatingIfNeeded: pass.seed &>> 32)),
            counter: SIMD3(UInt32(truncatingIfNeeded: pass.step), pass.draws, Self.purpose),
            threshold: UInt32(min(rate * 0x1p32, 0x1p32 - 1)), scale: Float(scale))
    }

    func applied<S: FloatingAccumulator>(to x: Tensor<S>) throws(TensorError) -> Tensor<S> {
        let input = try x.contiguous()
        let y = try Tensor<S>.unfilled(x.shape)
        defer { withExtendedLifetime(input) {} }
        if S.self == Float.self {
            Gradients.dropout(input.floats, mask, into: y.newFloats, count: x.count)
        } else {
            GradientTwin.dropout(
                input.base, threshold: mask.threshold, scale: S(rounding: scale), into: y.base, count: x.count
            ) { [mask] in
                Philox4x32.block(SIMD4($0, mask.counter.x, mask.counter.y, mask.counter.z), key: mask.key)
            }
        }
        return y
    }
}
