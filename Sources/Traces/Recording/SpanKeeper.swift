internal import Formatting
internal import Glibc
internal import Synchronization
package import Workspace

/// Keeps spans in a workspace.
///
/// A span that cannot be saved never costs the user the generation; `problem` says why.
package final class SpanKeeper: Sendable {
    private let store: TraceStore
    private let options: ImportOptions
    private let failure = Mutex<String?>(nil)

    /// - Parameters:
    ///   - origin: Origin of the runs.
    ///   - project: Project of the runs; `nil` takes the service that recorded them.
    package init(_ workspace: Workspace, origin: TraceOrigin, project: String? = nil) {
        store = TraceStore(workspace)
        options = ImportOptions(origin: origin, project: project)
    }

    /// Why the last span was not saved; `nil` if it was.
    package var problem: String? { failure.withLock { $0 } }

    /// Records spans together; after this they are on the disk.
    package func keep(_ spans: [SpanRecord]) {
        do {
            try store.record([spans], options: options)
            failure.withLock { $0 = nil }
        } catch {
            failure.withLock { $0 = "\(error)" }
        }
    }
}

/// Returns an identifier as 16 hexadecimal digits.
package func hexadecimal(_ value: UInt64) -> String { Format.hexadecimal(value, digits: 16) }
