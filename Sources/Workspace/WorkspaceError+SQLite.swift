import GRDB
import Glibc

extension WorkspaceError {
    /// Creates the error for a failure that SQLite, zstd, or the system reported.
    ///
    /// - Parameters:
    ///   - error: Reported error.
    ///   - path: Path of the workspace.
    ///   - systemError: Last `errno` of the connection; 0 if unknown. SQLite sometimes reports a full disk only as an
    ///     input/output error; this number distinguishes the two.
    package init(_ error: any Error, path: String, systemError: Int32 = 0) {
        switch error {
        case let error as WorkspaceError:
            self = error
        case let error as PayloadError:
            self = .corrupt(path: path, place: error.reason)
        case let error as DatabaseError:
            self = Self.classify(error, path: path, systemError: systemError)
        default:
            self = .other(path: path, reason: "\(error)")
        }
    }

    private static func classify(_ error: DatabaseError, path: String, systemError: Int32) -> WorkspaceError {
        switch error.resultCode {
        case .SQLITE_NOTADB:
            return .notAWorkspace(path: path, found: "a file that SQLite cannot read")
        case .SQLITE_CORRUPT:
            return .corrupt(path: path, place: place(of: error))
        case .SQLITE_FULL:
            return .diskFull(path: path, needed: nil)
        case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL:
            return .busy(path: path, writer: nil)
        case .SQLITE_READONLY:
            if error.extendedResultCode == .SQLITE_READONLY_DBMOVED {
                return .other(path: path, reason: "the file was moved or removed while it was open")
            }
            return .readOnlyLocation(path: path)
        case .SQLITE_PERM, .SQLITE_AUTH:
            return .permission(path: path)
        case .SQLITE_CANTOPEN:
            return diagnoseOpening(path)
        case .SQLITE_IOERR:
            if error.extendedResultCode == .SQLITE_IOERR_SHORT_READ {
                return .corrupt(path: path, place: "the file is truncated")
            }
            if error.extendedResultCode.rawValue == PageChecksums.mismatch {
                return .corrupt(path: path, place: DamagedPage.anyPage)
            }
            if let known = systemCase(systemError, path: path) { return known }
            // The log's shared memory takes 32 KB; SQLite does not report why creating it failed.
            if let free = FileLocation.freeBytes(in: FileLocation.folder(of: path)), free < 32_768 {
                return .diskFull(path: path, needed: nil)
            }
            return .other(path: path, reason: "the disk reported an error (\(error.message ?? "I/O error"))")
        default:
            return .other(path: path, reason: error.message ?? "SQLite error \(error.resultCode.rawValue)")
        }
    }

    /// Returns the error for an `errno`; `nil` if the user cannot act on it.
    package static func systemCase(_ number: Int32, path: String) -> WorkspaceError? {
        switch number {
        case ENOSPC, EDQUOT, EFBIG: .diskFull(path: path, needed: nil)
        case EROFS: .readOnlyLocation(path: path)
        case EACCES, EPERM: .permission(path: path)
        case ENOENT, ENOTDIR: .notFound(path: path)
        case EEXIST: .exists(path: path)
        default: nil
        }
    }

    /// Returns the error for the `errno` of a system call.
    ///
    /// - Parameter action: Failed action as a verb phrase, such as "open the file".
    package static func system(_ number: Int32, path: String, doing action: String) -> WorkspaceError {
        systemCase(number, path: path)
            ?? .other(path: path, reason: "cannot \(action): \(String(cString: strerror(number)))")
    }

    // SQLite does not report which file it could not open: the workspace or its log.
    private static func diagnoseOpening(_ path: String) -> WorkspaceError {
        guard access(path, F_OK) == 0 else { return .notFound(path: path) }
        guard access(path, R_OK) == 0 else { return .permission(path: path) }
        let folder = FileLocation.folder(of: path)
        if access(folder, W_OK) != 0 || access(path, W_OK) != 0 { return .readOnlyLocation(path: path) }
        if FileLocation.freeBytes(in: folder) == 0 { return .diskFull(path: path, needed: nil) }
        return .other(path: path, reason: "SQLite cannot open the file or its -wal and -shm files")
    }

    private static func place(of error: DatabaseError) -> String {
        guard let sql = error.sql else { return "a page that SQLite cannot read" }
        return "found by the query \(sql.prefix(80))"
    }
}
