import Glibc
import Synchronization

/// The process's open workspaces, which are closed on `exit` so that a complete file remains, without a log.
///
/// Closing them in `deinit` is not enough: threads of the engine can hold a workspace until the process ends.
enum OpenWorkspaces {
    private struct Entry: Sendable {
        weak let workspace: Workspace?
    }

    private static let entries = Mutex<[ObjectIdentifier: Entry]>([:])
    private static let firstDamage = Mutex<WorkspaceError?>(nil)
    private static let atExit: Void = { atexit { OpenWorkspaces.closeAll() } }()

    static func add(_ workspace: Workspace) {
        _ = atExit
        entries.withLock { $0[ObjectIdentifier(workspace)] = Entry(workspace: workspace) }
    }

    static func remove(_ workspace: Workspace) {
        entries.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(workspace)) }
    }

    static func record(_ damage: WorkspaceError) {
        firstDamage.withLock { $0 = $0 ?? damage }
    }

    /// Error for the first damaged page found by any workspace of the process.
    static var damage: WorkspaceError? { firstDamage.withLock(\.self) }

    static func closeAll() {
        for entry in entries.withLock({ Array($0.values) }) { entry.workspace?.close() }
    }
}
