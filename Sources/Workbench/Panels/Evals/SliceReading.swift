internal import Console
internal import EvalLogs
internal import Evals
internal import Formatting
internal import Statistics

/// The slices of a run as text: number of samples, mean, and interval.
enum SliceReading {
    static let kinds = "95 %: Wilson for shares, Student's t for other means, clustered if samples are related"

    static func word(_ slice: EvalSlices.Slice) -> String { slice.value.isEmpty ? "(none)" : slice.value }

    /// Returns the reason why there are no slices.
    static func waiting(_ open: OpenEval) -> String {
        if open.run.slices.isEmpty { return "the samples have no properties to group by" }
        return open.isRead ? RowSummary.tooMany : "slices appear once all samples are read"
    }

    static func sections(of open: OpenEval) -> [TextSection] {
        guard !open.slices.isEmpty else { return [TextSection(StyledLine(waiting(open), .dim))] }
        let score = open.run.scores.first?.name ?? "score"
        let widest = open.slices.flatMap(\.slices).map { DisplayWidth.of(word($0)) }.max() ?? 8
        let width = min(24, max(8, widest))
        var sections: [TextSection] = []
        for by in open.slices {
            var head = StyledLine(by.name.truncated(toColumns: width).padding(to: width), .heading)
            head.append("       n  " + score.truncated(toColumns: 8).padding(leftTo: 8) + "  interval", .dim)
            sections.append(TextSection(head))
            sections += by.slices.prefix(500).map { line($0, width: width) }
            if by.slices.count > 500 { sections.append(TextSection(StyledLine("… \(by.slices.count) values", .dim))) }
            sections.append(TextSection(""))
        }
        return sections + [TextSection(StyledLine(kinds, .dim))]
    }

    private static func line(_ slice: EvalSlices.Slice, width: Int) -> TextSection {
        var line = StyledLine(word(slice).truncated(toColumns: width).padding(to: width))
        line.append(Format.count(slice.count).padding(leftTo: 8), .dim)
        line.append("  " + (slice.mean.map(Format.metric) ?? "–").padding(leftTo: 8), .strong)
        line.append("  " + (Format.interval(slice.interval?.lower, slice.interval?.upper) ?? "too few"), .dim)
        if slice.unscored > 0 { line.append("  +\(Format.count(slice.unscored)) unscored", .warning) }
        return TextSection(line)
    }
}
