import System

/// A session of a coding agent found on this machine.
public struct DiscoveredSession: Hashable, Sendable {
    public var path: String
    /// Format identifier of the importer, or of an unsupported format.
    public var format: String
    /// Whether it can be imported.
    public var isReadable: Bool
    /// Bytes, those of its sub-agents included.
    public var size: Int
    /// When it was last written, in nanoseconds since 1970.
    public var modified: Int64
    /// The folder the agent worked in, as far as it is known.
    public var project: String?
    /// Files of sub-agents that belong to it.
    public var subAgents: Int
}

/// Finds sessions where coding agents keep them.
///
/// Claude Code: `projects/<folder>/<session>.jsonl` below `$CLAUDE_CONFIG_DIR`, or else `~/.claude` and
/// `~/.config/claude`. Codex: `sessions/<year>/<month>/<day>/rollout-*.jsonl` below `$CODEX_HOME`, or else `~/.codex`.
public struct SessionDiscovery: Sendable {
    private let claudeFolders: [String]
    private let codexFolder: String

    /// - Parameters:
    ///   - home: Home folder of the user.
    ///   - environment: Where `CLAUDE_CONFIG_DIR` and `CODEX_HOME` are looked up.
    public init(home: String, environment: [String: String] = [:]) {
        func set(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        let configured = set("CLAUDE_CONFIG_DIR")?.split(separator: ",").map { String($0) }
        claudeFolders = configured ?? [home + "/.claude", home + "/.config/claude"]
        codexFolder = set("CODEX_HOME") ?? home + "/.codex"
    }

    /// Every session, the one written last first. Folders that cannot be read are passed over.
    public func sessions() -> [DiscoveredSession] {
        (claudeFolders.flatMap { claudeSessions(in: $0 + "/projects") } + codexSessions(in: codexFolder + "/sessions"))
            .sorted { ($1.modified, $0.path) < ($0.modified, $1.path) }
    }

    // MARK: - Claude Code

    private func claudeSessions(in projects: String) -> [DiscoveredSession] {
        Folder.readableEntries(of: projects).filter(\.isFolder).flatMap { project in
            sessions(ofProject: project.name, in: projects + "/" + project.name)
        }
    }

    private func sessions(ofProject name: String, in folder: String) -> [DiscoveredSession] {
        let files = Folder.readableEntries(of: folder).filter { !$0.isFolder && $0.name.hasSuffix(".jsonl") }
        // In the older layout, sub-agents are next to their sessions. Each file is read once to find its session.
        var beside: [String: [String]] = [:]
        for file in files where file.name.hasPrefix("agent-") {
            let path = folder + "/" + file.name
            if let session = ClaudeCodeImporter.session(of: path) { beside[session, default: []].append(path) }
        }
        return files.compactMap { file in
            guard !file.name.hasPrefix("agent-") else { return nil }
            let path = folder + "/" + file.name
            guard let facts = FileFacts.sizeAndTime(of: path), facts.size > 0 else { return nil }
            let stem = String(file.name.dropLast(6))
            let own = Folder.readableEntries(of: folder + "/" + stem + "/subagents")
                .filter { !$0.isFolder && $0.name.hasSuffix(".jsonl") }
                .map { folder + "/" + stem + "/subagents/" + $0.name }
            var session = DiscoveredSession(
                path: path, format: ClaudeCodeImporter.format, isReadable: true, size: facts.size,
                modified: facts.modified, project: workingFolder(in: path) ?? Self.decoded(name), subAgents: 0)
            for part in own + (beside[stem] ?? []) {
                guard let facts = FileFacts.sizeAndTime(of: part) else { continue }
                session.subAgents += 1
                session.size += facts.size
                session.modified = max(session.modified, facts.modified)
            }
            return session
        }
    }

    /// A folder's name as Claude Code writes it, `-home-ann-work-orrery`, as a path. A dash may have been any sign, so
    /// this is a guess that stands in only where no line names the folder.
    static func decoded(_ name: String) -> String {
        name.hasPrefix("-") ? String(name.map { $0 == "-" ? "/" : $0 }) : name
    }

    // MARK: - Codex

    private func codexSessions(in folder: String) -> [DiscoveredSession] {
        let format = "codex"
        let isReadable = TraceFormats.named(format) != nil
        return files(below: folder, depth: 4).compactMap { path in
            guard let facts = FileFacts.sizeAndTime(of: path), facts.size > 0 else { return nil }
            return DiscoveredSession(
                path: path, format: format, isReadable: isReadable, size: facts.size, modified: facts.modified,
                project: workingFolder(in: path), subAgents: 0)
        }
    }

    private func files(below folder: String, depth: Int) -> [String] {
        Folder.readableEntries(of: folder).flatMap { entry -> [String] in
            let path = folder + "/" + entry.name
            if entry.isFolder { return depth > 1 ? files(below: path, depth: depth - 1) : [] }
            return entry.name.hasPrefix("rollout-") && entry.name.hasSuffix(".jsonl") ? [path] : []
        }
    }

    /// The first `cwd` that the beginning of a file names.
    private func workingFolder(in path: String) -> String? {
        let head = SmallFile.head(path, 16 << 10) ?? []
        for key in ["\"cwd\":\"", "\"cwd\": \""] {
            guard let found = head.firstRange(of: Array(key.utf8)) else { continue }
            let rest = head[found.upperBound...]
            guard let end = rest.firstIndex(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }),
                rest[end] == UInt8(ascii: "\""), end > rest.startIndex
            else { continue }
            return String(decoding: rest[..<end], as: UTF8.self)
        }
        return nil
    }
}
