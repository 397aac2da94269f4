public import LanguageModels

/// Gives the document that fits a query best.
public struct SearchTool: Tool {
    private let documents: [String]
    private let ranking: WordRanking

    /// Maximum number of bytes of all documents together.
    public static let maximumBytes = 64 << 20

    /// - Parameter documents: Texts of the documents; the first of equally good ones wins.
    public init(_ documents: [String] = []) {
        self.documents = documents
        ranking = WordRanking(documents)
    }

    /// Files read and left out by ``init(contentsOf:)``.
    public struct Reading: Hashable, Sendable {
        public var files = 0
        public var bytes = 0
        /// Skipped paths, each with its reason: `notes/logo.png: a binary file`.
        public var skipped: [String] = []
    }

    /// What was read from files; empty for documents given as text.
    public private(set) var reading = Reading()

    /// Documents from a file, one per line, or from a folder and its subfolders, one per file, sorted by name.
    ///
    /// - Throws: `ToolError` if there is no readable text, or more than 64 MiB of it.
    public init(contentsOf path: String) throws(ToolError) {
        guard let isFolder = TextFile.isFolder(path) else { throw TextFile.failure(path) }
        guard !isFolder else {
            let folder = try DocumentFolder(path)
            self.init(folder.documents)
            reading = folder.reading
            return
        }
        let bytes = try TextFile.bytes(path)
        switch TextFile.content(bytes) {
        case .failure(let reason): throw ToolError("\(path): \(reason.sentence)")
        case .success(let text):
            self.init(text.split(whereSeparator: \.isNewline).map { String($0).trimmed }.filter { !$0.isEmpty })
            reading = Reading(files: 1, bytes: bytes.count)
        }
    }

    public var count: Int { documents.count }

    public var definition: ToolDefinition {
        ToolDefinition(
            name: "search", description: "Returns the document that best matches the words of a query.",
            parameters: Self.schema)
    }

    private static let schema = """
        {"type":"object","properties":{"query":{"type":"string","description":"words to look for"}},\
        "required":["query"],"additionalProperties":false}
        """

    public func call(_ arguments: ToolArguments, isCancelled: () -> Bool) throws(ToolError) -> String {
        let query = try arguments.string("query")
        guard query.utf8.count <= 4000 else {
            throw ToolError("the query has more than 4000 bytes; write a shorter one")
        }
        guard let best = ranking.ranked(query).first else {
            return "no document matches \(query.onOneLine)"
        }
        return documents[best.document].onOneLine
    }
}
