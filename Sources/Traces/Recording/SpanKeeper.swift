internal import Formatting
internal import Glibc
internal import Synchronization
package import Workspace

/// Brings documents of spans into a workspace, through the importer, so that there is one way by which spans come in.
///
/// A span that cannot be saved never costs the user the generation; `problem` says why.
package final class SpanKeeper: Sendable {
    private let store: TraceStore
    private let options: ImportOptions
    private let failure = Mutex<String?>(nil)

    /// - Parameters:
    ///   - origin: Origin of the runs.
    ///   - project: Project of the runs; `nil` takes the service named in the documents.
    package init(_ workspace: Workspace, origin: TraceOrigin, project: String? = nil) {
        store = TraceStore(workspace)
        options = ImportOptions(origin: origin, project: project)
    }

    /// Why the last span was not saved; `nil` if it was.
    package var problem: String? { failure.withLock { $0 } }

    /// Imports a document; after this it is on the disk.
    package func keep(_ document: [UInt8]) {
        do {
            try bring(document)
            failure.withLock { $0 = nil }
        } catch {
            failure.withLock { $0 = "\(error)" }
        }
    }

    private func bring(_ document: [UInt8]) throws {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var name = Array("\(folder)/orrery-span-XXXXXX.json".utf8CString)
        let descriptor = mkstemps(&name, 5)
        let path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard descriptor >= 0 else { throw Failure(path: path, code: errno) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        defer { unlink(path) }
        var rest = document[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let code = errno
                close(descriptor)
                throw Failure(path: path, code: code)
            }
            rest = rest.dropFirst(count)
        }
        close(descriptor)
        try store.importTraces([path], options: options)
    }

    private struct Failure: Error, CustomStringConvertible {
        var path: String
        var code: Int32
        var description: String { "\(path): \(String(cString: strerror(code)))." }
    }
}

/// Returns an identifier as 16 hexadecimal digits.
package func hexadecimal(_ value: UInt64) -> String { Format.hexadecimal(value, digits: 16) }
