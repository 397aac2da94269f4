import System

extension ClaudeCodeImporter {
    /// Returns the files of a session's sub-agents: `<session>/subagents/agent-*.jsonl`, and in the older layout, files
    /// in the session's folder whose lines have its ID.
    public static func companions(of path: String) -> [String] {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let folder = slash.map { String(path[..<$0]) } ?? "."
        let prefix = slash.map { String(path[...$0]) } ?? ""
        let name = slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path
        guard name.hasSuffix(".jsonl"), !name.hasPrefix("agent-") else { return [] }
        let stem = String(name.dropLast(6))
        let own = Folder.readableEntries(of: prefix + stem + "/subagents")
            .filter { !$0.isFolder && isAgent($0.name) }
            .map { prefix + stem + "/subagents/" + $0.name }
        let beside = Folder.readableEntries(of: folder.isEmpty ? "/" : folder)
            .filter { !$0.isFolder && isAgent($0.name) }
            .map { prefix + $0.name }
            .filter { session(of: $0) == stem }
        return own + beside
    }

    private static func isAgent(_ name: String) -> Bool { name.hasPrefix("agent-") && name.hasSuffix(".jsonl") }

    /// The session that the first lines of a file name.
    static func session(of path: String) -> String? {
        (SmallFile.head(path, 16 << 10) ?? []).withUnsafeBufferPointer { head in
            FormatProbe(head, most: 20).objects.lazy.compactMap { $0.strings["sessionId"] }.first { !$0.isEmpty }
        }
    }
}
