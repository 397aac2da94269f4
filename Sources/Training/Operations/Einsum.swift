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
    let (inputs, output) = try EinsumFormula.read(formula, operands.map { $0.shape })
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
