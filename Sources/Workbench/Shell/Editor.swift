internal import Glibc

/// The user's editor: $VISUAL, $EDITOR, or vi.
enum Editor {
    /// Opens a file and waits until the editor exits.
    ///
    /// - Returns: An error message if the editor could not start.
    static func open(_ path: String) -> String? {
        let editor = variable("VISUAL") ?? variable("EDITOR") ?? "vi"
        // Use the shell, because the variable may contain arguments: `code --wait`.
        let line = ["sh", "-c", "exec \(editor) \"$1\"", "sh", path]
        var words: [UnsafeMutablePointer<CChar>?] = line.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        // The editor must receive the signals that the workbench blocks for its own loop.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var child = pid_t()
        let failed = posix_spawn(&child, "/bin/sh", nil, &attributes, &words, environ)
        guard failed == 0 else {
            return "Cannot start \(editor): \(String(cString: strerror(failed))). Set EDITOR to another editor."
        }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        let code = (status >> 8) & 0xFF
        return code == 127 ? "\(editor) was not found. Set EDITOR to your editor." : nil
    }

    private static func variable(_ name: String) -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }
}
