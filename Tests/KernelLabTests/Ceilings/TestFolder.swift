import Glibc

/// Folders within a temporary one.
enum TestFolder {
    static func make(_ path: String) { mkdir(path, 0o755) }
}
