internal import Kernels
internal import System

/// A linear layer y = W x + b, and the number by which an adapter knows it.
struct Linear: Sendable {
    let weight: WeightMatrix
    let bias: AlignedBuffer<Float>?
    /// Its place in the list of all linear layers of the model; nil for those that no adapter changes.
    let number: Int?
}

/// Linear layers that read the same input, as one product: query, key and value; gate and up.
///
/// Their outputs lie side by side in a row.
struct Projection: Sendable {
    let layers: [Linear]
    let operation: ProfiledOperation
    /// Numbers of a row of all outputs.
    let outputs: Int
    private let weights: [WeightMatrix]
    private let hasBias: Bool

    init(_ layers: [Linear], _ operation: ProfiledOperation) {
        self.layers = layers
        self.operation = operation
        weights = layers.map(\.weight)
        outputs = layers.reduce(0) { $0 + $1.weight.rows }
        hasBias = layers.contains { $0.bias != nil }
    }

    /// y = x Wᵀ + b for all rows.
    ///
    /// - Parameter yStride: from a row of all outputs to the next: `outputs` where none is given.
    func callAsFunction(
        _ pass: ForwardPass, _ x: UnsafePointer<Float>, xStride: Int, rows: Int, into y: UnsafeMutablePointer<Float>,
        yStride: Int? = nil
    ) throws(ModelError) {
        guard rows > 0 else { return }
        let start = pass.now()
        let yStride = yStride ?? outputs
        do {
            if weights.count == 1 {
                try weights[0].multiply(x, xStride: xStride, m: rows, into: y, yStride: yStride, pool: pass.pool)
            } else {
                pass.targets.removeAll(keepingCapacity: true)
                pass.targetStrides.removeAll(keepingCapacity: true)
                var column = 0
                for weight in weights {
                    pass.targets.append(y + column)
                    pass.targetStrides.append(yStride)
                    column += weight.rows
                }
                try WeightMatrix.multiply(
                    x, xStride: xStride, m: rows, by: weights, into: pass.targets, yStrides: pass.targetStrides,
                    pool: pass.pool)
            }
        } catch {
            throw ModelError(pass.transformer.path, error)
        }
        if !pass.changes.isEmpty { try change(pass, x, xStride: xStride, rows: rows, y, yStride: yStride) }
        if hasBias { addBias(pass, rows: rows, y, yStride: yStride) }
        record(pass, since: start, rows: rows)
    }

    private func addBias(_ pass: ForwardPass, rows: Int, _ y: UnsafeMutablePointer<Float>, yStride: Int) {
        pass.overRows(rows, width: outputs) { range in
            for row in range {
                var column = row * yStride
                for layer in layers {
                    if let bias = layer.bias { Elementwise.add(bias.pointer, to: y + column, count: bias.count) }
                    column += layer.weight.rows
                }
            }
        }
    }

    /// y += s B (A x), where an adapter changes the layer.
    private func change(
        _ pass: ForwardPass, _ x: UnsafePointer<Float>, xStride: Int, rows: Int, _ y: UnsafeMutablePointer<Float>,
        yStride: Int
    ) throws(ModelError) {
        var column = 0
        for layer in layers {
            if let number = layer.number, let change = pass.changes[number] {
                try change.apply(pass, x, xStride: xStride, rows: rows, to: y + column, yStride: yStride)
            }
            column += layer.weight.rows
        }
    }

    private func record(_ pass: ForwardPass, since start: Double, rows: Int) {
        guard let profile = pass.profile else { return }
        let inputs = weights[0].columns
        profile.add(
            operation, .product(weights[0].format, rows: rows, outputs: outputs, inputs: inputs),
            seconds: Clock.now(.monotonic) - start,
            flops: 2 * Double(rows) * Double(outputs) * Double(inputs),
            bytes: weights.reduce(0) { $0 + Double($1.bytes.count) } + 4 * Double(rows) * Double(inputs + outputs))
    }
}
