import Glibc
import Testing

/// A folder for one test, removed with its contents at the end of the test.
final class TemporaryFolder {
    let path: String

    init() throws {
        var template = Array("/tmp/orrery-console-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { Self.remove(path) }

    private static func remove(_ path: String) {
        if let folder = opendir(path) {
            while let entry = readdir(folder) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                if name != ".", name != ".." { remove("\(path)/\(name)") }
            }
            closedir(folder)
        }
        Glibc.remove(path)
    }

    func write(_ text: String, to name: String) -> String {
        let file = "\(path)/\(name)"
        let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        var text = text
        let count = text.withUTF8 { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        close(descriptor)
        #expect(count == text.utf8.count)
        return file
    }

    func read(_ name: String) -> String {
        let descriptor = open("\(path)/\(name)", O_RDONLY)
        defer { close(descriptor) }
        var content: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            guard count > 0 else { break }
            content += chunk[..<count]
        }
        return String(decoding: content, as: UTF8.self)
    }
}
