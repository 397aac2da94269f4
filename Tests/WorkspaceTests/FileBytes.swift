import Glibc
import TestFixtures

/// Returns the bytes of a file; empty if the file does not exist.
func bytes(of path: String) -> [UInt8] { File.bytes(path) ?? [] }

/// Writes a file, replacing its contents.
func write(_ bytes: [UInt8], to path: String) { File.write(bytes, to: path) }

/// Overwrites the bytes of a file starting at `offset`.
func overwrite(_ path: String, at offset: Int, with bytes: [UInt8]) {
    guard let file = fopen(path, "r+") else { return }
    fseek(file, offset, SEEK_SET)
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
}

/// Returns the permission bits of a file.
func permissions(of path: String) -> UInt32 {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
}
