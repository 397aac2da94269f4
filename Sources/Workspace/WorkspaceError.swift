/// What can go wrong with a workspace file, each case with a sentence for people.
///
/// A workspace that cannot be opened or written is never changed: every case leaves the file as it was.
public enum WorkspaceError: Error, Equatable, Sendable {
    /// There is no file at this path, or no folder to put it into.
    case notFound(path: String)
    /// The file exists and is something else; `found` says what, with its article ("a folder").
    case notAWorkspace(path: String, found: String)
    /// A newer program wrote the file; `unknown` names what this one does not know.
    case newerSchema(path: String, unknown: [String])
    /// The file must be brought up to date, and was opened for reading only.
    case olderSchema(path: String, pending: [String])
    /// The file system or folder does not take writes.
    case readOnlyPlace(path: String)
    /// The user may not read the file or write beside it.
    case permission(path: String)
    /// The disk, the quota or the file's largest size is reached; `needed` in bytes where it is known.
    case diskFull(path: String, needed: Int64?)
    /// A page or payload of the file is damaged; `place` says which as well as it is known.
    case corrupt(path: String, place: String)
    /// Another process, or another thread of this one, is writing; `writer` names it where it is known.
    case busy(path: String, writer: String?)
    /// A copy was to be written where a file is already.
    case exists(path: String)
    /// Anything else that SQLite or the system reported.
    case other(path: String, reason: String)

    /// The file that the error is about.
    public var path: String {
        switch self {
        case .notFound(let path), .readOnlyPlace(let path), .permission(let path), .exists(let path): path
        case .notAWorkspace(let path, _), .newerSchema(let path, _), .olderSchema(let path, _): path
        case .diskFull(let path, _), .corrupt(let path, _), .busy(let path, _), .other(let path, _): path
        }
    }
}

extension WorkspaceError: CustomStringConvertible {
    /// What happened, where, and what to do.
    public var sentence: String {
        switch self {
        case .notFound(let path):
            "There is no workspace at \(path): check the path, or create its folder first."
        case .notAWorkspace(let path, let found):
            "\(path) is \(found), not a workspace: name another file. It was not changed."
        case .newerSchema(let path, let unknown):
            "\(path) was written by a newer orrery\(Self.list(" (it holds ", unknown, ")")): "
                + "open it with that version or a later one. It was not changed."
        case .olderSchema(let path, let pending):
            "\(path) was written by an older orrery\(Self.list(" (it lacks ", pending, ")")): "
                + "open it once in a place that can be written, so that it is brought up to date."
        case .readOnlyPlace(let path):
            "\(path) lies in a place that cannot be written: copy it elsewhere, or only read it."
        case .permission(let path):
            "You may not open \(path): ask its owner, or change its mode with chmod."
        case .diskFull(let path, let needed):
            "The disk that holds \(path) is full\(Self.needed(needed)): make room and try again. Nothing was lost."
        case .corrupt(let path, let place):
            "\(path) is damaged (\(place)). Restore a copy of it; until then, everything on other pages can still be read. "
                + "orrery workspace check -w FILE lists all damage, and can accept pages that another program wrote."
        case .busy(let path, let writer):
            "\(writer ?? "Another process") is writing to \(path): try again when it has finished."
        case .exists(let path):
            "\(path) exists already and is not overwritten: name another file."
        case .other(let path, let reason):
            "\(path): \(reason)."
        }
    }

    public var description: String { sentence }

    private static func list(_ opening: String, _ names: [String], _ closing: String) -> String {
        guard !names.isEmpty else { return "" }
        let shown = names.prefix(3).map { "“\($0)”" }.joined(separator: ", ")
        let rest = names.count > 3 ? " and \(names.count - 3) more" : ""
        return opening + shown + rest + closing
    }

    private static func needed(_ bytes: Int64?) -> String {
        guard let bytes else { return "" }
        return " (\(ByteCount.text(bytes)) are needed)"
    }
}
