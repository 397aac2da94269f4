/// The ticks of a scale along a row of cells, as many as have room for their labels.
struct TickLabels {
    struct Label: Hashable {
        var text: String
        /// The cell of the tick, and the first one of its label, from the row's first cell.
        var tick: Int
        var start: Int
    }

    let labels: [Label]

    /// - Parameters:
    ///   - columns: cells of the row.
    ///   - before: cells before the row that a label may reach into.
    init(_ scale: AxisScale, _ range: ClosedRange<Double>, columns: Int, before: Int = 0) {
        var found: [Label] = []
        for most in stride(from: max(2, columns / 5), through: 1, by: -1) {
            found = scale.ticks(in: range, atMost: most).compactMap { mark in
                guard let share = scale.fraction(of: mark, in: range) else { return nil }
                let tick = Int((share * Double(max(0, columns - 1))).rounded())
                let text = AxisLabel.text(mark)
                let start = min(max(-before, tick - text.count / 2), columns - text.count)
                return start < -before ? nil : Label(text: text, tick: tick, start: start)
            }
            let isClear = zip(found, found.dropFirst()).allSatisfy { $0.start + $0.text.count + 2 <= $1.start }
            if isClear { break }
        }
        labels = found
    }
}
