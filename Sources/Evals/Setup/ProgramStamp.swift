internal import Glibc
internal import Traces

/// A stamp that distinguishes versions of a user's program: the contents of the files that its arguments name.
///
/// Files that the program opens itself are not included; after changing them, run without the cache.
enum ProgramStamp {
    /// Larger files are identified by size and time.
    private static let most = 32 << 20

    /// - Parameter words: The program, found as a shell finds it, and its arguments.
    static func of(_ words: [String]) -> String {
        words.enumerated().compactMap { place, word in
            let path = place == 0 && !word.contains("/") ? found(word) : named(word)
            return path.flatMap(stamp).map { "\(place) \($0)" }
        }.joined(separator: " ")
    }

    /// Returns why a program cannot be started, as part of a sentence; `nil` if no reason is known.
    static func problem(of words: [String]) -> String? {
        guard let name = words.first, !name.isEmpty else { return "no program is named" }
        guard name.contains("/") else {
            guard found(name) == nil else { return nil }
            let hint = access(name, F_OK) == 0 ? "; write ./\(name) for the one in the current folder" : ""
            return "no folder in PATH has a program \(name)\(hint)"
        }
        var status = Glibc.stat()
        guard stat(name, &status) == 0 else { return String(cString: strerror(errno)) }
        if status.st_mode & S_IFMT == S_IFDIR { return "the path is a folder" }
        return access(name, X_OK) == 0 ? nil : "the file is not executable (chmod +x \(name) makes it executable)"
    }

    /// Returns the file that an argument names; `--config=a.toml` names one too.
    private static func named(_ word: String) -> String? {
        if access(word, R_OK) == 0 { return word }
        guard let equal = word.firstIndex(of: "=") else { return nil }
        let value = String(word[word.index(after: equal)...])
        return access(value, R_OK) == 0 ? value : nil
    }

    private static func found(_ name: String) -> String? {
        let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        return folders.split(separator: ":").lazy.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }

    private static func stamp(_ path: String) -> String? {
        var status = Glibc.stat()
        guard stat(path, &status) == 0 else { return nil }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= most else { return FileStampText.of(path) }
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return FileStampText.of(path) }
        defer { close(file) }
        var digest = Digest(seed: 0x7072_6f67)
        var chunk = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = read(file, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            chunk.withUnsafeBufferPointer { digest.add(UnsafeBufferPointer(rebasing: $0[0..<count])) }
        }
        return String(digest.value, radix: 16)
    }
}
