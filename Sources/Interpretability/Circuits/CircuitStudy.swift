internal import Glibc
internal import Inference
internal import Models
internal import Tensors
internal import Tokenizers

/// A question with its prompts and answers as tokens, and the study that computes the cells of the map.
package struct CircuitStudy {
    private enum Method {
        case patching(ActivationPatching<Float>)
        case attribution(AttributionPatching<Float>)
        case ablation(AblationStudy<Float>)
    }

    private let question: CircuitQuestion
    private let hooked: () throws -> HookedTransformer<Float>
    private let model: InspectedModel
    private let runtime: RuntimeModel
    private let method: Method
    private let clean: [TokenID]
    private let corrupt: [TokenID]
    private let right: TokenID
    private let wrong: TokenID

    /// Creates the study of a question. Without named answers, it uses the model's answers; for one prompt, its two best.
    ///
    /// - Parameter hooked: Opens the implementation with gradients and single heads, which only some questions need.
    /// - Throws: `Problem` if an answer is not one token or the prompts do not form a pair.
    package init(
        _ question: CircuitQuestion, _ model: InspectedModel, hooked: @escaping () throws -> HookedTransformer<Float>
    ) throws {
        (self.question, self.model, self.hooked) = (question, model, hooked)
        runtime = try RuntimeModel(model.checkpoint, model.transformer)
        clean = model.tokens(of: question.clean)
        let second = question.corrupt.isEmpty ? [] : model.tokens(of: question.corrupt)
        corrupt = question.method == .ablation ? [] : second
        let logits = try runtime.lastLogits(clean)
        right = question.answer.isEmpty ? Self.best(logits) : try TypedToken.one(question.answer, in: model.tokenizer)
        if question.wrong.isEmpty {
            // The answers are the same for all methods.
            let other = second.isEmpty ? right : Self.best(try runtime.lastLogits(second))
            wrong = other == right ? Self.best(logits, besides: right) : other
        } else {
            wrong = try TypedToken.one(question.wrong, in: model.tokenizer)
        }
        let metric = PatchMetric.logitDifference(correct: right, wrong: wrong)
        method =
            switch question.method {
            case .patching:
                .patching(try ActivationPatching(runtime, clean: clean, corrupt: corrupt, metric: metric))
            case .attribution:
                .attribution(
                    try AttributionPatching(try hooked(), clean: clean, corrupt: corrupt, metric: metric))
            case .ablation: .ablation(try AblationStudy(runtime, clean, metric: metric, kind: .zero))
            }
    }

    private func text(_ token: TokenID) -> String { model.tokenizer.text(of: token) }

    private static func best(_ logits: [Float], besides other: TokenID? = nil) -> TokenID {
        let best = logits.indices.filter { $0 != other.map(Int.init) }.max { logits[$0] < logits[$1] }
        return TokenID(best ?? 0)
    }

    private var metric: PatchMetric { .logitDifference(correct: right, wrong: wrong) }

    // MARK: The map

    /// Returns the empty map, and the attribution of the logit difference to the parts of the model.
    package func reading() throws -> CircuitReading {
        CircuitReading(
            question: question, map: try map(progress: { _ in }, isCancelled: { true }), tokens: clean.map(text),
            metric: metric.sentence(text), answers: (text(right), text(wrong)),
            sum: try attribution())
    }

    /// Computes the map, which is incomplete if it was canceled.
    package func map(progress: (PatchProgress) -> Void, isCancelled: () -> Bool) throws -> PatchMap {
        switch method {
        case .patching(let patching):
            try patching.map(question.site, question.axes, progress: progress, isCancelled: isCancelled)
        // One backward pass computes all cells.
        case .attribution(let patching): try patching.map(question.site, question.axes)
        case .ablation(let study): try study.map(progress: progress, isCancelled: isCancelled)
        }
    }

    // MARK: One cell

    /// Runs a cell and returns the metric and the most likely tokens, without and with the cell's change.
    package func cell(row: Int, column: Int) throws -> CircuitCell {
        let (base, change) = try intervention(row: row, column: column)
        let untouched = try runtime.lastLogits(base)
        let changed = try runtime.lastLogits(base, [change])
        func choices(_ logits: [Float]) -> [CircuitCell.Choice] {
            let most = Double(logits.max() ?? 0)
            let total = logits.reduce(0.0) { $0 + exp(Double($1) - most) }
            return logits.indices.sorted { logits[$0] > logits[$1] }.prefix(5).map {
                .init(text: text(TokenID($0)), probability: exp(Double(logits[$0]) - most) / total)
            }
        }
        return CircuitCell(
            row: row, column: column, base: base.map(text).joined(),
            value: Double(changed[Int(right)] - changed[Int(wrong)]), before: choices(untouched),
            after: choices(changed))
    }

    private func intervention(row: Int, column: Int) throws -> (base: [TokenID], change: Intervention<Float>) {
        let patching: ActivationPatching<Float>
        switch method {
        case .ablation(let study):
            let head = column < runtime.headCount ? column : nil
            return (clean, try study.intervention(layer: row, head: head))
        case .patching(let known): patching = known
        case .attribution:
            // An estimate is compared with a real run of the cell.
            patching = try ActivationPatching(runtime, clean: clean, corrupt: corrupt, metric: metric)
        }
        let change = try patching.intervention(question.site, question.axes, row: row, column: column)
        return (patching.pair.base, change)
    }

    // MARK: Parts

    /// Returns the logit difference at the end of the clean prompt as a sum over the parts.
    private func attribution() throws -> AttributionSum {
        let target = LogitTarget.difference(right, wrong)
        guard question.grain != .components else {
            let cache = try runtime.run(clean, keeping: .only(Set(runtime.hooks.filter(Self.isWhole))))
            return try cache.attribution(
                of: target, at: clean.count - 1, by: .components, readout: try runtime.readout(),
                weights: WritingWeights(layerCount: runtime.layerCount))
        }
        let model = try hooked()
        return try model.run(clean).attribution(
            of: target, at: clean.count - 1, by: question.grain, readout: try model.readout(),
            weights: WritingWeights(model.weights, isSandwich: model.configuration.isSandwich))
    }

    /// Returns whether a hook is as wide as the residual stream, so that a cache of it is small.
    private static func isWhole(_ hook: Hook) -> Bool {
        switch hook {
        case .embedding, .positionEmbedding, .attentionOut, .feedForwardOut, .residualPost, .finalNormScale, .logits:
            true
        default: false
        }
    }
}

extension RuntimeModel {
    /// Returns the logits after a prompt whose run is changed.
    fileprivate func lastLogits(_ tokens: [TokenID], _ changes: [Intervention<Float>] = []) throws -> [Float] {
        let logits = try run(tokens, changes, keeping: .only([.logits]))[.logits]
        return try logits[tokens.count - 1].elements
    }
}
