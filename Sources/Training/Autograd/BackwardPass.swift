internal import Tensors

/// One walk through a graph, from its end to its leaves.
///
/// Nodes are visited from the newest to the oldest: whatever used a node is newer, so that its gradient is whole when its
/// turn comes, and gradients that meet are added in an order that the graph alone decides. Nothing here calls itself
/// along the graph: its depth costs no stack.
struct BackwardPass<Scalar: FloatingAccumulator> {
    private let keepsGraph: Bool
    private let recordsGradients: Bool
    /// What the pass is for; `nil` if that is every leaf.
    private let wanted: Set<ObjectIdentifier>?
    /// The nodes that the pass has met.
    private var known: Set<ObjectIdentifier> = []
    /// Those of them that a gradient is worth sending to.
    private var useful: Set<ObjectIdentifier> = []
    /// What has arrived at nodes whose turn has not come.
    private var gradients: [ObjectIdentifier: Variable<Scalar>] = [:]

    init(keepsGraph: Bool, recordsGradients: Bool, wanted: [Node<Scalar>]? = nil) {
        self.keepsGraph = keepsGraph || recordsGradients
        self.recordsGradients = recordsGradients
        self.wanted = wanted.map { Set($0.map(ObjectIdentifier.init)) }
    }

    /// - Parameter arrive: gets every leaf, or every node that is wanted, with its whole gradient.
    mutating func run(
        from root: Node<Scalar>, seed: Variable<Scalar>,
        _ arrive: (Node<Scalar>, Variable<Scalar>) throws(TensorError) -> Void
    ) throws(TensorError) {
        try walk(root, seed, newerThan: 0, arrive)
    }

    /// Visits what `root` was made from, as far as it is newer than a moment: older nodes have their turn later.
    private mutating func walk(
        _ root: Node<Scalar>, _ seed: Variable<Scalar>, newerThan moment: UInt64,
        _ arrive: (Node<Scalar>, Variable<Scalar>) throws(TensorError) -> Void
    ) throws(TensorError) {
        let nodes = try reachable(from: root, newerThan: moment)
        try add(seed, to: root)
        for node in nodes {
            guard let gradient = gradients.removeValue(forKey: ObjectIdentifier(node)) else { continue }
            if wanted?.contains(ObjectIdentifier(node)) ?? node.isLeaf { try arrive(node, gradient) }
            guard !node.isLeaf else { continue }
            if let again = node.recomputation, recordsGradients || node.pullback == nil {
                let moment = Ordinals.last
                if let end = try again().node { try walk(end, gradient, newerThan: moment, arrive) }
            } else {
                try propagate(gradient, through: node)
            }
            if !keepsGraph { node.release() }
        }
    }

    private mutating func propagate(_ gradient: Variable<Scalar>, through node: Node<Scalar>) throws(TensorError) {
        guard let pullback = node.pullback else { return }
        guard node.isTwiceDifferentiable || !recordsGradients else {
            throw TensorError(
                "backward", problem: "the gradient of \(node.operation) cannot be differentiated again")
        }
        let backward = Backward(
            gradient: gradient, saved: recordsGradients ? node.saved : node.saved.map { $0.detached },
            result: node.output.map { Variable($0, recordsGradients ? node : nil) },
            wanted: node.parents.map { $0.map { useful.contains(ObjectIdentifier($0)) } ?? false })
        let results = try pullback(backward)
        for (place, parent) in node.parents.enumerated() where place < results.count {
            guard let parent, let result = results[place], backward.needs(place) else { continue }
            guard result.shape == parent.shape else {
                throw TensorError(
                    "backward", parent.shape, result.shape,
                    problem: "are incompatible: \(node.operation) returns a gradient of the wrong shape for input "
                        + "\(place)")
            }
            try add(result, to: parent)
        }
    }

    private mutating func add(_ gradient: Variable<Scalar>, to node: Node<Scalar>) throws(TensorError) {
        let key = ObjectIdentifier(node)
        if recordsGradients, let before = gradients[key] {
            gradients[key] = try before + gradient
        } else if gradients[key] != nil {
            // In place where no other owner holds the sum's memory.
            try gradients[key]?.value += gradient.value
        } else {
            gradients[key] = gradient
        }
    }

    /// Every node that the root depends on, users before what they use, without those that lead to nothing wanted.
    private mutating func reachable(
        from root: Node<Scalar>, newerThan moment: UInt64
    ) throws(TensorError) -> [Node<Scalar>] {
        let visit = Ordinals.next()
        var found: [Node<Scalar>] = []
        var open = [root]
        root.visit = visit
        while let node = open.popLast() {
            guard node.ordinal > moment else {
                // An older node has its turn later, as long as it is part of what is walked.
                guard known.contains(ObjectIdentifier(node)) else {
                    throw TensorError(
                        "checkpointed",
                        problem: "the function uses \(node.operation), which is not one of its inputs or parameters"
                    )
                }
                continue
            }
            guard node.isLeaf || node.isWhole else {
                throw TensorError(
                    "backward",
                    problem: "the graph of \(node.operation) was released by an earlier pass. Retain the graph in "
                        + "that pass")
            }
            found.append(node)
            for case let parent? in node.parents where parent.visit != visit {
                parent.visit = visit
                open.append(parent)
            }
        }
        found.sort { $0.ordinal > $1.ordinal }
        for node in found.reversed() {
            let key = ObjectIdentifier(node)
            known.insert(key)
            let isUseful =
                wanted?.contains(key) ?? true
                || node.parents.contains { $0.map { useful.contains(ObjectIdentifier($0)) } ?? false }
            if isUseful { useful.insert(key) }
        }
        return found.filter { useful.contains(ObjectIdentifier($0)) }
    }
}
