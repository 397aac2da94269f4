internal import Console
internal import EvalLogs
internal import Evals
internal import Formatting
internal import Traces

/// The list of samples; only visible rows are in memory.
struct SampleTable {
    var open: OpenEval
    var list: ListView

    /// The columns. Names have the width of the widest one, so columns stay in place while the list scrolls.
    var table: Table {
        var columns: [Table.Column] = [.init("", minimum: 1), .init("id", minimum: open.widestName)]
        if open.contrast != nil { columns.append(.init("change", minimum: 10, priority: 1)) }
        for score in open.run.scores.prefix(3) {
            columns.append(
                .init(
                    score.name, alignment: .right, minimum: max(5, min(20, DisplayWidth.of(score.name))), priority: 3)
            )
        }
        columns.append(.init("answer", minimum: 10, weight: 2, priority: 2))
        columns.append(.init("target", minimum: 8, weight: 1, priority: 4))
        return Table(columns)
    }

    func draw(into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool) {
        let hasChange = open.contrast != nil
        let scores = min(3, open.run.scores.count)
        let first = hasChange ? 3 : 2
        table.draw(list, into: &surface, in: area, theme: theme, isFocused: isFocused) { place, column in
            guard let sample = open.sample(at: place) else { return .init("") }
            let outcome = open.index.outcome(sample)
            guard let row = open.row(sample) else {
                return column == 1 ? .init("reading \(Format.count(sample + 1))", .faint) : .init("")
            }
            switch column {
            case 0: return .init(EvalFigure.sign(outcome, theme.glyphs), EvalFigure.outcome(outcome).role)
            case 1: return .init(row.epoch > 1 ? "\(row.id) ·\(row.epoch)" : row.id)
            case 2 where hasChange:
                guard let contrast = open.contrast, let pair = contrast.pair(of: sample) else {
                    return .init(EvalChange.unscored.word, .dim)
                }
                return .init(contrast.word(pair), EvalFigure.change(of: pair))
            case first..<(first + scores):
                let value = column - first < row.scores.count ? row.scores[column - first] : .nan
                guard !value.isNaN else { return .init(String(Character(theme.glyphs.nothing)), .faint) }
                let kind = open.run.scores[column - first]
                let passes = !kind.hasThreshold || kind.passes(value)
                return .init(Format.score(value), passes ? .text : .failure)
            case first + scores:
                if let problem = row.problem, row.answer.isEmpty { return .init(problem, .warning) }
                return .init(row.answer)
            default: return .init(row.target, .dim)
            }
        }
    }

    /// Returns the count in the title: `12 of 1,000`.
    static func count(_ open: OpenEval) -> String {
        let total = open.run.total ?? open.run.completed
        let known = open.index.known
        var text = open.filter.isEmpty ? Format.count(known) : "\(Format.count(open.count)) of \(Format.count(known))"
        if !open.isRead {
            text += total > known ? ", reading \(Format.count(known)) of \(Format.count(total))" : ", reading"
        }
        if let searched = open.searched { text += ", searched \(Format.count(searched))" }
        return text
    }

    /// Returns the numbers of samples by outcome.
    static func outcomes(_ index: SampleIndex) -> [FrameLabel] {
        EvalOutcomes.all.compactMap { outcome in
            let count = index.count(of: outcome)
            guard count > 0 else { return nil }
            let word = EvalFigure.outcome(outcome)
            return FrameLabel("\(Format.count(count)) \(word.word)", role: word.role)
        }
    }
}

/// Outcomes of samples in display order.
enum EvalOutcomes {
    static let all: [EvalRow.Outcome] = [.failed, .error, .unscored, .scored, .passed]
}
