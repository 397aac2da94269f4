public import Tensors

extension Variable {
    /// Adds the gradient of this number to every parameter that it was made from.
    ///
    /// The graph is released, unless it is kept for another pass. Gradients that meet are added in an order that the
    /// graph alone decides: the same graph gives the same bits.
    ///
    /// - Parameter seed: the gradient of this variable; nil for one of a single element, which is 1.
    /// - Throws: `TensorError` where there are several elements and no seed, or where memory runs out.
    public func backward(seed: Tensor<Scalar>? = nil, keepingGraph: Bool = false) throws(TensorError) {
        guard let node else {
            throw TensorError(
                "backward", shape,
                problem: "depends on constants only: there are no parameters to differentiate with respect to")
        }
        let seed = try start(seed)
        var pass = BackwardPass<Scalar>(keepsGraph: keepingGraph, recordsGradients: false)
        try pass.run(from: node, seed: seed) { (leaf, gradient) throws(TensorError) in
            try leaf.parameter?.accumulate(gradient.value)
        }
    }

    /// The gradients of this number with respect to leaves or to variables on the way to it.
    ///
    /// - Parameter recorded: gradients are variables of the graph, to be differentiated again; the graph is kept.
    /// - Returns: one for each variable; zeros where it has no influence.
    public func gradients(
        for variables: [Variable], seed: Tensor<Scalar>? = nil, recorded: Bool = false
    ) throws(TensorError) -> [Variable] {
        try gradients(for: variables, seed: try start(seed), recorded: recorded)
    }

    /// The same from a seed that may itself be differentiated.
    public func gradients(
        for variables: [Variable], seed: Variable, recorded: Bool = false
    ) throws(TensorError) -> [Variable] {
        let seed = try checked(seed)
        var found: [ObjectIdentifier: Variable] = [:]
        if let node {
            var pass = BackwardPass(
                keepsGraph: true, recordsGradients: recorded, wanted: variables.compactMap { $0.node })
            try pass.run(from: node, seed: seed) { (node, gradient) throws(TensorError) in
                found[ObjectIdentifier(node)] = gradient
            }
        }
        var result: [Variable] = []
        for variable in variables {
            if let gradient = variable.node.flatMap({ found[ObjectIdentifier($0)] }) {
                result.append(gradient)
            } else {
                result.append(Variable(try Tensor(repeating: 0, shape: variable.shape)))
            }
        }
        return result
    }

    private func start(_ seed: Tensor<Scalar>?) throws(TensorError) -> Variable {
        if let seed { return try checked(Variable(seed)) }
        guard count == 1 else {
            throw TensorError("backward", shape, problem: "is not a scalar. Pass a seed, or reduce it first")
        }
        return Variable(try Tensor(repeating: 1, shape: shape))
    }

    private func checked(_ seed: Variable) throws(TensorError) -> Variable {
        guard seed.shape == shape else {
            throw TensorError(
                "backward", shape, seed.shape,
                problem: "are incompatible: the seed must have the shape of the variable")
        }
        return seed
    }
}
