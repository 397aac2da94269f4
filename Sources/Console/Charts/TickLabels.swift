/// Ticks and labels of a scale in a row of cells: both ends, and as many values between them as fit.
struct TickLabels {
    struct Label: Hashable {
        var text: String
        /// Cell of the tick, counted from the row's first cell.
        var tick: Int
        /// First cell of the label, counted from the row's first cell.
        var start: Int

        /// Returns whether at least two blanks separate this label from one to its right.
        fileprivate func isClear(of next: Label) -> Bool { start + text.count + 2 <= next.start }
    }

    let labels: [Label]

    /// Creates the labels of a range.
    ///
    /// - Parameters:
    ///   - columns: Number of cells in the row.
    ///   - before: Number of cells before the row that a label may use.
    ///   - limit: Maximum number of round values to label (default: as many as fit).
    init(
        _ scale: AxisScale, _ range: ClosedRange<Double>, columns: Int, before: Int = 0, atMost limit: Int? = nil
    ) {
        func label(_ mark: Double) -> Label? {
            guard let share = scale.fraction(of: mark, in: range) else { return nil }
            let tick = Int((share * Double(max(0, columns - 1))).rounded())
            let text = AxisLabel.text(mark)
            let start = min(max(-before, tick - text.count / 2), columns - text.count)
            return start < -before ? nil : Label(text: text, tick: tick, start: start)
        }
        let candidates = stride(from: max(2, limit ?? columns / 5), through: 1, by: -1).map {
            scale.ticks(in: range, atMost: $0).compactMap(label)
        }
        guard let first = label(range.lowerBound), let last = label(range.upperBound), first.isClear(of: last),
            first.text != last.text
        else {
            labels = candidates.first(where: Self.areClear) ?? []
            return
        }
        // Evenly spaced labels from end to end are easiest to read.
        let even = candidates.first { $0.first == first && $0.last == last && Self.areClear($0) }
        labels =
            even ?? candidates.lazy.map { Self.ended($0, first, last, scale) }.first(where: Self.areClear)
            ?? [first, last]
    }

    private static func areClear(_ labels: [Label]) -> Bool {
        zip(labels, labels.dropFirst()).allSatisfy { $0.isClear(of: $1) }
    }

    /// Adds the ends of a scale to the labels.
    ///
    /// On a linear scale, an end replaces the labels that it would touch. On a logarithmic scale, decades take
    /// precedence.
    private static func ended(_ marks: [Label], _ first: Label, _ last: Label, _ scale: AxisScale) -> [Label] {
        guard scale == .logarithmic else {
            return [first] + marks.filter { first.isClear(of: $0) && $0.isClear(of: last) } + [last]
        }
        var ended = marks
        if ended.first.map({ first.isClear(of: $0) }) ?? true { ended.insert(first, at: 0) }
        if ended.last.map({ $0.isClear(of: last) }) ?? true { ended.append(last) }
        return ended
    }
}
