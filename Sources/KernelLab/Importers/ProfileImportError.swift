/// Why a profile could not be read.
public struct ProfileImportError: Error, Hashable, Sendable, CustomStringConvertible {
    public var path: String
    /// The line, from 1, where the file has lines.
    public var line: Int?
    /// Bytes from the start, where there is a place but no line.
    public var offset: Int?
    public var problem: String
    public var remedy: String

    public init(path: String, line: Int? = nil, offset: Int? = nil, problem: String, remedy: String) {
        self.path = path
        self.line = line
        self.offset = offset
        self.problem = problem
        self.remedy = remedy
    }

    /// What happened, where, and what to do.
    public var sentence: String {
        var place = path
        if let line { place += ", line \(line)" } else if let offset { place += ", byte \(offset)" }
        return "\(place): \(problem). \(remedy)"
    }

    public var description: String { sentence }
}
