/// What came of a reading, file by file.
public struct ExtractionReport: Sendable {
    /// A file or folder, or a record of one, that was not read.
    public struct Skipped: Equatable, Sendable {
        public var path: String
        /// Line of the record; `nil` if the whole file was skipped.
        public var line: Int?
        /// What it is and why: a sentence's end, as in "is binary".
        public var reason: String

        public var sentence: String { "\(path)\(line.map { ", line \($0)" } ?? ""): \(reason)." }
    }

    /// A file that was read.
    public struct Read: Equatable, Sendable {
        public var path: String
        public var kind: SourceKind
        public var documents: Int
        public var bytes: Int
        /// What to know of it, as sentences: another encoding, damaged bytes, quotes that never close.
        public var notes: [String]
    }

    public var read: [Read] = []
    /// The first 10,000.
    public var skipped: [Skipped] = []
    public var skippedCount = 0
    public var documents: Int { read.reduce(0) { $0 + $1.documents } }
    public var bytes: Int { read.reduce(0) { $0 + $1.bytes } }
    /// The receiver wanted no more.
    public var wasEnded = false

    public init() {}

    mutating func skip(_ path: String, line: Int? = nil, _ reason: String) {
        skippedCount += 1
        if skipped.count < 10_000 { skipped.append(Skipped(path: path, line: line, reason: reason)) }
    }
}
