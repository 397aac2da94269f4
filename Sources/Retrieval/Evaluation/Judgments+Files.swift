public import System

extension Judgments {
    /// Formats of judgment files.
    public enum Format: String, CaseIterable, Sendable {
        /// `query-id corpus-id score` between tabs, under a line that names them.
        case beir
        /// `query iteration document grade` between blanks.
        case trec
    }

    /// Reads judgments; three fields between tabs are BEIR's form, four fields TREC's.
    ///
    /// - Parameter place: The file's name, for errors.
    public init(parsing bytes: [UInt8], _ place: String = "judgments") throws(Problem) {
        self.init()
        var lines = LineFields(bytes, place)
        while let line = lines.next() {
            let tabs = LineFields.tabs(line)
            let fields: [ArraySlice<UInt8>]
            if tabs.count == 3 {
                if lines.line == 1, LineFields.text(tabs[0]) == "query-id" { continue }
                fields = tabs
            } else {
                let words = LineFields.words(line)
                guard words.count == 4 else {
                    throw lines.failure(
                        "found \(words.count) fields",
                        "Use query, document, and grade, separated by tabs, or query, iteration, document, and grade.")
                }
                fields = [words[0], words[2], words[3]]
            }
            guard let grade = Int32(LineFields.text(fields[2])) else {
                throw lines.failure("\(LineFields.shown(fields[2])) is not a grade", "Grades are whole numbers.")
            }
            judge(LineFields.text(fields[1]), for: LineFields.text(fields[0]), grade: Int(grade))
        }
    }

    /// Returns the text of a file of judgments: queries in their order, a query's documents by name.
    ///
    /// - Throws: For names that the form cannot hold, as those with blanks in TREC's.
    public func text(_ format: Format) throws(Problem) -> String {
        var text = format == .beir ? "query-id\tcorpus-id\tscore\n" : ""
        for query in queries {
            for (document, grade) in self[query].sorted(by: { $0.key < $1.key }) {
                try format.check(query)
                try format.check(document)
                text +=
                    format == .beir
                    ? "\(query)\t\(document)\t\(grade)\n" : "\(query) 0 \(document) \(grade)\n"
            }
        }
        return text
    }
}

extension Judgments.Format {
    /// Names must come back as they were.
    func check(_ name: String) throws(Problem) {
        let forbidden: Set<Unicode.Scalar> = self == .beir ? ["\t", "\n", "\r"] : ["\t", "\n", "\r", " "]
        guard !name.isEmpty, !name.unicodeScalars.contains(where: forbidden.contains) else {
            throw Problem(
                .invalid, LineFields.shown(ArraySlice(name.utf8)),
                "the name cannot be written in the \(rawValue.uppercased()) format",
                remedy: "Use names without spaces or tabs.")
        }
    }
}
