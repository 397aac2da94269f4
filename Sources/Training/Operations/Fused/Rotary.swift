internal import Kernels
public import Tensors

/// Which numbers of a head turn together.
public enum RotaryPairing: String, CaseIterable, Sendable {
    /// (i, i + pairs): files of Hugging Face, GPT-NeoX.
    case halves
    /// (2i, 2i + 1): the paper, GPT-J.
    case adjacent
}

/// Rotary position embedding: the first 2 · pairs numbers of each head turn by the angles of their position.
///
/// - Parameters:
///   - x: `[batch, position, heads, width]`.
///   - cosines: `[position, pairs]`, and so `sines`; 2 · pairs is at most the width, and the rest stays as it is.
/// - Source: Su et al., RoFormer, 2021, equation 34.
public func rotated<S>(
    _ x: Variable<S>, cosines: Tensor<S>, sines: Tensor<S>, pairing: RotaryPairing = .halves
) throws(TensorError) -> Variable<S> {
    let name = "rotated"
    guard x.rank == 4 else {
        throw TensorError(name, x.shape, problem: "must be [batch, position, heads, width]")
    }
    let (positions, width) = (x.shape[1], x.shape[3])
    guard cosines.rank == 2, cosines.shape == sines.shape, cosines.shape[0] == positions,
        2 * cosines.shape[1] <= width
    else {
        throw TensorError(
            name, x.shape, cosines.shape,
            problem: "are incompatible: the angles must have the shape [\(positions), at most \(width / 2)]")
    }
    let angles = (cosines: try cosines.contiguous(), sines: try sines.contiguous())
    func turn(_ x: Variable<S>, isBack: Bool) throws(TensorError) -> Variable<S> {
        let input = try x.value.contiguous()
        let y = try Tensor<S>.unfilled(x.shape)
        turnRows(input, into: y, angles, isBack: isBack, isAdjacent: pairing == .adjacent)
        return .made(by: name, y, from: [x]) { back throws(TensorError) in
            [try turn(back.gradient, isBack: !isBack)]
        }
    }
    return try turn(x, isBack: false)
}

/// Turns every head, or turns it back: a rotation's gradient is the rotation by the opposite angle.
private func turnRows<S: FloatingAccumulator>(
    _ x: Tensor<S>, into y: Tensor<S>, _ angles: (cosines: Tensor<S>, sines: Tensor<S>), isBack: Bool,
    isAdjacent: Bool
) {
    defer { withExtendedLifetime((x, y, angles)) {} }
    let (positions, heads, width, pairs) = (x.shape[1], x.shape[2], x.shape[3], angles.cosines.shape[1])
    let rows = x.shape[0] * positions
    guard S.self == Float.self else {
        return GradientTwin.rotate(
            x.base, cosines: angles.cosines.base, sines: angles.sines.base, sign: isBack ? -1 : 1,
            isAdjacent: isAdjacent, into: y.base, rows: rows, positions: positions, heads: heads, width: width,
            pairs: pairs)
    }
    Gradients.rotate(
        x.floats, cosines: angles.cosines.floats, sines: angles.sines.floats, isBack: isBack, isAdjacent: isAdjacent,
        into: y.newFloats, rows: rows, positions: positions, heads: heads, width: width, pairs: pairs)
}
