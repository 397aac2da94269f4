package import Tensors

/// One operation of a graph: where its inputs came from and how a gradient passes through it.
package final class Node<Scalar: FloatingAccumulator> {
    package typealias Pullback = (Backward<Scalar>) throws(TensorError) -> [Variable<Scalar>?]
    /// Computes a part of a graph again, this time recorded.
    typealias Recomputation = () throws(TensorError) -> Variable<Scalar>

    package let operation: String
    /// The shape of what it makes.
    package let shape: [Int]
    /// Later than every parent's.
    let ordinal: UInt64
    /// One for each input; nil for constants.
    private(set) var parents: [Node?]
    private(set) var saved: [Variable<Scalar>]
    private(set) var output: Tensor<Scalar>?
    let isTwiceDifferentiable: Bool
    /// nil for a leaf, and once a backward pass that keeps nothing has been through.
    private(set) var pullback: Pullback?
    /// For a part that was not recorded, in place of a pullback; next to one, for gradients that must be recorded.
    private(set) var recomputation: Recomputation?
    let isLeaf: Bool
    /// Where a parameter wants its gradient.
    weak var parameter: Parameter<Scalar>?
    /// The search that met it last.
    var visit: UInt64 = 0

    init(
        operation: String, shape: [Int], parents: [Node?], saved: [Variable<Scalar>], output: Tensor<Scalar>? = nil,
        isTwiceDifferentiable: Bool = true, basics: Recomputation? = nil, pullback: @escaping Pullback
    ) {
        self.operation = operation
        self.shape = shape
        self.parents = parents
        self.saved = saved
        self.output = output
        self.isTwiceDifferentiable = isTwiceDifferentiable
        recomputation = basics
        self.pullback = pullback
        isLeaf = false
        ordinal = Ordinals.next()
    }

    /// A part of a graph that is computed again when its gradient is asked for.
    init(
        operation: String, shape: [Int], parents: [Node?], saved: [Variable<Scalar>],
        recomputation: @escaping Recomputation
    ) {
        self.operation = operation
        self.shape = shape
        self.parents = parents
        self.saved = saved
        isTwiceDifferentiable = true
        self.recomputation = recomputation
        isLeaf = false
        ordinal = Ordinals.next()
    }

    /// Where a graph begins.
    init(leaf operation: String, shape: [Int], parameter: Parameter<Scalar>? = nil) {
        self.operation = operation
        self.shape = shape
        parents = []
        saved = []
        isTwiceDifferentiable = true
        isLeaf = true
        self.parameter = parameter
        ordinal = Ordinals.next()
    }

    /// Whether a gradient can still pass.
    var isWhole: Bool { pullback != nil || recomputation != nil }

    /// Releases everything that only the way back needed.
    func release() {
        parents = []
        saved = []
        output = nil
        pullback = nil
        recomputation = nil
    }

    deinit {
        // A graph without a backward pass (an evaluation, an error) is taken apart in a loop: freed by recursion, one of
        // a hundred thousand nodes would overflow the stack.
        var rest: [Node] = []
        collect(into: &rest)
        while var node = rest.popLast() {
            guard isKnownUniquelyReferenced(&node) else { continue }
            node.collect(into: &rest)
        }
    }

    /// Hands over the nodes that this one keeps alive, and releases everything.
    private func collect(into nodes: inout [Node]) {
        for case let parent? in parents { nodes.append(parent) }
        for variable in saved {
            if let node = variable.node { nodes.append(node) }
        }
        release()
    }
}
