import Glibc
import TestFixtures

/// The bytes of a file; empty where there is none.
func bytes(of path: String) -> [UInt8] { File.bytes(path) ?? [] }

/// Writes a whole file.
func write(_ bytes: [UInt8], to path: String) { File.write(bytes, to: path) }

/// Writes `bytes` over those of a file from `offset` on.
func overwrite(_ path: String, at offset: Int, with bytes: [UInt8]) {
    guard let file = fopen(path, "r+") else { return }
    fseek(file, offset, SEEK_SET)
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
}

/// The permission bits of a file.
func permissions(of path: String) -> UInt32 {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
}
