internal import Glibc

extension DictionaryCheckpoints {
    /// What runs have written there, the last step last.
    public var files: [String] { Self.files(in: folder) }

    /// Deletes the files, and the folder if it is then empty.
    public func remove() {
        for path in files { unlink(path) }
        rmdir(folder)
    }
}
