internal import Glibc
internal import System

/// The user's editor: $VISUAL, $EDITOR, or vi.
enum Editor {
    /// Opens a file and waits until the editor exits.
    ///
    /// - Returns: An error message if the editor could not start.
    static func open(_ path: String) -> String? {
        let editor = variable("VISUAL") ?? variable("EDITOR") ?? "vi"
        // Use the shell, because the variable may contain arguments: `code --wait`.
        var launch = Launch(["sh", "-c", "exec \(editor) \"$1\"", "sh", path], path: "/bin/sh")
        // The editor uses the same terminal.
        launch.group = .inherited
        launch.input = .inherited
        let child: pid_t
        do {
            child = try launch.start()
        } catch {
            return "Cannot start \(editor): \(error.reason). Set EDITOR to another editor."
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
