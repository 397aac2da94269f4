internal import JSON
public import System

/// The queries and judgments of a folder laid out as BEIR does it.
///
/// `corpus.jsonl` holds {_id, title, text}, `queries.jsonl` {_id, text}, `qrels/<split>.tsv` a header and
/// query, document and grade. The documents are read through ``Extraction``.
public struct BEIRCollection: Sendable {
    public struct Query: Equatable, Sendable {
        public var id: String
        public var text: String

        public init(id: String, text: String) {
            self.id = id
            self.text = text
        }
    }

    public struct Judgment: Equatable, Sendable {
        public var query: String
        public var document: String
        public var grade: Int

        public init(query: String, document: String, grade: Int) {
            self.query = query
            self.document = document
            self.grade = grade
        }
    }

    public let folder: String
    /// Names of the judgment files without their suffix, sorted: test, dev, train.
    public let splits: [String]

    /// - Throws: `Problem` if the folder has no `corpus.jsonl`.
    public init(folder: String) throws(Problem) {
        self.folder = folder
        guard let names = FolderWalk.names(in: folder), names.contains("corpus.jsonl") else {
            throw Problem(
                .missing, folder, "not a BEIR collection: corpus.jsonl is missing",
                remedy: "Name the folder that contains corpus.jsonl, queries.jsonl, and qrels.")
        }
        splits = (FolderWalk.names(in: "\(folder)/qrels") ?? []).filter { $0.hasSuffix(".tsv") }
            .map { String($0.dropLast(4)) }.sorted()
    }

    /// Returns all queries in the file's order.
    public func queries() throws -> [Query] {
        let path = "\(folder)/queries.jsonl"
        let open = try OpenFile(path)
        let reader = JSONRecordReader(fileDescriptor: open.descriptor, framing: .lines, maximumRecordBytes: 16 << 20)
        let parser = JSONParser(maximumDepth: 256)
        var queries: [Query] = []
        while let record = try reader.next() {
            let query: Query?
            do {
                query = try parser.parse(record.bytes) { node in
                    guard let id = node["_id"], let text = node["text"]?.string else { return nil }
                    return Query(id: id.string ?? String(decoding: id.source, as: UTF8.self), text: text)
                }
            } catch let error as JSONError {
                throw Problem(
                    .invalid, path, "line \(record.line) is invalid JSON: \(error.problem.sentence)")
            }
            guard let query else {
                throw Problem(.missing, path, "line \(record.line) has no _id or text")
            }
            queries.append(query)
        }
        withExtendedLifetime(open) {}
        return queries
    }

    /// Returns the judgments of a split; a header is passed over.
    public func judgments(_ split: String) throws -> [Judgment] {
        let path = "\(folder)/qrels/\(split).tsv"
        let text = try OpenFile(path).withBytes(most: 1 << 30) { $0.map { String(decoding: $0, as: UTF8.self) } }
        guard let text else {
            throw Problem(.limit, path, "the file is larger than 1 GiB", remedy: "Split it.")
        }
        var judgments: [Judgment] = []
        for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let fields = line.split(separator: "\t")
            if fields.isEmpty || (number == 0 && fields.last.flatMap { Int($0) } == nil) { continue }
            guard fields.count == 3, let grade = Int(fields[2]) else {
                throw Problem(.invalid, path, "line \(number + 1) needs query, document, and grade, separated by tabs")
            }
            judgments.append(Judgment(query: String(fields[0]), document: String(fields[1]), grade: grade))
        }
        return judgments
    }
}
