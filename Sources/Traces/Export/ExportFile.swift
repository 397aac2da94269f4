internal import Glibc

/// A file that appears completely or not at all: written to a temporary file in the same folder, and renamed when it is
/// complete and on disk.
public enum ExportFile {
    /// Why it could not be written.
    public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        public var path: String
        public var reason: String
        public var sentence: String { "\(path): \(reason). Any existing file is unchanged. Choose a different path." }
        public var description: String { sentence }

        init(_ path: String, _ code: Int32) {
            self.path = path
            reason = String(cString: strerror(code))
        }
    }

    /// Hands `body` a function that appends text to the file; what `body` throws leaves the place as it was.
    ///
    /// A link is followed, and a file that is replaced keeps its permissions. A device or a pipe cannot be replaced: it
    /// is written to directly.
    ///
    /// - Parameter replacing: Whether to overwrite an existing file; otherwise an existing file is an error.
    public static func write(_ path: String, replacing: Bool = true, _ body: ((String) throws -> Void) throws -> Void)
        throws
    {
        let target = resolved(path)
        var status = stat()
        let exists = stat(target, &status) == 0
        let type = status.st_mode & S_IFMT
        if exists, type == S_IFDIR { throw Failure(path, EISDIR) }
        if exists, type == S_IFREG, !replacing { throw Failure(path, EEXIST) }
        if exists, type != S_IFREG {
            let output = try Output(open(target, O_WRONLY | O_CLOEXEC), path)
            try body { try output.append($0) }
            return try output.finish(syncing: false)
        }
        let temporary = folder(of: target) + ".orrery-\(UInt64.random(in: .min ... .max)).part"
        let output = try Output(open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666), path)
        do {
            if exists { _ = fchmod(output.descriptor, status.st_mode & 0o777) }
            try body { try output.append($0) }
            try output.finish(syncing: true)
            guard rename(temporary, target) == 0 else { throw Failure(path, errno) }
        } catch {
            unlink(temporary)
            throw error
        }
        // The new name is on disk only when its folder is.
        let folder = open(folder(of: target), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if folder >= 0 {
            fsync(folder)
            close(folder)
        }
    }

    private static func resolved(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }

    private static func folder(of path: String) -> String {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? "./"
    }

    /// An open file and what is about to be written to it.
    private final class Output {
        private(set) var descriptor: Int32
        private let path: String
        private var pending: [UInt8] = []
        private static let blockSize = 64 << 10

        init(_ descriptor: Int32, _ path: String) throws {
            guard descriptor >= 0 else { throw Failure(path, errno) }
            self.descriptor = descriptor
            self.path = path
        }

        deinit { if descriptor >= 0 { close(descriptor) } }

        func append(_ text: String) throws {
            pending.append(contentsOf: text.utf8)
            if pending.count >= Self.blockSize { try flush() }
        }

        private func flush() throws {
            try pending.withUnsafeBytes { bytes in
                var rest = bytes[...]
                while !rest.isEmpty {
                    let written = Glibc.write(
                        descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                    if written < 0, errno == EINTR { continue }
                    guard written > 0 else { throw Failure(path, written < 0 ? errno : ENOSPC) }
                    rest = rest.dropFirst(written)
                }
            }
            pending.removeAll(keepingCapacity: true)
        }

        func finish(syncing: Bool) throws {
            try flush()
            if syncing, fsync(descriptor) != 0 { throw Failure(path, errno) }
            let closed = close(descriptor)
            descriptor = -1
            // Network file systems report a full disk only here.
            if closed != 0 { throw Failure(path, errno) }
        }
    }
}
