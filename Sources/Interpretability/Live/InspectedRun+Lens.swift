internal import Kernels
internal import Models
public import System
internal import Tokenizers

extension InspectedRun {
    /// What the model would say after each layer: the stream behind the block, through the final norm and W_U.
    ///
    /// Streams that are no longer kept are run again. O(positions · layers · D · V).
    ///
    /// - Parameters:
    ///   - layers: Layers to read (default: all). The last layer is always included, because the others are compared
    ///     with it.
    ///   - top: Number of most probable tokens to report.
    ///   - isCancelled: Checked between positions.
    /// - Throws: An error if there are no such tokens, it was canceled, or memory is short.
    /// - Source: nostalgebraist, "Interpreting GPT: the logit lens", 2020.
    public func lens(
        positions: Range<Int>, layers: [Int]? = nil, top: Int = 5, target: LensTarget = .next,
        isCancelled: () -> Bool = { false }
    ) throws(Problem) -> LensTable {
        try work.run { () throws(Problem) in
            let last = model.configuration.layerCount - 1
            let layers = Array(Set((layers ?? Array(0...last)) + [last])).sorted()
            guard layers[0] >= 0, layers[layers.count - 1] == last, positions.lowerBound >= 0,
                positions.upperBound <= state.readCount
            else {
                throw Problem(
                    .missing, model.name, "no lens for layers \(layers) and tokens \(positions)",
                    remedy: "Use layers 0 to \(last); \(state.readCount) tokens have been read.")
            }
            let work = try LensMemory(rows: layers.count, model)
            var columns: [[LensCell]] = []
            for position in positions {
                guard !isCancelled() else { throw .cancelled() }
                try gather(layers, position, into: work.residual.pointer)
                columns.append(try cells(work, rows: layers.count, target: token(target, after: position), top: top))
            }
            return LensTable(
                points: layers.map { $0 == last ? .final : .pre(layer: $0 + 1) }, positions: Array(positions),
                cells: layers.indices.map { point in columns.map { $0[point] } })
        }
    }

    /// What the lens works in.
    private struct LensMemory {
        let residual, normed, logits, scratch: AlignedBuffer<Float>

        init(rows: Int, _ model: InspectedModel) throws(Problem) {
            let (width, vocabulary) = (model.configuration.width, model.configuration.vocabularySize)
            (residual, normed, logits, scratch) = try telling {
                (
                    try AlignedBuffer(count: rows * width), try AlignedBuffer(count: rows * width),
                    try AlignedBuffer(count: rows * vocabulary), try AlignedBuffer(count: rows * vocabulary)
                )
            }
        }
    }

    private func token(_ target: LensTarget, after position: Int) -> TokenID? {
        switch target {
        case .none: nil
        case .token(let token): token >= 0 && Int(token) < model.configuration.vocabularySize ? token : nil
        case .next: position + 1 < tokens.count ? tokens[position + 1] : nil
        }
    }

    /// The streams of a token behind some layers, `[layers, D]`.
    private func gather(
        _ layers: [Int], _ position: Int, into rows: UnsafeMutablePointer<Float>
    ) throws(Problem) {
        let width = model.configuration.width
        var missing: [Int] = []
        for (index, layer) in layers.enumerated() {
            if let row = state.residual(position: position, layer: layer) {
                (rows + index * width).update(from: row, count: width)
            } else {
                missing.append(index)
            }
        }
        guard !missing.isEmpty else { return }
        try runAgain(Set(missing.map { .residualPost(layer: layers[$0]) }), position..<position + 1) { _, shown in
            for index in missing {
                guard let row = shown[.residualPost(layer: layers[index])]?.values else { continue }
                for number in 0..<width { rows[index * width + number] = row[number] }
            }
        }
    }

    /// One position, all layers; the last row is the final one.
    private func cells(
        _ work: LensMemory, rows: Int, target: TokenID?, top: Int
    ) throws(Problem) -> [LensCell] {
        let vocabulary = model.configuration.vocabularySize
        try model.readout.logits(
            of: work.residual.pointer, rows: rows, normed: work.normed.pointer, into: work.logits.pointer,
            pool: model.pool)
        let read = (0..<rows).map { row in
            LogitRow(
                work.logits.pointer + row * vocabulary, count: vocabulary,
                scratch: work.scratch.pointer + row * vocabulary)
        }
        return read.map { row in
            LensCell(
                top: row.top(top).map { LensToken($0, logProbability: row.logProbability($0)) },
                chosen: target.map { LensToken($0, logProbability: row.logProbability($0)) },
                rank: target.map { row.rank(of: $0) }, divergence: read[rows - 1].divergence(from: row),
                entropy: row.entropy)
        }
    }
}
