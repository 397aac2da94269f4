/// The result of reading files.
public struct ExtractionReport: Sendable {
    /// A file or folder, or a record of one, that was not read.
    public struct Skipped: Equatable, Sendable {
        public var path: String
        /// Line of the record; `nil` if the whole file was skipped.
        public var line: Int?
        /// Reason for skipping, without a period, such as "binary file".
        public var reason: String

        public var sentence: String { "\(path)\(line.map { ", line \($0)" } ?? ""): \(reason)." }
    }

    /// A file that was read.
    public struct Read: Equatable, Sendable {
        public var path: String
        public var kind: SourceKind
        public var documents: Int
        public var bytes: Int
        /// Notes as sentences: another encoding, damaged bytes, unclosed quotes.
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
