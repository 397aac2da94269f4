internal import Kernels
internal import Tensors

/// Float32 weights of a model that computes with bfloat16 ones: small steps add up here, and would vanish there.
///
/// - Source: Micikevicius et al., "Mixed precision training", ICLR 2018, section 3.1; Kalamkar et al., "A study of
///   bfloat16 for deep learning training", 2019.
struct MasterWeights<Scalar: FloatingAccumulator> {
    private static var ending: String { "/master" }
    private var masters: [String: Tensor<Scalar>] = [:]

    /// Takes the weights as masters and rounds the model's; parameters that have masters stay as they are.
    mutating func prepare(_ parameters: [Parameter<Scalar>]) throws(TensorError) {
        for parameter in parameters where parameter.isTrainable && masters[parameter.name] == nil {
            let master = parameter.value
            parameter.value = try rounded(master)
            masters[parameter.name] = master
        }
    }

    /// Gives the model its masters; `prepare` rounds them again.
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

    /// The masters by name, sorted, for a checkpoint: `blk.0.attn_q.weight/master`.
    var state: [(name: String, value: Tensor<Scalar>)] {
        masters.keys.sorted().map { (name: "\($0)\(Self.ending)", value: masters[$0]!) }
    }

    /// Takes the masters out of a state.
    mutating func restore(from state: inout [String: Tensor<Scalar>]) {
        masters = [:]
        for (name, value) in state where name.hasSuffix(Self.ending) {
            masters[String(name.dropLast(Self.ending.count))] = value
            state[name] = nil
        }
    }
}
