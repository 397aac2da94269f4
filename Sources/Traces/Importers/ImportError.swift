/// Why a source could not be read.
public struct ImportError: Error, Hashable, Sendable {
    public var path: String
    /// Bytes from the start, if the place is known.
    public var offset: Int?
    /// Line, from 1, if the source has lines.
    public var line: Int?
    public var problem: String
    public var remedy: String
    /// Whether the import was canceled, so nothing is wrong with the source.
    public var isCancellation: Bool

    public init(
        path: String, offset: Int? = nil, line: Int? = nil, problem: String, remedy: String,
        isCancellation: Bool = false
    ) {
        self.path = path
        self.offset = offset
        self.line = line
        self.problem = problem
        self.remedy = remedy
        self.isCancellation = isCancellation
    }

    /// What happened, where, and what to do.
    public var sentence: String {
        var place = path == "-" ? "standard input" : path
        if let line { place += ", line \(line)" } else if let offset { place += ", byte \(offset)" }
        return "\(place): \(problem). \(remedy)"
    }
}

extension ImportError: CustomStringConvertible {
    public var description: String { sentence }
}

extension ImportError {
    /// A record that a strict reading does not skip.
    package init(rejected record: SkippedRecord, path: String) {
        self.init(
            path: path, offset: record.offset, line: record.line, problem: "the record \(record.reason)",
            remedy: "Nothing was imported. Without --strict, such records are skipped and counted.")
    }
}
