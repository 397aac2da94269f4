internal import Models
public import System
public import Tensors
internal import Tokenizers

/// What each layer would say: softmax(norm(h) W_U + b_U) of the residual stream at every point of its way.
///
/// ```swift
/// let lens = LogitLens(try model.readout(), topCount: 3)
/// let table = try lens.table(of: cache, layerCount: model.layerCount)
/// table.cells[2][7].top.first                // what the stream before block 2 would say at token 7
/// ```
///
/// Logits are made in pieces of the vocabulary and never kept: memory is a few million numbers whatever V is, and W_U is
/// read once for a thousand rows.
///
/// - Source: nostalgebraist, "interpreting GPT: the logit lens", 2020; Belrose et al., "Eliciting latent predictions
///   from transformers with the tuned lens", 2023.
public struct LogitLens<Scalar: FloatingAccumulator>: Sendable {
    /// What the final norm divides the stream of an earlier point by.
    public enum Scale: Hashable, Sendable {
        /// By the scale of that stream itself: what the model would say if it ended there. TransformerLens does so.
        case own
        /// By the scale of the final stream: differences of neighboring points are direct logit attributions.
        case final
    }

    public var readout: Readout<Scalar>
    public var scale: Scale
    /// Likeliest tokens of each cell.
    public var topCount: Int
    /// Corrections of each point; points without one are read as they are.
    public var tuned: TunedLens<Scalar>?

    public init(
        _ readout: Readout<Scalar>, topCount: Int = 5, scale: Scale = .own, tuned: TunedLens<Scalar>? = nil
    ) {
        self.readout = readout
        self.topCount = topCount
        self.scale = scale
        self.tuned = tuned
    }

    /// Reads every point of a run that kept its residual stream.
    ///
    /// - Parameter target: Token whose rank and probability are reported.
    /// - Throws: An error if a hook was not kept, or the target is not in the vocabulary.
    public func table(
        of cache: ActivationCache<Scalar>, layerCount: Int, includingMid: Bool = false,
        at positions: PositionSelection = .all, target: LensTarget = .next
    ) throws(Problem) -> LensTable {
        let stack = try cache.accumulatedResidual(
            layerCount: layerCount, includingMid: includingMid, at: positions)
        let targets = try stack.positions.map { position throws(Problem) -> Int? in
            switch target {
            case .none: return nil
            case .next: return position + 1 < cache.tokens.count ? Int(cache.tokens[position + 1]) : nil
            case .token(let token):
                guard token >= 0, Int(token) < readout.unembedding.shape[1] else {
                    throw Problem(
                        .invalid, "token \(token)", "not in the model's vocabulary",
                        remedy: "Use a token from 0 to \(readout.unembedding.shape[1] - 1).")
                }
                return Int(token)
            }
        }
        return try table(of: stack, targets: targets)
    }

    /// Reads a stack whose last part is the final residual.
    ///
    /// - Parameter targets: A token for each position of the stack, or `nil`.
    func table(of stack: ResidualStack<Scalar>, targets: [Int?]) throws(Problem) -> LensTable {
        let (points, count) = (stack.parts.count, stack.positions.count)
        var cells = [[LensCell]](repeating: [], count: points)
        // Positions at once: a thousand rows with all their points.
        let atOnce = max(1, 1024 / max(points, 1))
        var first = 0
        while first < count {
            let range = first..<min(first + atOnce, count)
            let read = try telling { () throws -> [LensCell] in
                let rows = try readyRows(stack, range)
                var pass = VocabularyPass(
                    rows: rows, points: points, targets: Array(targets[range]), topCount: topCount, readout: readout)
                try pass.run()
                return pass.cells()
            }
            for point in 0..<points { cells[point] += read[point * range.count..<(point + 1) * range.count] }
            first = range.upperBound
        }
        return LensTable(points: stack.parts, positions: stack.positions, cells: cells)
    }

    /// Logits of every part of a stack, `[parts, P, V]`: for vocabularies and stacks that are small.
    public func logits(of stack: ResidualStack<Scalar>) throws(Problem) -> Tensor<Scalar> {
        try telling {
            let (points, count) = (stack.parts.count, stack.positions.count)
            var logits = try matmul(try readyRows(stack, 0..<count), readout.unembedding)
            if let bias = readout.bias { try logits += bias }
            if let cap = readout.softcap { logits = try tanh(try logits / cap) * cap }
            return try logits.reshaped([points, count, logits.shape[1]])
        }
    }

    /// Rows as they meet W_U, `[points · positions, D]`.
    private func readyRows(_ stack: ResidualStack<Scalar>, _ range: Range<Int>) throws -> Tensor<Scalar> {
        var rows = try stack.rows[.all, range]
        if let tuned {
            let corrected = try stack.parts.enumerated().map { place, part in
                try tuned.apply(try rows[place], at: part)
            }
            rows = try Tensors.stack(corrected, axis: 0)
        }
        let width = rows.shape[2]
        let flat = try rows.reshaped([stack.parts.count * range.count, width])
        switch scale {
        case .own: return try readout.normed(flat)
        case .final:
            let scales = try readout.scale(of: try rows[-1])
            let all = try scales.tiled([stack.parts.count])
            return try readout.normed(flat, scale: all)
        }
    }
}
