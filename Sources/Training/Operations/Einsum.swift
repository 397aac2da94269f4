public import Tensors

/// Einstein's sum: axes are named by letters, and those that the result does not name are summed over.
///
/// ```swift
/// let scores = try einsum("bqhd,bkhd->bhqk", q, k)    // [batch, heads, query, key]
/// ```
///
/// Operands are taken from left to right, each pair as one product. A letter twice in an operand takes the diagonal.
/// Without an arrow the result has the letters that occur once, in alphabetical order.
public func einsum<S>(_ formula: String, _ operands: Variable<S>...) throws(TensorError) -> Variable<S> {
    let (inputs, output) = try EinsumLabels.read(formula, operands.map { $0.shape })
    var terms: [Labeled<S>] = []
    for (labels, operand) in zip(inputs, operands) {
        terms.append(try Labeled(variable: operand, labels: labels).withoutRepeats())
    }
    var result = terms[0]
    for place in terms.indices.dropFirst() {
        let later = Set(output + terms[(place + 1)...].flatMap { $0.labels })
        result = try result.times(terms[place], keeping: later)
    }
    return try result.summed(keeping: Set(output)).ordered(output)
}

/// A variable whose axes have names.
private struct Labeled<S: FloatingAccumulator> {
    let variable: Variable<S>
    let labels: [Character]

    /// The diagonal of axes of one name.
    func withoutRepeats() throws(TensorError) -> Labeled {
        var (variable, labels) = (variable, labels)
        while let second = labels.indices.first(where: { labels[..<$0].contains(labels[$0]) }) {
            let first = labels.firstIndex(of: labels[second])!
            variable = try variable.diagonal(axes: first, second)
            labels.append(labels[first])
            labels.remove(at: second)
            labels.remove(at: first)
        }
        return Labeled(variable: variable, labels: labels)
    }

    /// The sums over the names that are not needed.
    func summed(keeping needed: Set<Character>) throws(TensorError) -> Labeled {
        let axes = labels.indices.filter { !needed.contains(labels[$0]) }
        if axes.isEmpty { return self }
        return Labeled(variable: try variable.sum(axes: axes), labels: labels.filter(needed.contains))
    }

    func times(_ other: Labeled, keeping later: Set<Character>) throws(TensorError) -> Labeled {
        let (a, b) = (
            try summed(keeping: later.union(other.labels)), try other.summed(keeping: later.union(labels))
        )
        let result = a.labels.filter(later.contains) + b.labels.filter { later.contains($0) && !a.labels.contains($0) }
        return Labeled(variable: try product(a, b, result), labels: result)
    }

    func ordered(_ output: [Character]) throws(TensorError) -> Variable<S> {
        try variable.permuted(output.map { label in labels.firstIndex(of: label)! })
    }
}

/// The product of two operands, each of whose letters is in the other or in the result. The gradient of one is a product
/// of the same kind: that of the other with the gradient of the result.
private func product<S>(
    _ a: Labeled<S>, _ b: Labeled<S>, _ result: [Character]
) throws(TensorError) -> Variable<S> {
    let formula = "\(String(a.labels)),\(String(b.labels))->\(String(result))"
    let value = try einsum(formula, a.variable.value, b.variable.value)
    return .made(by: "einsum", value, from: [a.variable, b.variable], saving: [a.variable, b.variable]) {
        [aLabels = a.labels, bLabels = b.labels] back throws(TensorError) in
        let gradient = Labeled(variable: back.gradient, labels: result)
        return [
            back.needs(0)
                ? try product(gradient, Labeled(variable: back.saved[1], labels: bLabels), aLabels) : nil,
            back.needs(1)
                ? try product(gradient, Labeled(variable: back.saved[0], labels: aLabels), bLabels) : nil,
        ]
    }
}

private enum EinsumLabels {
    /// The names of the axes of each operand and of the result, which fit the shapes.
    static func read(
        _ formula: String, _ shapes: [[Int]]
    ) throws(TensorError) -> (inputs: [[Character]], output: [Character]) {
        func wrong(_ problem: String) -> TensorError {
            TensorError("einsum(\(formula))", shapes: shapes, problem: problem)
        }
        let sides = formula.filter { $0 != " " }.split(separator: "->", omittingEmptySubsequences: false)
        let inputs = (sides.first ?? "").split(separator: ",", omittingEmptySubsequences: false).map(Array.init)
        let named = inputs.flatMap { $0 }
        var output = Set(named).filter { label in named.count { $0 == label } == 1 }.sorted()
        if sides.count == 2 { output = Array(sides[1]) }
        guard sides.count <= 2, (named + output).allSatisfy({ $0.isASCII && $0.isLetter }) else {
            throw wrong("cannot be combined: axes must be letters, as in ij,jk->ik")
        }
        guard inputs.count == shapes.count, !shapes.isEmpty else {
            throw wrong("are incompatible: the formula has \(inputs.count) operands")
        }
        var sizes: [Character: Int] = [:]
        for (labels, shape) in zip(inputs, shapes) {
            guard labels.count == shape.count else {
                throw wrong("are incompatible: \(String(labels)) has \(labels.count) axes, but the shape is \(shape)")
            }
            for (label, size) in zip(labels, shape) {
                let known = sizes[label, default: size]
                guard known == size else { throw wrong("are incompatible: \(label) has sizes \(known) and \(size)") }
                sizes[label] = size
            }
        }
        guard Set(output).count == output.count, output.allSatisfy({ sizes[$0] != nil }) else {
            throw wrong(
                "cannot produce \(String(output)): output axes must come from the operands, each at most once")
        }
        return (inputs, output)
    }
}
