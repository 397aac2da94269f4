internal import Console
package import Evals
internal import Statistics
internal import Traces

extension EvalContrast {
    /// What `EvalDiff` found, in the form in which the panel goes through it.
    package init(_ join: EvalJoin, _ diff: EvalDiff) {
        let pairs = diff.pairs.map { pair in
            Pair(
                base: Int32(clamping: pair.rowA), new: Int32(clamping: pair.rowB), change: Change(pair.change),
                before: Float(pair.valueA), after: Float(pair.valueB), gain: Float(pair.gain), id: pair.id,
                input: pair.input, word: Self.word(of: pair, diff.measure))
        }
        self.init(
            pairs: pairs, onlyBase: join.onlyA.count, onlyNew: join.onlyB.count,
            unscored: diff.unscoredA + diff.unscoredB, score: diff.measure.name, sentence: diff.sentence,
            notes: Self.notes(diff, repeated: join.repeated))
    }

    /// The panel's own words where nothing changed.
    private static func word(of pair: EvalPair, _ measure: EvalMeasure) -> String? {
        switch pair.change {
        case .bothPass, .bothFail: pair.gain == 0 ? nil : pair.word(measure)
        case .unscored: nil
        case .broken, .fixed, .worse, .better, .same, .lost: pair.word(measure)
        }
    }

    private static func notes(_ diff: EvalDiff, repeated: Int) -> [String] {
        guard let total = diff.total, let means = diff.means("before", "after") else { return [] }
        var tests: [String] = []
        if let effect = total.effectSize { tests.append("d_z \(EvalFigure.value(effect))") }
        if let power = total.power { tests.append("power \(EvalFigure.percent(power))") }
        if repeated > 0 { tests.append("\(Format.count(repeated)) repeated samples: only the first of each counts") }
        return tests.isEmpty ? [means] : [means + ", " + tests.joined(separator: ", ")]
    }
}

extension EvalContrast.Change {
    fileprivate init(_ change: EvalChange) {
        self =
            switch change {
            case .broken: .broken
            case .fixed: .fixed
            case .bothPass: .both
            case .bothFail: .neither
            case .worse: .worse
            case .better: .better
            case .same: .same
            case .lost: .lost
            case .unscored: .unpaired
            }
    }
}
