internal import Glibc

extension DictionaryCheckpoints {
    /// What runs have written there, the last step last.
    public var files: [String] { Self.files(in: folder) }

    /// Takes the files away, and the folder where nothing else is in it.
    public func remove() {
        for path in files { unlink(path) }
        rmdir(folder)
    }
}
