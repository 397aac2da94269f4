public import Tensors

/// A part of a model whose inside is not kept for the way back, but computed again there: memory for time.
///
/// ```swift
/// let y = try checkpointed([x], parameters: block.parameters, pass) { inputs throws(TensorError) in
///     try block(inputs[0], pass)
/// }
/// ```
/// Gradients have the same bits as without: the second computation takes the first one's place in the graph, so that
/// everything is added in the same order, and random masks are the same ones. Parts may be within parts, and gradients
/// can be differentiated again.
///
/// - Parameters:
///   - inputs: every variable that `body` uses. It is given them, and must not reach around for others.
///   - parameters: every parameter that `body` uses.
///   - pass: the walk that `body` belongs to; its random numbers are set back for the second computation.
///   - body: is called once now and once for each backward pass.
/// - Throws: what `body` throws; in the backward pass, `TensorError` where it used what is not among its inputs.
/// - Source: Chen, Xu, Zhang, Guestrin, "Training deep nets with sublinear memory cost", 2016.
public func checkpointed<S>(
    _ inputs: [Variable<S>], parameters: [Parameter<S>], _ pass: Pass? = nil,
    _ body: @escaping ([Variable<S>]) throws(TensorError) -> Variable<S>
) throws(TensorError) -> Variable<S> {
    let draws = pass?.draws ?? 0
    let value = try silently(parameters) { () throws(TensorError) in try body(inputs.map { $0.detached }).value }
    let parents = inputs + parameters.map { $0.variable }
    guard parents.contains(where: { $0.isRecorded }) else { return Variable(value) }
    let node = Node<S>(operation: "checkpointed", shape: value.shape, parents: parents.map { $0.node }, saved: inputs) {
        () throws(TensorError) in
        guard let pass else { return try body(inputs) }
        let before = (pass.draws, pass.isRepeating)
        (pass.draws, pass.isRepeating) = (draws, true)
        defer { (pass.draws, pass.isRepeating) = before }
        return try body(inputs)
    }
    return Variable(value, node)
}

/// Computes something with parameters that are constants meanwhile, so that it records nothing.
private func silently<S, R>(
    _ parameters: [Parameter<S>], _ body: () throws(TensorError) -> R
) throws(TensorError) -> R {
    let before = parameters.map { $0.isSilent }
    for parameter in parameters { parameter.isSilent = true }
    defer { for (parameter, was) in zip(parameters, before) { parameter.isSilent = was } }
    return try body()
}

extension Variable {
    /// How many nodes the way back holds, and how many bytes of tensors they save; a memory that several share counts
    /// once. What pullbacks hold within themselves (masks of truth values, operands of fused kernels) is not seen.
    package var footprint: (nodes: Int, bytes: Int) {
        guard let node else { return (0, 0) }
        var (seen, storages): (Set<ObjectIdentifier>, Set<ObjectIdentifier>) = ([ObjectIdentifier(node)], [])
        var open = [node]
        var bytes = 0
        while let next = open.popLast() {
            var kept = next.saved.map { $0.value }
            if let output = next.output { kept.append(output) }
            for tensor in kept where storages.insert(ObjectIdentifier(tensor.storage)).inserted {
                bytes += tensor.storage.count * MemoryLayout<Scalar>.stride
            }
            for case let parent? in next.parents where seen.insert(ObjectIdentifier(parent)).inserted {
                open.append(parent)
            }
        }
        return (seen.count, bytes)
    }
}
