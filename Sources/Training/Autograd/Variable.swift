public import Tensors

/// A tensor that knows how it was made, so that gradients find their way back.
///
/// ```swift
/// let w = Parameter("w", try Tensor<Double>([3]))
/// let x = Variable(try Tensor<Double>([2]))
/// let loss = try ((w.variable * x) * (w.variable * x)).sum()
/// try loss.backward()
/// w.gradient                                       // [24]: d/dw (wx)² = 2wx²
/// ```
///
/// A variable is a value: operations make new ones. One that comes from constants alone is itself a constant and keeps
/// nothing. There is no mode that switches recording off: what is not to be recorded starts from `detached`.
public struct Variable<Scalar: FloatingAccumulator> {
    public internal(set) var value: Tensor<Scalar>
    /// What it was made by; nil for a constant.
    package let node: Node<Scalar>?

    /// A constant.
    public init(_ value: Tensor<Scalar>) {
        self.value = value
        node = nil
    }

    package init(_ value: Tensor<Scalar>, _ node: Node<Scalar>?) {
        self.value = value
        self.node = node
    }

    public var shape: [Int] { value.shape }
    public var rank: Int { value.rank }
    public var count: Int { value.count }
    /// The only element; `nil` if there are none or several.
    public var scalar: Scalar? { value.scalar }
    /// Whether a gradient can reach what it was made from.
    public var isRecorded: Bool { node != nil }
    /// The same numbers as a constant.
    public var detached: Variable { Variable(value) }

    /// A variable that `gradients(for:)` is asked about: the start of a graph. `backward` gives gradients to parameters
    /// alone.
    public static func leaf(_ value: Tensor<Scalar>) -> Variable {
        Variable(value, Node(leaf: "leaf", shape: value.shape))
    }
}

extension Variable {
    /// The result of an operation, with the way back.
    ///
    /// - Parameters:
    ///   - parents: the variables that it was made from, in the order in which the pullback answers.
    ///   - saved: what the pullback needs of them; other parents' numbers are released.
    ///   - keepsOutput: the pullback reads `Backward.output`.
    ///   - basics: the same from operations that can be differentiated twice. A gradient that is itself to be
    ///     differentiated goes through it, so that the pullback is free to use kernels that nothing records. It may use
    ///     no variables but the parents.
    ///   - pullback: the gradient of every parent; `nil` for parents without gradients, or if `needs` says that none is requested.
    package static func made(
        by operation: String, _ value: Tensor<Scalar>, from parents: [Variable], saving saved: [Variable] = [],
        keepsOutput: Bool = false, isTwiceDifferentiable: Bool = true,
        basics: (() throws(TensorError) -> Variable)? = nil,
        _ pullback: @escaping (Backward<Scalar>) throws(TensorError) -> [Variable?]
    ) -> Variable {
        guard parents.contains(where: { $0.isRecorded }) else { return Variable(value) }
        return Variable(
            value,
            Node(
                operation: operation, shape: value.shape, parents: parents.map { $0.node }, saved: saved,
                output: keepsOutput ? value : nil, isTwiceDifferentiable: isTwiceDifferentiable, basics: basics,
                pullback: pullback))
    }
}
