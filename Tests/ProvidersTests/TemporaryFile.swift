import TestFixtures

/// One file that is gone with the test.
final class TemporaryFile {
    private let folder = TemporaryFolder()
    var path: String { folder.file("file") }
    var text: String { File.text(path) ?? "" }

    init(_ text: String? = nil) {
        if let text { File.write(text, to: path) }
    }
}
