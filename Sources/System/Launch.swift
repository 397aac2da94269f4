public import Glibc
internal import Synchronization

/// A program to start: its name and arguments, its environment, and its standard streams.
///
/// The started program has an empty signal mask and default signal handlers, regardless of this process's settings.
public struct Launch {
    /// The process group of a started program.
    public enum Group: Sendable {
        /// The group of this process, for a program that uses the same terminal.
        case inherited
        /// A new group, which can be killed with all its members.
        case new
        /// A new session, which continues when the terminal is closed.
        case session
    }

    /// A file descriptor of the started program.
    public enum File: Sendable {
        /// Descriptor shared with this process.
        case inherited
        /// An open descriptor of this process.
        case descriptor(Int32)
        /// An empty input or a discarded output.
        case null
        /// A file to which output is appended; created if missing.
        case appending(path: String)
    }

    /// The program's name or path, and its arguments.
    public var words: [String]
    /// Path of the program; `nil` to find `words[0]` in PATH.
    public var path: String?
    /// Variables to set; the program inherits all other variables of this process.
    public var environment: [String: String] = [:]
    /// Process group of the program.
    public var group = Group.new
    /// Standard input.
    public var input = File.null
    /// Standard output.
    public var output = File.inherited
    /// Standard error.
    public var errors = File.inherited

    /// Creates a launch with a new process group and no input.
    public init(_ words: [String], path: String? = nil) {
        self.words = words
        self.path = path
    }

    /// The system's reason why a program could not be started.
    public struct Failure: Error, Hashable, Sendable {
        /// Error number, such as `ENOENT`.
        public var code: Int32

        /// Creates a failure from an error number.
        public init(code: Int32) { self.code = code }

        /// The system's message, such as "No such file or directory".
        public var reason: String { String(cString: strerror(code)) }
    }

    /// Held while a program starts and while pipes are opened for it: a program that starts between `pipe` and
    /// `FD_CLOEXEC` would inherit the pipe and hold it open.
    static let starting = Mutex(())

    /// Starts the program.
    ///
    /// - Returns: The process ID. Call `waitpid` later.
    public func start() throws(Failure) -> pid_t {
        try Self.starting.withLock { _ throws(Failure) in try spawn() }
    }

    /// Starts the program; the caller holds ``starting``.
    func spawn() throws(Failure) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        add(input, as: STDIN_FILENO, to: &actions)
        add(output, as: STDOUT_FILENO, to: &actions)
        add(errors, as: STDERR_FILENO, to: &actions)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        setSignalsAndGroup(&attributes)
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        let changes = environment.sorted { $0.key < $1.key }.map { strdup("\($0.key)=\($0.value)") }
        defer { for pointer in arguments + changes { free(pointer) } }
        var variables: [UnsafeMutablePointer<CChar>?] = Self.variables(except: environment.keys) + changes + [nil]
        var child = pid_t()
        let code =
            if let path {
                posix_spawn(&child, path, &actions, &attributes, &arguments, &variables)
            } else {
                posix_spawnp(&child, words[0], &actions, &attributes, &arguments, &variables)
            }
        guard code == 0 else { throw Failure(code: code) }
        return child
    }

    private func add(_ file: File, as number: Int32, to actions: inout posix_spawn_file_actions_t) {
        switch file {
        case .inherited: break
        case .descriptor(let open): posix_spawn_file_actions_adddup2(&actions, open, number)
        case .null:
            posix_spawn_file_actions_addopen(
                &actions, number, "/dev/null", number == STDIN_FILENO ? O_RDONLY : O_WRONLY, 0)
        case .appending(let path):
            posix_spawn_file_actions_addopen(&actions, number, path, O_WRONLY | O_CREAT | O_APPEND, 0o644)
        }
    }

    private func setSignalsAndGroup(_ attributes: inout posix_spawnattr_t) {
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        let newSession: Int32 = 0x80  // POSIX_SPAWN_SETSID, which the headers define only with _GNU_SOURCE
        let ofGroup: Int32 =
            switch group {
            case .inherited: 0
            case .new: Int32(POSIX_SPAWN_SETPGROUP)
            case .session: newSession
            }
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(ofGroup | Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)))
    }

    /// Returns pointers to this process's variables, except for those with the given names.
    ///
    /// The bytes are passed on as they are, because values need not be valid UTF-8.
    private static func variables(except names: some Collection<String>) -> [UnsafeMutablePointer<CChar>?] {
        var found: [UnsafeMutablePointer<CChar>?] = []
        var next = environ
        while let variable = next.pointee {
            if !names.contains(where: { strncmp(variable, "\($0)=", $0.utf8.count + 1) == 0 }) {
                found.append(variable)
            }
            next += 1
        }
        return found
    }
}
