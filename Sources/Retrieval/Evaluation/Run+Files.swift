public import System

extension Run {
    /// Reads a run in TREC's form: `query Q0 document rank score tag` between blanks. Ranks are not believed: scores
    /// say the order.
    ///
    /// - Parameter place: The file's name, for errors.
    public init(parsing bytes: [UInt8], _ place: String = "run") throws(Problem) {
        self.init()
        var lines = LineFields(bytes, place)
        var query = ""
        var found: [(String, Double)] = []
        while let line = lines.next() {
            let fields = LineFields.words(line)
            guard fields.count == 6 || fields.count == 5 else {
                throw lines.failure(
                    "found \(fields.count) fields", "Use query, Q0, document, rank, score, and tag.")
            }
            guard let score = Double(LineFields.text(fields[4])), !score.isNaN else {
                throw lines.failure("\(LineFields.shown(fields[4])) is not a score", "Scores are numbers.")
            }
            let name = LineFields.text(fields[0])
            if name != query, !found.isEmpty {
                rank(found, for: query)
                found.removeAll(keepingCapacity: true)
            }
            query = name
            found.append((LineFields.text(fields[2]), score))
            if fields.count == 6 { tag = LineFields.text(fields[5]) }
        }
        if !found.isEmpty { rank(found, for: query) }
    }

    /// Returns the text of the run in TREC's form, hits best first.
    ///
    /// - Throws: For names with blanks in them, which the form cannot hold.
    public func text() throws(Problem) -> String {
        var text = ""
        try Judgments.Format.trec.check(tag)
        for query in queries {
            try Judgments.Format.trec.check(query)
            let found = self[query]
            let order = found.indices.sorted {
                found[$0].score != found[$1].score ? found[$0].score > found[$1].score : $0 < $1
            }
            for (rank, index) in order.enumerated() {
                try Judgments.Format.trec.check(found[index].document)
                text += "\(query) Q0 \(found[index].document) \(rank + 1) \(found[index].score) \(tag)\n"
            }
        }
        return text
    }
}
