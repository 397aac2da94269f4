internal import Kernels

/// The feed-forward of a block: reads the normalized rows, writes what is added to the stream.
enum FeedForward: Sendable {
    case dense(DenseFeedForward)
    case experts(ExpertFeedForward)

    func callAsFunction(_ pass: ForwardPass) throws(ModelError) {
        switch self {
        case .dense(let part): try part(pass)
        case .experts(let part): try part(pass)
        }
    }
}

/// down(f(up x)), or with a gate down(f(gate x) · up x).
///
/// - Source: Vaswani et al. 2017, equation 2; Shazeer, "GLU variants improve transformer", 2020, equation 6.
struct DenseFeedForward: Sendable {
    let layer: Int
    /// Gate and up, in one matrix or two; up alone without a gate.
    let up: Projection
    let down: Projection
    let curve: Elementwise.Curve
    let isGated: Bool
    /// F.
    let width: Int

    func callAsFunction(_ pass: ForwardPass) throws(ModelError) {
        let (rows, stride) = (pass.rows, up.outputs)
        let normalized = try pass.floats(.normalized, rows * pass.width)
        let hidden = try pass.floats(.hidden, rows * stride)
        let delta = try pass.floats(.delta, rows * pass.width)
        try up(pass, normalized, xStride: pass.width, rows: rows, into: hidden)
        try pass.visit(.feedForwardPre(layer: layer), hidden, stride: stride, shape: [width])
        if isGated {
            try pass.visit(.feedForwardLinear(layer: layer), hidden + width, stride: stride, shape: [width])
        }
        activate(pass, hidden, rows: rows)
        try pass.visit(.feedForwardPost(layer: layer), hidden, stride: stride, shape: [width])
        try down(pass, hidden, xStride: stride, rows: rows, into: delta)
    }

    /// The gate's half of each row becomes what goes down.
    func activate(_ pass: ForwardPass, _ hidden: UnsafeMutablePointer<Float>, rows: Int) {
        let start = pass.now()
        // An exponential and a division are worth eight sums.
        pass.overRows(rows, width: 8 * width) { range in
            for row in range {
                let gate = hidden + row * up.outputs
                Elementwise.activate(curve, gate, times: isGated ? gate + width : nil, into: gate, count: width)
            }
        }
        pass.record(.activation, since: start)
    }
}

extension Activation {
    /// The kernel that computes it.
    var curve: Elementwise.Curve {
        switch self {
        case .silu: .silu
        case .geluTanh: .geluTanh
        case .gelu: .gelu
        case .relu: .relu
        }
    }
}
