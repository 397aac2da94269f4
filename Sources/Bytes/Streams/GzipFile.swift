internal import CZlib
internal import Glibc
package import System

/// The bytes of a file in pieces, decompressed if it is gzipped.
package final class GzipFile {
    private let path: String
    private let file: gzFile

    /// Opens a file; `nil` if it is not a readable file.
    package init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, let file = gzopen(path, "rbe") else {
            return nil
        }
        self.path = path
        self.file = file
        gzbuffer(file, 1 << 17)
    }

    deinit { gzclose(file) }

    /// Fills a buffer and returns the number of bytes, which is 0 at the end.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(Problem) -> Int {
        let count = gzread(file, buffer.baseAddress, UInt32(min(buffer.count, 1 << 20)))
        var code: Int32 = 0
        let message = gzerror(file, &code).map { String(cString: $0) } ?? ""
        guard count >= 0, code == Z_OK || code == Z_STREAM_END else {
            throw Problem(
                .corrupt, path, "the file is truncated or corrupt" + (message.isEmpty ? "" : " (\(message))"),
                remedy: "Replace it with an intact copy.")
        }
        return Int(count)
    }
}
