internal import Glibc

/// The lines that were entered before, oldest first, kept in a file that only its owner reads.
///
/// Several processes may add to one file: each line is appended by one write, and what was added since is read at the
/// next start.
public final class LineHistory {
    /// The most lines that are offered; a file of twice as many is cut to this.
    package static let limit = 1_000

    private let path: String?
    private var loaded: [String]?

    /// A history that is kept nowhere, or in a file.
    public init(path: String? = nil) { self.path = path }

    /// A history of one kind of line, in the folder for what programs remember.
    public static func named(_ name: String) -> LineHistory {
        LineHistory(path: XDG.current.state + "/history-\(name)")
    }

    public var lines: [String] {
        if let loaded { return loaded }
        let lines = load()
        loaded = lines
        return lines
    }

    /// Adds a line, unless it is empty or the same as the last one. What begins with a space is not kept.
    public func add(_ line: String) {
        guard !line.isEmpty, line.first != " ", lines.last != line, !line.utf8.contains(0x0A) else { return }
        loaded = (lines + [line]).suffix(Self.limit)
        append(line)
    }

    private func load() -> [String] {
        guard let path, let content = try? SmallFile.read(path, limit: 4 << 20) else { return [] }
        let all = content.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
        let kept = Array(all.suffix(Self.limit))
        if all.count > 2 * Self.limit { _ = SmallFile.replace(path, with: (kept.joined(separator: "\n") + "\n").utf8) }
        return kept
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
