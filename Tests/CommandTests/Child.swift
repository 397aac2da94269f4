import Glibc
import TestFixtures

/// A process that writes standard output and standard error to files, or standard output to a pipe.
final class Child {
    let pid: pid_t
    private let output: String
    private let error: String
    private let folder: TemporaryFolder
    /// Reading end of the pipe, or -1 without a pipe, and the bytes read of an incomplete line.
    private var reading: Int32 = -1
    private var pending: [UInt8] = []

    /// - Parameters:
    ///   - folder: Folder of the files, and working folder of the process.
    ///   - isPiped: Whether `line` reads standard output. The pipe is small, so the process is never far ahead of its reader.
    init(
        _ program: String, _ arguments: [String], input: String?, environment: [String], folder: TemporaryFolder,
        isPiped: Bool = false
    ) throws {
        self.folder = folder
        output = folder.unique("out")
        error = folder.unique("err")
        let source = input == nil ? "/dev/null" : folder.unique("in")
        if let input { File.write(input, to: source) }

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, source, O_RDONLY, 0)
        var ends: [Int32] = [-1, -1]
        if isPiped {
            pipe(&ends)
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            _ = fcntl(ends[1], Self.setPipeSize, 4096)
            posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        } else {
            posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT, 0o600)
        }
        defer { if isPiped { close(ends[1]) } }
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, error, O_WRONLY | O_CREAT, 0o600)

        // The shell changes to the folder and becomes the program, so all files are written in the folder.
        let shell = ["sh", "-c", "cd \"$0\" && exec \"$@\"", folder.path, program]
        var words = (shell + arguments).map { strdup($0) } + [nil]
        var variables = environment.map { strdup($0) } + [nil]
        defer { for word in words + variables { free(word) } }
        var child = pid_t()
        let failed = posix_spawn(&child, "/bin/sh", &actions, nil, &words, &variables)
        guard failed == 0 else { throw Failed(program: program, code: failed) }
        pid = child
        reading = ends[0]
    }

    deinit { if reading >= 0 { close(reading) } }

    /// F_SETPIPE_SZ of <fcntl.h>, a macro that Swift cannot import.
    private static let setPipeSize: Int32 = 1031

    /// Returns the next line of standard output; `nil` at the end.
    func line() -> String? {
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            if let end = pending.firstIndex(of: 0x0A) {
                defer { pending.removeFirst(end + 1) }
                return String(decoding: pending[..<end], as: UTF8.self)
            }
            let count = read(reading, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            pending += chunk[..<count]
        }
    }

    func send(_ signal: Int32) { kill(pid, signal) }

    /// Waits for the end of the process. The status is 128 plus the signal number if a signal ended it.
    func wait() -> Program.Result {
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        let code = status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
        return Program.Result(status: code, output: File.text(output) ?? "", error: File.text(error) ?? "")
    }

    struct Failed: Error, CustomStringConvertible {
        var program: String
        var code: Int32
        var description: String { "\(program): \(String(cString: strerror(code)))" }
    }
}
