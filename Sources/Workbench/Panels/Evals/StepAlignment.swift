internal import LanguageModels
internal import Traces

/// The aligned steps of two samples: corresponding steps share a row, in order, and a step of only one sample
/// leaves a gap on the other side.
///
/// Steps correspond where kind and name are the same; calls of models always do, for two runs mostly differ in that.
/// The longest common subsequence is taken. O(n · m) for up to `SampleSteps.most` steps each.
package struct StepAlignment: Sendable {
    package struct Row: Hashable, Sendable {
        package var left: Int?
        package var right: Int?
        /// Both did the same and got the same.
        package var isSame: Bool
    }

    package private(set) var rows: [Row] = []

    /// First row that differs; `nil` if no row does.
    package var firstDifference: Int? { rows.firstIndex { !$0.isSame } }

    init() {}

    package init(_ left: [SampleSteps.Step], _ right: [SampleSteps.Step]) {
        let (a, b) = (left.map(Key.init), right.map(Key.init))
        // lengths[i][j]: of the longest common subsequence of what follows place i and place j.
        let width = b.count + 1
        var lengths = [Int32](repeating: 0, count: (a.count + 1) * width)
        for i in a.indices.reversed() {
            for j in b.indices.reversed() {
                lengths[i * width + j] =
                    a[i] == b[j]
                    ? lengths[(i + 1) * width + j + 1] + 1
                    : max(lengths[(i + 1) * width + j], lengths[i * width + j + 1])
            }
        }
        var (i, j) = (0, 0)
        while i < a.count || j < b.count {
            if i < a.count, j < b.count, a[i] == b[j] {
                rows.append(Row(left: i, right: j, isSame: left[i].isLike(right[j])))
                (i, j) = (i + 1, j + 1)
            } else if i < a.count, j == b.count || lengths[(i + 1) * width + j] >= lengths[i * width + j + 1] {
                rows.append(Row(left: i, right: nil, isSame: false))
                i += 1
            } else {
                rows.append(Row(left: nil, right: j, isSame: false))
                j += 1
            }
        }
    }

    private struct Key: Hashable {
        var kind: SpanKind
        var name: String

        init(_ step: SampleSteps.Step) {
            kind = step.kind
            name = step.kind == .model ? "" : step.name
        }
    }

    /// Returns the next or previous row that differs, wrapping around.
    package func difference(from row: Int, forward: Bool) -> Int? {
        guard !rows.isEmpty else { return nil }
        for step in 1...rows.count {
            let place = (row + (forward ? step : -step) + 2 * rows.count) % rows.count
            if !rows[place].isSame { return place }
        }
        return nil
    }
}
