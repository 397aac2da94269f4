internal import Glibc
internal import System

/// A history of entered lines, oldest first, stored in a file that only its owner can read.
///
/// Several processes may share a file: each line is appended by one write, and lines from other processes are read at
/// the next start.
public final class LineHistory {
    /// Maximum number of lines. A file with twice as many lines is truncated to this number.
    package static let limit = 1_000

    private let path: String?
    private var loaded: [String]?

    /// Creates a history that is stored in a file, or only in memory if `path` is `nil`.
    public init(path: String? = nil) { self.path = path }

    /// Returns the history of one kind of line, in the user's state folder.
    public static func named(_ name: String) -> LineHistory {
        LineHistory(path: XDG.current.state + "/history-\(name)")
    }

    /// Lines, oldest first.
    public var lines: [String] {
        if let loaded { return loaded }
        let lines = load()
        loaded = lines
        return lines
    }

    /// Adds a line unless it is empty, equals the previous line, starts with a space, or contains a line feed.
    public func add(_ line: String) {
        guard !line.isEmpty, line.first != " ", lines.last != line, !line.utf8.contains(0x0A) else { return }
        loaded = (lines + [line]).suffix(Self.limit)
        append(line)
    }

    private func load() -> [String] {
        guard let path, let content = try? SmallFile.read(path, limit: 4 << 20) else { return [] }
        let all = content.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
        let recent = Array(all.suffix(Self.limit))
        if all.count > 2 * Self.limit {
            _ = SmallFile.replace(path, with: (recent.joined(separator: "\n") + "\n").utf8)
        }
        return recent
    }

    private func append(_ line: String) {
        guard let path else { return }
        if let slash = path.lastIndex(of: "/") { XDG.makeFolder(String(path[..<slash])) }
        let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var bytes = line + "\n"
        _ = bytes.withUTF8 { write(descriptor, $0.baseAddress, $0.count) }
    }
}
