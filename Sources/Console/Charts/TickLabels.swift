/// The ticks of a scale along a row of cells: both ends, and between them as many as have room for their labels.
struct TickLabels {
    struct Label: Hashable {
        var text: String
        /// The cell of the tick, and the first one of its label, from the row's first cell.
        var tick: Int
        var start: Int

        /// Whether two blanks at least stand between this label and one to its right.
        fileprivate func isClear(of next: Label) -> Bool { start + text.count + 2 <= next.start }
    }

    let labels: [Label]

    /// - Parameters:
    ///   - columns: cells of the row.
    ///   - before: cells before the row that a label may reach into.
    ///   - most: ticks between the ends at most; nil takes as many as have room.
    init(
        _ scale: AxisScale, _ range: ClosedRange<Double>, columns: Int, before: Int = 0, atMost most: Int? = nil
    ) {
        func label(_ mark: Double) -> Label? {
            guard let share = scale.fraction(of: mark, in: range) else { return nil }
            let tick = Int((share * Double(max(0, columns - 1))).rounded())
            let text = AxisLabel.text(mark)
            let start = min(max(-before, tick - text.count / 2), columns - text.count)
            return start < -before ? nil : Label(text: text, tick: tick, start: start)
        }
        let candidates = stride(from: max(2, most ?? columns / 5), through: 1, by: -1).map {
            scale.ticks(in: range, atMost: $0).compactMap(label)
        }
        guard let first = label(range.lowerBound), let last = label(range.upperBound), first.isClear(of: last),
            first.text != last.text
        else {
            labels = candidates.first(where: Self.areClear) ?? []
            return
        }
        // Even distances from end to end read best.
        let even = candidates.first { $0.first == first && $0.last == last && Self.areClear($0) }
        labels =
            even ?? candidates.lazy.map { Self.ended($0, first, last, scale) }.first(where: Self.areClear)
            ?? [first, last]
    }

    private static func areClear(_ labels: [Label]) -> Bool {
        zip(labels, labels.dropFirst()).allSatisfy { $0.isClear(of: $1) }
    }

    /// Marks with the ends of their scale: on a linear one an end displaces the marks that its label touches; decades say
    /// more than an end beside them and stay.
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
