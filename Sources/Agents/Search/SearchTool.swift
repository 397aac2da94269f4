public import LanguageModels

/// Gives the document that fits a query best.
public struct SearchTool: Tool {
    private let documents: [String]
    private let ranking: WordRanking

    /// Bytes of all documents together at most.
    public static let maximumBytes = 64 << 20

    /// - Parameter documents: a text each; of equally good ones the first comes.
    public init(_ documents: [String] = []) {
        self.documents = documents
        ranking = WordRanking(documents)
    }

    /// Documents from a file, one a line, or from the files of a folder, one a file, by name.
    ///
    /// - Throws: a sentence where they cannot be read or are longer than 64 MiB together.
    public init(contentsOf path: String) throws(ToolError) {
        guard let isFolder = TextFile.isFolder(path) else { throw TextFile.failure(path) }
        guard isFolder else {
            let lines = try TextFile.text(path).split(whereSeparator: \.isNewline).map { String($0).trimmed }
            self.init(lines.filter { !$0.isEmpty })
            return
        }
        var documents: [String] = []
        var bytes = 0
        for name in try TextFile.names(in: path, atMost: 100_000) {
            let text = try TextFile.text(path + "/" + name)
            bytes += text.utf8.count
            guard bytes <= Self.maximumBytes else {
                throw ToolError("\(path): the files are longer than \(Self.maximumBytes >> 20) MiB together")
            }
            if !text.trimmed.isEmpty { documents.append(text) }
        }
        self.init(documents)
    }

    public var count: Int { documents.count }

    public var definition: ToolDefinition {
        ToolDefinition(
            name: "search", description: "Gives the document that shares the most telling words with a query.",
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
