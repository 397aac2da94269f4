internal import JSON
internal import Tensors

/// The selection of rows as examples before a question.
struct FewShotExamples {
    let rows: [DataRow]
    let count: Int
    let isRandom: Bool
    let seed: UInt64
    /// Whether the rows are the task's own, so that a sample could be its own example.
    let areOwn: Bool

    /// Returns the examples of the row at an index, without the row itself. O(count).
    func examples(for place: Int) -> [DataRow] {
        guard count > 0 else { return [] }
        let free = rows.count - (areOwn && rows.indices.contains(place) ? 1 : 0)
        let wanted = min(count, max(0, free))
        guard isRandom else {
            return rows.indices.lazy.filter { !areOwn || $0 != place }.prefix(wanted).map { rows[$0] }
        }
        var random = PhiloxGenerator(seed: seed, stream: UInt32(truncatingIfNeeded: place))
        // First steps of a Fisher-Yates shuffle over the available indices, stored as moves.
        var moved: [Int: Int] = [:]
        return (0..<wanted).map { step in
            let other = Int.random(in: step..<free, using: &random)
            let chosen = moved[other] ?? other
            moved[other] = moved[step] ?? step
            return rows[areOwn && chosen >= place ? chosen + 1 : chosen]
        }
    }
}
