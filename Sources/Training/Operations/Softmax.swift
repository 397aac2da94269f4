public import Tensors

/// e^x / Σ e^x along an axis.
public func softmax<S>(_ x: Variable<S>, axis: Int = -1) throws(TensorError) -> Variable<S> {
    .made(by: "softmax", try softmax(x.value, axis: axis), from: [x], keepsOutput: true) {
        back throws(TensorError) in
        let y = back.output
        let weighted = try back.gradient * y
        return [try weighted - y * weighted.sum(axes: [axis], keepingAxes: true)]
    }
}

/// x - log Σ e^x along an axis: the logarithms of `softmax`, exact where it is tiny.
public func logSoftmax<S>(_ x: Variable<S>, axis: Int = -1) throws(TensorError) -> Variable<S> {
    .made(by: "logSoftmax", try logSoftmax(x.value, axis: axis), from: [x], keepsOutput: true) {
        back throws(TensorError) in
        let total = try back.gradient.sum(axes: [axis], keepingAxes: true)
        return [try back.gradient - exp(back.output) * total]
    }
}

extension Variable {
    /// log Σ e^x over these axes or all, without overflow.
    public func logSumExp(_ axes: Int..., keepingAxes: Bool = false) throws(TensorError) -> Variable {
        try logSumExp(axes: axes, keepingAxes: keepingAxes)
    }

    /// log Σ e^x over a list of axes, over all where it is empty.
    public func logSumExp(axes: [Int], keepingAxes: Bool = false) throws(TensorError) -> Variable {
        let kept = keeping(axes)
        let value = try value.logSumExp(axes: axes, keepingAxes: keepingAxes)
        return .made(by: "logSumExp", value, from: [self], saving: [self], keepsOutput: true) {
            back throws(TensorError) in
            let share = try exp(back.saved[0] - back.output.reshaped(kept))
            return [try back.gradient.reshaped(kept) * share]
        }
    }
}
