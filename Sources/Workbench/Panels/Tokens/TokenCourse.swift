internal import Console
internal import Formatting
internal import Foundation
internal import LanguageModels
internal import ModelLab

/// One figure for every token of a generation as columns, in the order of the text. Surprising, undecided, and slow
/// positions stand out.
struct TokenCourse {
    /// One value per token; `nil` if not reported.
    var values: [Double?]
    /// The color of a token in the text.
    var roles: [Console.Role]
    /// The figure of the columns, with its unit.
    var title: String
    /// The token under the cursor.
    var cursor: Int?

    /// Creates the columns of an answer; `nil` if no value was reported.
    init?(_ answer: Generation, coloring: TokenColoring, cursor: Int?) {
        let medianSeconds = answer.medianSeconds
        let figure: (TokenStep) -> Double?
        switch coloring {
        case .probability, .origin, .none:
            title = "surprise, bits"
            figure = { $0.logProbability.map { -$0 / log(2) } }
        case .entropy:
            title = "entropy, nats"
            figure = \.entropy
        case .time:
            title = "time, ms"
            figure = { $0.seconds.map { $0 * 1_000 } }
        }
        let isColored = coloring == .entropy || coloring == .time
        values = answer.steps.map { step in figure(step).flatMap { $0.isFinite ? max(0, $0) : nil } }
        roles = answer.steps.map { step in
            let role = (isColored ? coloring : .probability).role(of: step, medianSeconds: medianSeconds)
            // Expected tokens have the color of text, which is too bright for columns.
            return role == .text ? .series1 : role ?? .series1
        }
        self.cursor = cursor
        guard values.contains(where: { $0 != nil }) else { return nil }
    }

    /// Minimum number of rows: a title, two rows of columns, and an axis.
    static let leastRows = 5

    /// Returns the edges of the columns. Wide columns have equal widths; narrow ones are stretched to the available
    /// width.
    private func edges(in area: Rect) -> [Int] {
        let shown = max(1, min(values.count, area.columns))
        let room = min(area.columns, 6 * shown)
        let each = room / shown
        return (0...shown).map { each >= 3 ? $0 * each : $0 * room / shown }
    }

    /// Returns the token whose column contains a point.
    func step(at point: Point, in area: Rect) -> Int? {
        guard area.contains(point), !values.isEmpty else { return nil }
        let edges = edges(in: area)
        let offset = point.column - area.column
        guard let place = edges.firstIndex(where: { $0 > offset }) else { return nil }
        return (place - 1) * values.count / (edges.count - 1)
    }

    func draw(into surface: inout Surface, in area: Rect, theme: Theme) {
        guard area.rows >= Self.leastRows, area.columns >= 10 else { return }
        var plot = area
        let head = plot.takeTop(1)
        let axis = plot.takeBottom(1)
        let most = values.reduce(0) { max($0, $1 ?? 0) }
        let greatest = "to \(Format.compact(most))"
        let used = surface.put(title, at: head.origin, style: theme[.dim], width: head.columns)
        surface.put(
            greatest, at: Point(column: head.column + used + 2, row: head.row), style: theme[.faint],
            width: max(0, head.columns - used - 2))
        let edges = edges(in: plot)
        let shown = edges.count - 1
        let glyphs = theme.glyphs.columns
        for place in 0..<shown {
            let range = place * values.count / shown..<(place + 1) * values.count / shown
            // Tokens that share a column show their maximum.
            guard let token = range.max(by: { (values[$0] ?? -1) < (values[$1] ?? -1) }), let value = values[token],
                most > 0
            else { continue }
            let isCursor = cursor.map(range.contains) ?? false
            let levels = max(1, Int((value / most * Double(plot.rows * glyphs.count)).rounded()))
            let width = edges[place + 1] - edges[place]
            // Wide columns have a gap, so they can be counted.
            let cells = width > 2 ? width - 1 : width
            for row in 0..<plot.rows where levels > row * glyphs.count {
                let glyph = glyphs[min(glyphs.count, levels - row * glyphs.count) - 1]
                surface.fill(
                    Rect(column: plot.column + edges[place], row: plot.endRow - 1 - row, columns: cells, rows: 1),
                    with: glyph,
                    style: theme[isCursor ? .accent : roles[token]])
            }
        }
        drawAxis(into: &surface, in: axis, edges: edges, theme: theme)
    }

    /// Draws the numbers of the first and last tokens and of the token under the cursor.
    private func drawAxis(into surface: inout Surface, in axis: Rect, edges: [Int], theme: Theme) {
        var taken: [Range<Int>] = []
        func put(_ token: Int, _ role: Console.Role) {
            let label = "\(token + 1)"
            let place = token * (edges.count - 1) / max(1, values.count)
            let start = min(axis.column + edges[place], axis.endColumn - label.count)
            let range = start..<start + label.count
            guard start >= axis.column,
                !taken.contains(where: { range.lowerBound <= $0.upperBound && $0.lowerBound <= range.upperBound })
            else { return }
            taken.append(range)
            surface.put(label, at: Point(column: start, row: axis.row), style: theme[role])
        }
        if let cursor { put(cursor, .accent) }
        put(0, .faint)
        put(values.count - 1, .faint)
        for token in stride(from: 9, to: values.count, by: 10) { put(token, .faint) }
    }
}
