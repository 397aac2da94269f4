import Glibc
import Synchronization

/// A temporary folder for the files of one test; the folder is removed when the object is released.
package final class TemporaryFolder: Sendable {
    /// Path of the folder.
    package let path: String
    private let count = Atomic<Int>(0)

    /// Creates an empty folder in /tmp.
    package init() {
        var template = Array("/tmp/orrery-test-XXXXXX".utf8CString)
        path = template.withUnsafeMutableBufferPointer { buffer in
            mkdtemp(buffer.baseAddress!).map { String(cString: $0) } ?? "/nowhere"
        }
    }

    deinit { Self.remove(path) }

    /// Returns the path of a file in the folder, which need not exist.
    package func file(_ name: String) -> String { path + "/" + name }

    /// Returns the path of a new file in the folder: `name` with a unique number.
    package func unique(_ name: String) -> String {
        file("\(name)-\(count.add(1, ordering: .relaxed).newValue)")
    }

    /// Sorted names of the folder's entries.
    package var names: [String] { Self.names(in: path) }

    /// Removes a file, or a folder with its contents.
    package static func remove(_ path: String) {
        if unlink(path) == 0 { return }
        for name in names(in: path) { remove(path + "/" + name) }
        rmdir(path)
    }

    /// Returns the sorted names of a folder's entries.
    package static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}
