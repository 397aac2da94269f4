import Glibc
import Synchronization

/// A folder for the files of one test, gone with it.
package final class TemporaryFolder: Sendable {
    package let path: String
    private let count = Atomic<Int>(0)

    package init() {
        var template = Array("/tmp/orrery-test-XXXXXX".utf8CString)
        path = template.withUnsafeMutableBufferPointer { buffer in
            mkdtemp(buffer.baseAddress!).map { String(cString: $0) } ?? "/nowhere"
        }
    }

    deinit { Self.remove(path) }

    /// A file in the folder, which need not exist.
    package func file(_ name: String) -> String { path + "/" + name }

    /// A name that no other file has.
    package func unique(_ name: String) -> String {
        file("\(name)-\(count.add(1, ordering: .relaxed).newValue)")
    }

    /// The names in the folder, sorted.
    package var names: [String] { Self.names(in: path) }

    /// Removes a file, or a folder with all that is in it.
    package static func remove(_ path: String) {
        if unlink(path) == 0 { return }
        for name in names(in: path) { remove(path + "/" + name) }
        rmdir(path)
    }

    /// The names in a folder, sorted.
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
