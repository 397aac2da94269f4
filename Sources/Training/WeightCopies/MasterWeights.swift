internal import Kernels
internal import Tensors

/// Exact copies of the weights of a model that computes in bfloat16.
///
/// Steps update the copies, because bfloat16 has 8 significant bits: an update below 1/512 of a weight would always be
/// lost to rounding instead of accumulating.
///
/// - Source: Micikevicius et al., "Mixed precision training", ICLR 2018, section 3.1; Kalamkar et al., "A study of
///   bfloat16 for deep learning training", 2019.
struct MasterWeights<Scalar: FloatingAccumulator> {
    private static var suffix: String { "/master" }
    private var masters: [String: Tensor<Scalar>] = [:]

    /// Copies the weights and rounds those of the model. Parameters that already have a copy are unchanged.
    mutating func prepare(_ parameters: [Parameter<Scalar>]) throws(TensorError) {
        for parameter in parameters where parameter.isTrainable && masters[parameter.name] == nil {
            let master = parameter.value
            parameter.value = try rounded(master)
            masters[parameter.name] = master
        }
    }

    /// Moves the exact weights back into the model; ``prepare(_:)`` copies and rounds them again.
    ///
    /// - Throws: `TensorError` if the shape of a parameter has changed.
    mutating func expose(_ parameters: [Parameter<Scalar>]) throws(TensorError) {
        for parameter in parameters {
            guard let master = masters[parameter.name] else { continue }
            guard master.shape == parameter.shape else {
                throw TensorError(
                    "bfloat16 weights", parameter.shape, master.shape,
                    problem: "differ: the first is the shape of \(parameter.name), the second that of its float32 copy")
            }
            masters[parameter.name] = nil
            parameter.value = master
        }
    }

    /// Returns the tensor with every element rounded to the nearest bfloat16 value.
    private func rounded(_ tensor: Tensor<Scalar>) throws(TensorError) -> Tensor<Scalar> {
        let source = try tensor.contiguous()
        defer { withExtendedLifetime(source) {} }
        return try Tensor(shape: tensor.shape) { target in
            guard Scalar.self == Float.self else {
                for i in target.indices { target[i] = Scalar(Float(BFloat16(source.base[i].float64))) }
                return
            }
            let y = UnsafeMutableRawBufferPointer(target).bindMemory(to: Float.self)
            let x = UnsafeRawBufferPointer(start: source.base, count: y.count * 4).bindMemory(to: Float.self)
            WholeArrays.roundToBFloat16([(y, x)])
        }
    }

    /// Copies for a checkpoint, sorted by name: `blk.0.attn_q.weight/master`.
    var state: [(name: String, value: Tensor<Scalar>)] {
        masters.keys.sorted().map { (name: "\($0)\(Self.suffix)", value: masters[$0]!) }
    }

    /// Replaces the copies by those in a checkpoint's state, and removes them from the state.
    mutating func restore(from state: inout [String: Tensor<Scalar>]) {
        masters = [:]
        for (name, value) in state where name.hasSuffix(Self.suffix) {
            masters[String(name.dropLast(Self.suffix.count))] = value
            state[name] = nil
        }
    }
}
