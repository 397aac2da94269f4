/// Einstein's sum: axes are named by letters, and those that the result does not name are summed over.
///
/// ```swift
/// let scores = try einsum("bqhd,bkhd->bhqk", q, k)    // [batch, heads, query, key]
/// let trace = try einsum("ii->", matrix)
/// ```
///
/// Operands are taken from left to right, each pair as one matrix product. A letter twice in an operand takes the
/// diagonal. Without an arrow the result has the letters that occur once, in alphabetical order.
///
/// - Throws: `TensorError` where the formula cannot be read, or where sizes of one letter differ.
public func einsum<S: NumericScalar>(_ formula: String, _ operands: Tensor<S>...) throws(TensorError) -> Tensor<S> {
    let (inputs, output) = try EinsumFormula.read(formula, operands.map(\.shape))
    var rest: [Labeled<S>] = []
    for (labels, operand) in zip(inputs, operands) { rest.append(Labeled(operand, labels).withoutRepeats()) }
    var result = rest.removeFirst()
    while true {
        let needed = Set(output + rest.flatMap(\.labels))
        result = try result.summed(keeping: needed)
        guard !rest.isEmpty else { break }
        let next = rest.removeFirst()
        let later = Set(output + rest.flatMap(\.labels))
        result = try result.contracted(with: next.summed(keeping: later.union(result.labels)), keeping: later)
    }
    return try result.tensor.permuted(output.map { result.labels.firstIndex(of: $0)! })
}

/// A tensor whose axes have names.
private struct Labeled<S: NumericScalar> {
    let tensor: Tensor<S>
    let labels: [Character]

    init(_ tensor: Tensor<S>, _ labels: [Character]) {
        self.tensor = tensor
        self.labels = labels
    }

    /// The diagonal of axes of one name, as a view.
    func withoutRepeats() -> Labeled {
        var (unique, shape, strides) = ([Character](), [Int](), [Int]())
        for (axis, label) in labels.enumerated() {
            if let first = unique.firstIndex(of: label) {
                strides[first] += tensor.strides[axis]
            } else {
                unique.append(label)
                shape.append(tensor.shape[axis])
                strides.append(tensor.strides[axis])
            }
        }
        let view = Tensor(
            view: tensor.storage, shape: shape, strides: strides, offset: tensor.offset, count: shape.reduce(1, *))
        return Labeled(view, unique)
    }

    /// The sums over the names that are not needed.
    func summed(keeping needed: Set<Character>) throws(TensorError) -> Labeled {
        let axes = labels.indices.filter { !needed.contains(labels[$0]) }
        if axes.isEmpty { return self }
        let sum = try tensor.reduced(axes, false, .sum, for: "einsum") { S(rounding: $0) }
        return Labeled(sum, labels.filter(needed.contains))
    }

    /// One matrix product: names that both have are batches where they are kept, else summed over.
    func contracted(with other: Labeled, keeping needed: Set<Character>) throws(TensorError) -> Labeled {
        let shared = labels.filter(other.labels.contains)
        let batch = shared.filter(needed.contains)
        let inner = shared.filter { !needed.contains($0) }
        let left = labels.filter { !shared.contains($0) }
        let right = other.labels.filter { !shared.contains($0) }
        let product = try matmul(grouped(batch, left, inner), other.grouped(batch, inner, right))
        let shape = sizes(batch) + sizes(left) + other.sizes(right)
        return Labeled(try product.reshaped(shape), batch + left + right)
    }

    /// [batch..., rows, columns], the last two made of several axes each.
    private func grouped(
        _ batch: [Character], _ rows: [Character], _ columns: [Character]
    ) throws(TensorError) -> Tensor<S> {
        let order = (batch + rows + columns).map { label in labels.firstIndex(of: label)! }
        return try tensor.permuted(order).reshaped(
            sizes(batch) + [sizes(rows).reduce(1, *), sizes(columns).reduce(1, *)])
    }

    private func sizes(_ names: [Character]) -> [Int] {
        names.map { label in tensor.shape[labels.firstIndex(of: label)!] }
    }
}

/// The formula of an `einsum`.
package enum EinsumFormula {
    /// The names of the axes of each operand and of the result, which fit the shapes.
    package static func read(
        _ formula: String, _ shapes: [[Int]]
    ) throws(TensorError) -> (inputs: [[Character]], output: [Character]) {
        func wrong(_ problem: String) -> TensorError {
            TensorError("einsum(\(formula))", shapes: shapes, problem: problem)
        }
        let text = formula.filter { $0 != " " }
        let arrow = text.firstRange(of: "->")
        let left = arrow.map { text[..<$0.lowerBound] } ?? text[...]
        let inputs = left.split(separator: ",", omittingEmptySubsequences: false).map(Array.init)
        let named = inputs.flatMap(\.self)
        let output =
            arrow.map { Array(text[$0.upperBound...]) }
            ?? Set(named).filter { label in
                named.count { $0 == label } == 1
            }.sorted()
        guard (named + output).allSatisfy({ $0.isASCII && $0.isLetter }) else {
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
                guard sizes[label, default: size] == size else {
                    throw wrong("are incompatible: \(label) has sizes \(sizes[label]!) and \(size)")
                }
                sizes[label] = size
            }
        }
        guard Set(output).count == output.count, output.allSatisfy({ sizes[$0] != nil }) else {
            throw wrong("cannot produce \(String(output)): output axes must come from the operands, each at most once")
        }
        return (inputs, output)
    }
}
