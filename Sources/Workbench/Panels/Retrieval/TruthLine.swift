internal import Console
internal import Formatting
internal import Retrieval

extension SearchTruth {
    /// `recall@50 of dense  0.96   missed 2: manual-7 §4, exactly rank 12`.
    var line: StyledLine {
        var line = StyledLine("recall@\(k) of \(stage)  ", .dim)
        line.append(Format.fixed(recall, digits: 2), recall == 1 ? .success : recall >= 0.9 ? .warning : .failure)
        if let first = missed.first {
            line.append("   missed \(missed.count): \(first.label), exact rank \(first.rank)", .warning)
        } else {
            line.append("   nothing missed", .dim)
        }
        if seconds.isFinite { line.append("   exact in \(Format.duration(seconds: seconds))", .dim) }
        return line
    }
}
