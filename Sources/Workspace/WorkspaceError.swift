/// An error about a workspace file, with a message for the user.
///
/// Every case leaves the file unchanged.
public enum WorkspaceError: Error, Equatable, Sendable {
    /// The file does not exist, or its folder does not.
    case notFound(path: String)
    /// The file is not a workspace; `found` names what it is, with an article ("a folder").
    case notAWorkspace(path: String, found: String)
    /// A newer version of Orrery wrote the file; `unknown` lists migrations or a generation unknown to this version.
    case newerSchema(path: String, unknown: [String])
    /// The file was opened read-only, but its schema must be updated; `pending` lists the missing migrations.
    case olderSchema(path: String, pending: [String])
    /// The file, its folder, or its file system is read-only.
    case readOnlyLocation(path: String)
    /// The user has no permission to read the file or to create files next to it.
    case permission(path: String)
    /// The disk is full, or a quota or the maximum file size is reached; `needed` is the space in bytes, if known.
    case diskFull(path: String, needed: Int64?)
    /// A page or payload of the file is damaged; `place` names it as precisely as possible.
    case corrupt(path: String, place: String)
    /// Another process, or another thread of this process, is writing; `writer` names it, if known.
    case busy(path: String, writer: String?)
    /// The target of a copy already exists.
    case exists(path: String)
    /// Any other error from SQLite or the system.
    case other(path: String, reason: String)

    /// Path of the file that the error is about.
    public var path: String {
        switch self {
        case .notFound(let path), .readOnlyLocation(let path), .permission(let path), .exists(let path): path
        case .notAWorkspace(let path, _), .newerSchema(let path, _), .olderSchema(let path, _): path
        case .diskFull(let path, _), .corrupt(let path, _), .busy(let path, _), .other(let path, _): path
        }
    }
}

extension WorkspaceError: CustomStringConvertible {
    /// Message for the user: what happened, where, and what to do.
    public var sentence: String {
        switch self {
        case .notFound(let path):
            "No workspace at \(path). Check the path, or create its folder first."
        case .notAWorkspace(let path, let found):
            "\(path) is \(found), not a workspace, and was not changed. Choose another file."
        case .newerSchema(let path, let unknown):
            "\(path) was written by a newer version of Orrery\(Self.list(" (unknown: ", unknown, ")")). "
                + "Open it with that version or a later one. The file was not changed."
        case .olderSchema(let path, let pending):
            "\(path) was written by an older version of Orrery\(Self.list(" (missing: ", pending, ")")). "
                + "To update it, open it once with write permission."
        case .readOnlyLocation(let path):
            "Cannot write to \(path). Copy it to a writable folder, or open it read-only."
        case .permission(let path):
            "No permission to open \(path). Ask its owner, or change its mode with chmod."
        case .diskFull(let path, let needed):
            "The disk with \(path) is full\(Self.needed(needed)). Free some space and try again. No data was lost."
        case .corrupt(let path, let place):
            "\(path) is damaged (\(place)). Restore a backup. Data on undamaged pages remains readable. "
                + "orrery workspace check -w FILE lists all damage and can accept pages that another program wrote."
        case .busy(let path, let writer):
            "\(writer ?? "Another process") is writing to \(path). Try again when it has finished."
        case .exists(let path):
            "\(path) already exists and was not overwritten. Choose another file."
        case .other(let path, let reason):
            "\(path): \(reason)."
        }
    }

    public var description: String { sentence }

    private static func list(_ opening: String, _ names: [String], _ closing: String) -> String {
        guard !names.isEmpty else { return "" }
        let shown = names.prefix(3).map { "“\($0)”" }.joined(separator: ", ")
        let rest = names.count > 3 ? ", and \(names.count - 3) more" : ""
        return opening + shown + rest + closing
    }

    private static func needed(_ bytes: Int64?) -> String {
        guard let bytes else { return "" }
        return " (\(ByteCount.text(bytes)) needed)"
    }
}
