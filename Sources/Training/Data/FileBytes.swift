internal import Glibc
internal import Tensors

/// Small files, read and written whole.
enum FileBytes {
    /// nil where there is no such file, or it is above 256 MiB.
    static func read(_ path: String) -> [UInt8]? {
        guard let file = try? MappedFile(path), file.count <= 256 << 20 else { return nil }
        defer { withExtendedLifetime(file) {} }
        return Array(file.bytes)
    }

    /// The digest of a whole file.
    static func digest(_ path: String) throws(RunError) -> UInt64 {
        let file: MappedFile
        do { file = try MappedFile(path) } catch { throw RunError(error.sentence) }
        defer { withExtendedLifetime(file) {} }
        var digest = Digest()
        digest.update(file.bytes)
        return digest.value
    }

    /// Writes a file that appears whole or not at all.
    static func write(_ bytes: [UInt8], to path: String) throws(RunError) {
        func refuse(_ action: String) -> RunError {
            RunError("\(path): cannot \(action): \(String(cString: strerror(errno))).")
        }
        let partial = "\(path).\(getpid()).partial"
        let descriptor = open(partial, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw refuse("write it") }
        var failure: RunError?
        var done = 0
        while done < bytes.count, failure == nil {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress! + done, $0.count - done) }
            if count < 0, errno == EINTR { continue }
            if count <= 0 { failure = refuse("write it") } else { done += count }
        }
        if failure == nil, fsync(descriptor) != 0 { failure = refuse("write it to the disk") }
        close(descriptor)
        if failure == nil, rename(partial, path) != 0 { failure = refuse("put it in its place") }
        if let failure {
            unlink(partial)
            throw failure
        }
    }

    /// Makes a folder and those above it.
    static func makeFolder(_ path: String) throws(RunError) {
        var made = path.hasPrefix("/") ? "" : "."
        for part in path.split(separator: "/") {
            made += "/" + part
            if mkdir(made, 0o777) != 0, errno != EEXIST {
                throw RunError("\(path): cannot make the folder: \(String(cString: strerror(errno))).")
            }
        }
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw RunError("\(path): this is no folder. Name another one.")
        }
    }
}
