internal import Console
internal import Formatting
internal import Retrieval

/// A comparison of two pipelines on a question set.
struct PipelineContrast: Sendable {
    var before: PipelineChoice
    var after: PipelineChoice
    var comparison: QuerySetComparison

    /// `nDCG@10  A 0.412  B 0.475   +0.063 [0.045, 0.082]`.
    var line: StyledLine {
        var line = StyledLine("\(comparison.measure.name)  ", .dim)
        line.append("A ", .dim)
        line.append(Format.fixed(comparison.meanBefore, digits: 3), .number)
        line.append("  B ", .dim)
        line.append(Format.fixed(comparison.meanAfter, digits: 3), .number)
        line.append("   B − A \(comparison.summary)", comparison.isClear ? .strong : .text)
        line.append(comparison.isClear ? "" : "  not clear", .warning)
        return line
    }

    /// Returns two runs of a question as one record, with the ranking and the context of each side by side.
    static func joined(_ before: RetrievalRecord, _ after: RetrievalRecord) -> RetrievalRecord {
        var joined = RetrievalRecord(query: before.query, origin: after.origin, notes: after.notes)
        var places: [Passage: Int] = [:]
        func add(_ record: RetrievalRecord, _ letter: String, reversed: Bool) {
            let ranking = record.stages.last { $0.kind != .context }
            let context = record.stages.last { $0.kind == .context }
            let stages = [context, ranking].compactMap(\.self)
            for stage in reversed ? stages.reversed() : stages {
                var copy = stage
                copy.name = "\(letter)  \(stage.name)"
                copy.inputs = joined.stages.last.map { [$0.name] } ?? []
                copy.entries = stage.entries.map { entry in
                    var moved = entry
                    moved.passage = place(record[entry.passage])
                    if case .dropped(.duplicate(let other)) = entry.verdict {
                        moved.verdict = .dropped(.duplicate(of: place(record[other])))
                    }
                    return moved
                }
                joined.stages.append(copy)
            }
        }
        func place(_ passage: Passage) -> PassageID {
            if let known = places[passage] { return PassageID(known) }
            places[passage] = joined.passages.count
            joined.passages.append(passage)
            return PassageID(joined.passages.count - 1)
        }
        add(before, "A", reversed: false)
        add(after, "B", reversed: true)
        return joined
    }
}

/// A question for both pipelines of a comparison.
struct ContrastQuestion: Equatable, Sendable {
    var text: String
    var before: PipelineChoice
    var after: PipelineChoice
    var corpus: Corpus
}
