/// The formats that can be read, and what to say of a file in another one.
public enum TraceFormats {
    /// Every importer; a file belongs to the first that recognizes it.
    public static let all: [any TraceImporter.Type] = [ClaudeCodeImporter.self, OTLPImporter.self]

    /// The importer with this word.
    public static func named(_ format: String) -> (any TraceImporter.Type)? { all.first { $0.format == format } }

    /// The importer for a file, by its first bytes (up to 64 KiB are looked at).
    ///
    /// - Parameter path: Path named in errors.
    public static func importer(of head: [UInt8], path: String) throws(ImportError) -> any TraceImporter.Type {
        let found = head.withUnsafeBufferPointer { head in
            let head = UnsafeBufferPointer(rebasing: head.prefix(64 << 10))
            return all.first { $0.recognizes(head) }
        }
        if let found { return found }
        if let compression = ForeignFormat.compression(head) {
            throw ImportError(
                path: path, problem: "the file is compressed with \(compression)",
                remedy: "Decompress it first, or pipe the decompressed stream to the path -.")
        }
        throw ImportError(
            path: path, problem: head.withUnsafeBufferPointer { ForeignFormat.problem($0) },
            remedy: "Supported formats: \(list).")
    }

    /// `claude-code and otlp`.
    static var list: String {
        let names = all.map { $0.format }
        return names.count < 2
            ? names.joined() : names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
    }
}
