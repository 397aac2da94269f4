import Glibc
import Synchronization

/// The workspaces that are open when the process ends, so that `exit` leaves one whole file without a log beside it.
///
/// Threads of the engine can hold a workspace until the very end, so its `deinit` is not enough.
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

    /// The first damaged page that any workspace of the process met.
    static var damage: WorkspaceError? { firstDamage.withLock(\.self) }

    static func closeAll() {
        for entry in entries.withLock({ Array($0.values) }) { entry.workspace?.close() }
    }
}
