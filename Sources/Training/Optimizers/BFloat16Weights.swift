internal import Kernels
public import Tensors

/// Training with weights in bfloat16 and masters in float32: the model computes with rounded weights, the optimizer
/// adds its small steps to weights that keep them.
///
/// ```swift
/// var optimizer = BFloat16Weights(try AdamW<Float>())
/// try optimizer.prepare(parameters)                  // rounds them, before the first forward pass
/// try optimizer.step(parameters, rate: 1e-3)
/// ```
///
/// - Source: Micikevicius et al., "Mixed precision training", ICLR 2018, section 3.1; Kalamkar et al., "A study of
///   bfloat16 for deep learning training", 2019.
public struct BFloat16Weights<Base: Optimizer>: Optimizer {
    public typealias Scalar = Base.Scalar
    public private(set) var base: Base
    private var masters: [String: Tensor<Scalar>] = [:]

    public init(_ base: Base) { self.base = base }

    public var steps: Int { base.steps }

    /// Takes the weights as masters and rounds those of the model; those that have masters stay as they are.
    public mutating func prepare(_ parameters: [Parameter<Scalar>]) throws(TensorError) {
        for parameter in parameters where parameter.isTrainable && masters[parameter.name] == nil {
            let master = parameter.value
            parameter.value = try rounded(master)
            masters[parameter.name] = master
        }
    }

    public mutating func step(_ parameters: [Parameter<Scalar>], rate: Double) throws(TensorError) {
        try prepare(parameters)
        let changed = parameters.filter { $0.isTrainable && $0.gradient != nil }
        try takeMasters(changed)
        do throws(TensorError) {
            try base.step(changed, rate: rate)
        } catch {
            try giveBack(changed)
            throw error
        }
        try giveBack(changed)
    }

    /// Gives the model its masters, for a checkpoint or an export; `prepare` rounds them again.
    public mutating func expose(_ parameters: [Parameter<Scalar>]) throws(TensorError) {
        try takeMasters(parameters)
    }

    private mutating func takeMasters(_ parameters: [Parameter<Scalar>]) throws(TensorError) {
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

    private mutating func giveBack(_ parameters: [Parameter<Scalar>]) throws(TensorError) { try prepare(parameters) }

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

    /// What the base remembers, and the masters: `blk.0.attn_q.weight/master`.
    public var state: [(name: String, value: Tensor<Scalar>)] {
        base.state + masters.keys.sorted().map { (name: "\($0)/master", value: masters[$0]!) }
    }

    public mutating func restore(_ state: [String: Tensor<Scalar>], steps: Int) throws(TensorError) {
        let own = state.filter { $0.key.hasSuffix("/master") }
        try base.restore(state.filter { own[$0.key] == nil }, steps: steps)
        masters = Dictionary(
            uniqueKeysWithValues: own.map { (String($0.key.dropLast("/master".count)), $0.value) })
    }
}
