internal import Kernels
internal import System

/// A norm of rows with its gain: x / √(mean(x²) + ε) · g, or (x - mean) / √(variance + ε) · g + b.
///
/// - Source: Zhang and Sennrich 2019, equation 4; Ba, Kiros, Hinton 2016, equation 4.
struct Norm: Sendable {
    enum Kind: Sendable {
        case rms, layer
    }

    /// Where its insides are shown.
    struct Hooks: Sendable {
        let scale: Hook
        let normalized: Hook

        static func attention(_ layer: Int) -> Hooks {
            Hooks(scale: .attentionNormScale(layer: layer), normalized: .attentionNormalized(layer: layer))
        }
        static func feedForward(_ layer: Int) -> Hooks {
            Hooks(scale: .feedForwardNormScale(layer: layer), normalized: .feedForwardNormalized(layer: layer))
        }
        static let final = Hooks(scale: .finalNormScale, normalized: .finalNormalized)
    }

    let kind: Kind
    let gain: AlignedBuffer<Float>
    let bias: AlignedBuffer<Float>?
    let epsilon: Float
    let hooks: Hooks?

    /// y = norm(x), `[rows, width]`; they may be the same memory.
    func callAsFunction(
        _ pass: ForwardPass, _ x: UnsafeMutablePointer<Float>, rows: Int, into y: UnsafeMutablePointer<Float>
    ) throws(ModelError) {
        let start = pass.now()
        if let hooks, pass.wants(hooks.scale) || pass.wants(hooks.normalized) {
            try visited(pass, x, rows: rows, into: y, hooks)
        } else {
            normalize(x, rows: rows, into: y, pool: pass.pool)
        }
        guard let profile = pass.profile else { return }
        let numbers = Double(rows) * Double(gain.count)
        profile.add(
            .norms, .norm(kind, rows: rows, columns: gain.count), seconds: Clock.now(.monotonic) - start,
            flops: (kind == .rms ? 4 : 9) * numbers, bytes: 8 * numbers)
    }

    /// Rows of `gain.count` numbers, one after another.
    func normalize(
        _ x: UnsafePointer<Float>, rows: Int, into y: UnsafeMutablePointer<Float>, pool: ThreadPool
    ) {
        let columns = gain.count
        switch kind {
        case .rms:
            Rows.rmsNorm(x, into: y, gain: gain.pointer, epsilon: epsilon, rows: rows, columns: columns, pool: pool)
        case .layer:
            Rows.layerNorm(
                x, into: y, gain: gain.pointer, bias: bias?.pointer, epsilon: epsilon, rows: rows, columns: columns,
                pool: pool)
        }
    }

    /// The same in steps, each of which can be looked at and changed.
    private func visited(
        _ pass: ForwardPass, _ x: UnsafeMutablePointer<Float>, rows: Int, into y: UnsafeMutablePointer<Float>,
        _ hooks: Hooks
    ) throws(ModelError) {
        let columns = gain.count
        let scales = try pass.floats(.scales, rows)
        for row in 0..<rows {
            let (x, y) = (x + row * columns, y + row * columns)
            var mean: Double = 0
            if kind == .layer {
                for column in 0..<columns { mean += Double(x[column]) }
                mean /= Double(columns)
            }
            var square: Double = 0
            for column in 0..<columns {
                let centered = Double(x[column]) - mean
                square += centered * centered
                y[column] = Float(centered)
            }
            scales[row] = Float((square / Double(columns) + Double(epsilon)).squareRoot())
        }
        try pass.visit(hooks.scale, scales, stride: 1, shape: [1])
        for row in 0..<rows {
            for column in 0..<columns { y[row * columns + column] /= scales[row] }
        }
        try pass.visit(hooks.normalized, y, stride: columns, shape: [columns])
        for row in 0..<rows {
            for column in 0..<columns { y[row * columns + column] *= gain.pointer[column] }
            if let bias { Elementwise.add(bias.pointer, to: y + row * columns, count: columns) }
        }
    }
}
