internal import Console
internal import EvalLogs
internal import Evals

/// What the panes say that hold a text.
extension EvalPanel {
    /// - Parameter keeping: The text has grown rather than changed: the reader stays where they are.
    mutating func showText(keeping: Bool = false) -> [Effect<EvalAnswer>] {
        let sections: [TextSection]
        switch page {
        case .runs:
            sections =
                runs.selected.map {
                    EvalRunReading(entry: $0, open: open?.id == $0.id ? open : nil).sections(about)
                } ?? (runs.entries.isEmpty ? [] : [TextSection(StyledLine(Self.noSuchRun, .dim))])
        case .samples, .queue:
            let isBlind = page == .queue && queue.entry?.own?.verdict.passes == nil
            let shown = page == .samples || isSampleShown ? sample : nil
            let reading = shown.map { SampleReading(sample: $0, scores: open?.run.scores ?? []) }
            sections = (isBlind ? reading?.blindSections : reading?.sections) ?? []
        case .diff, .sides, .failures, .matrix: return []
        }
        guard !keeping || sections.map(\.text) != text.sections.map(\.text) else { return [] }
        let (wasAtTop, top) = (text.isAtTop, text.top)
        text.show(sections)
        if keeping, !wasAtTop { text.scroll(to: top) }
        return advanceText()
    }

    mutating func showPair() -> [Effect<EvalAnswer>] {
        func sections(_ sample: EvalSampleRecord?, _ entry: EvalRunEntry?) -> [TextSection] {
            guard let sample else { return [TextSection(StyledLine("the sample is not in this run", .dim))] }
            return SampleReading(sample: sample, scores: entry?.run.scores ?? []).briefSections
        }
        diff.before.show(sections(diff.beforeSample, diff.base))
        diff.after.show(sections(diff.afterSample, diff.new))
        return advanceText()
    }

    mutating func advanceText() -> [Effect<EvalAnswer>] {
        var isMore = text.advance()
        if page == .diff {
            isMore = diff.before.advance() || isMore
            isMore = diff.after.advance() || isMore
        }
        if page == .sides {
            isMore = sides.before.advance() || isMore
            isMore = sides.after.advance() || isMore
        }
        if page == .failures { isMore = failures.text.advance() || isMore }
        return isMore ? [.wait(key: "text", for: .zero, then: .advanceText)] : []
    }
}
