import Glibc
import Synchronization

/// A folder for the files of one test, gone with it.
final class TemporaryFolder: Sendable {
    let path: String
    private let count = Atomic<Int>(0)

    init() {
        var template = Array("/tmp/orrery-command-XXXXXX".utf8CString)
        path = template.withUnsafeMutableBufferPointer { buffer in
            mkdtemp(buffer.baseAddress!).map { String(cString: $0) } ?? "/nowhere"
        }
    }

    deinit { Self.remove(path) }

    func file(_ name: String) -> String { path + "/" + name }

    /// A name that no other file has.
    func unique(_ name: String) -> String { file("\(name)-\(count.add(1, ordering: .relaxed).newValue)") }

    private static func remove(_ path: String) {
        if unlink(path) == 0 { return }
        for name in names(in: path) { remove(path + "/" + name) }
        rmdir(path)
    }

    /// The names in a folder, sorted.
    static func names(in folder: String) -> [String] {
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

/// Files that tests read and write whole.
enum File {
    static func text(_ path: String) -> String? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }

    static func write(_ text: String, to path: String) {
        guard let file = fopen(path, "we") else { return }
        fputs(text, file)
        fclose(file)
    }
}
