internal import Glibc
internal import System
internal import Tensors

/// Small files, read and written whole.
enum FileBytes {
    /// `nil` if there is no such file, or it is above 256 MiB.
    static func read(_ path: String) -> [UInt8]? {
        guard let file = try? MappedFile(path), file.count <= 256 << 20 else { return nil }
        defer { withExtendedLifetime(file) {} }
        return Array(file.bytes)
    }

    /// The digest of a whole file.
    static func digest(_ path: String) throws(Problem) -> UInt64 {
        let file: MappedFile
        do { file = try MappedFile(path) } catch { throw Problem(.failed, "", error.sentence) }
        defer { withExtendedLifetime(file) {} }
        var digest = Digest()
        digest.update(file.bytes)
        return digest.value
    }

    /// Writes a file that appears whole or not at all.
    static func write(_ bytes: [UInt8], to path: String) throws(Problem) {
        do throws(TensorFileError) {
            let file = try AtomicFile(path, followsLinks: false)
            try file.write(bytes)
            try file.commit()
        } catch {
            throw Problem(.failed, "", error.sentence)
        }
    }

    /// Copies a file, piece by piece.
    ///
    /// - Returns: whether all of it is on the disk.
    static func copy(_ path: String, to target: String) -> Bool {
        let source = open(path, O_RDONLY | O_CLOEXEC)
        guard source >= 0 else { return false }
        defer { close(source) }
        let copy = open(target, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard copy >= 0 else { return false }
        defer { close(copy) }
        var chunk = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = Glibc.read(source, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { return count == 0 && fsync(copy) == 0 }
            var done = 0
            while done < count {
                let written = chunk.withUnsafeBytes { Glibc.write(copy, $0.baseAddress! + done, count - done) }
                if written < 0, errno == EINTR { continue }
                guard written > 0 else { return false }
                done += written
            }
        }
    }

    /// Makes a folder and those above it.
    static func makeFolder(_ path: String) throws(Problem) {
        var made = path.hasPrefix("/") ? "" : "."
        for part in path.split(separator: "/") {
            made += "/" + part
            if mkdir(made, 0o777) != 0, errno != EEXIST {
                throw Problem(.failed, path, "cannot create the folder: \(String(cString: strerror(errno)))")
            }
        }
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw Problem(.invalid, path, "not a folder", remedy: "Choose a different one.")
        }
    }
}

extension Problem {
    /// Creates a problem from any error of a data file; an error of the tensor file names the file itself.
    init(_ error: any Error, reading path: String) {
        self = (error as? TensorFileError).map { Problem(.failed, "", $0.sentence) } ?? Problem(error, in: path)
    }
}
