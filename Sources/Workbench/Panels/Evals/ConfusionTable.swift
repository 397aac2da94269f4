internal import Console
internal import Formatting

/// Counts of answers by target, a shade the darker the more there are.
///
/// Where there is room for all, every label has a row and a column. Where there is not, the first column is what was right,
/// the most frequent wrong answers follow, and the rest is one column; rows with the most wrong answers come first.
package struct ConfusionTable {
    var labels: [String]
    /// `[target, answer]`
    var counts: [Int]

    package init(labels: [String], counts: [Int]) {
        self.labels = labels
        self.counts = counts
    }

    package struct Column: Hashable {
        package var title: String
        var what: What

        enum What: Hashable {
            case answer(Int)
            case right
            /// These answers where they were wrong.
            case wrong([Int])
        }
    }

    private func count(_ target: Int, _ answer: Int) -> Int { counts[target * labels.count + answer] }

    package func count(_ target: Int, _ column: Column) -> Int {
        switch column.what {
        case .answer(let answer): count(target, answer)
        case .right: count(target, target)
        case .wrong(let answers): answers.reduce(0) { $0 + ($1 == target ? 0 : count(target, $1)) }
        }
    }

    private func sum(_ target: Int) -> Int { labels.indices.reduce(0) { $0 + count(target, $1) } }

    /// - Parameter room: Number of columns that fit next to the sum.
    package func columns(room: Int) -> [Column] {
        guard labels.count > room else { return labels.indices.map { Column(title: labels[$0], what: .answer($0)) } }
        guard room > 0 else { return [] }
        let wrong = labels.indices.map { answer in
            labels.indices.reduce(0) { $0 + ($1 == answer ? 0 : count($1, answer)) }
        }
        let order = labels.indices.filter { wrong[$0] > 0 }.sorted { (-wrong[$0], $0) < (-wrong[$1], $1) }
        // What is left needs a column unless it is one answer, which is that column.
        let own = order.count <= room - 1 ? order.count : max(0, room - 2)
        let rest = Array(order.dropFirst(own))
        return [Column(title: "right", what: .right)]
            + order.prefix(own).map { Column(title: labels[$0], what: .wrong([$0])) }
            + (rest.isEmpty || room < 2 ? [] : [Column(title: "other \(rest.count)", what: .wrong(rest))])
    }

    /// What was never right has no row of its own.
    package func targets(_ columns: [Column]) -> [Int] {
        let targets = labels.indices.filter { sum($0) > 0 }
        guard columns.contains(where: { $0.what == .right }) else { return targets }
        return targets.sorted { one, other in
            let wrong = (sum(one) - count(one, one), sum(other) - count(other, other))
            return (-wrong.0, -sum(one), one) < (-wrong.1, -sum(other), other)
        }
    }

    func draw(into surface: inout Surface, in area: Rect, theme: Theme) {
        var rest = area
        let foot = rest.takeBottom(1)
        let head = rest.takeTop(1)
        let names = min(area.columns / 4, labels.map { DisplayWidth.of($0) }.max() ?? 4) + 2
        let free = max(0, area.columns - names - 8)
        let fitting = max(6, min(12, free / max(1, labels.count)))
        let columns = columns(room: free / (labels.count * 6 <= free ? fitting : 10))
        let width = columns.count == labels.count ? fitting : 10
        let targets = targets(columns)
        let rows = min(targets.count, rest.rows)
        let all = Column(title: "all", what: .right)
        let palette = HeatPalette(theme)
        let most = targets.flatMap { target in columns.map { count(target, $0) } }.max() ?? 1
        let scale = HeatScale.sequential(max: Float(most))
        for (place, column) in (columns + [all]).enumerated() {
            surface.put(
                column.title, at: Point(column: area.column + names + place * width, row: head.row),
                style: theme[.columnHeader], width: place == columns.count ? 7 : width - 1, aligned: .right)
        }
        for (row, target) in targets.prefix(rows).enumerated() {
            let line = rest.row + row
            surface.put(
                labels[target], at: Point(column: area.column, row: line), style: theme[.text], width: names - 1)
            for (place, column) in columns.enumerated() {
                let value = count(target, column)
                let style =
                    value == 0 ? theme[.faint] : palette.textStyle(of: Float(value), on: scale, theme: theme)
                surface.put(
                    value == 0 ? String(Character(theme.glyphs.nothing)) : Format.compact(value),
                    at: Point(column: area.column + names + place * width, row: line), style: style, width: width - 1,
                    aligned: .right)
            }
            surface.put(
                Format.compact(sum(target)),
                at: Point(column: area.column + names + columns.count * width, row: line), style: theme[.dim],
                width: 7, aligned: .right)
        }
        let isCut = columns.first?.what == .right
        var note = "rows: target; columns: " + (isCut ? "right, then wrong answers" : "answers")
        if rows < targets.count { note += "; \(targets.count - rows) more targets" }
        surface.put(note, at: foot.origin, style: theme[.dim], width: foot.columns)
    }
}
