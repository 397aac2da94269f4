import Glibc
import Retrieval
import Synchronization

/// The real PostgreSQL with pgvector, from the PyPI package pgserver, in a folder that goes with it.
///
/// Python is `$ORRERY_TEST_PYTHON`, the package's `.venv`, or what PATH has.
final class PostgreSQLFixture: Sendable {
    let address: String
    private let pipes: Mutex<Pipes>

    private struct Pipes: ~Copyable {
        var child: pid_t
        var input: Int32
        var output: UnsafeMutablePointer<FILE>
    }

    /// Server shared by all tests that do not stop it; `nil` if it cannot start.
    static let shared = PostgreSQLFixture()
    static let isThere = dlopen("libpq.so.5", RTLD_NOW) != nil && shared != nil

    init?() {
        signal(SIGPIPE, SIG_IGN)
        guard let script = Self.script else { return nil }
        let python = Self.python
        var (toChild, fromChild): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
        pipe(&toChild)
        pipe(&fromChild)
        for end in toChild + fromChild { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, toChild[0], STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, fromChild[1], STDOUT_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        let texts: [String] = [python, script]
        var words = texts.map { word in strdup(word) } + [nil]
        var child = pid_t()
        let failed = posix_spawnp(&child, python, &actions, nil, &words, environ)
        for word in words { free(word) }
        posix_spawn_file_actions_destroy(&actions)
        close(toChild[0])
        close(fromChild[1])
        guard failed == 0, let output = fdopen(fromChild[0], "r") else {
            close(toChild[1])
            close(fromChild[0])
            return nil
        }
        guard let line = Self.line(output) else {
            close(toChild[1])
            fclose(output)
            waitpid(child, nil, 0)
            return nil
        }
        address = line
        pipes = Mutex(Pipes(child: child, input: toChild[1], output: output))
    }

    /// The end of its input ends the script, which takes server and folder with it.
    deinit {
        pipes.withLock { pipes in
            close(pipes.input)
            fclose(pipes.output)
            waitpid(pipes.child, nil, 0)
        }
    }

    /// `kill` or `start`; returns when it is done.
    func tell(_ word: String) {
        pipes.withLock { pipes in
            let bytes = Array((word + "\n").utf8)
            _ = write(pipes.input, bytes, bytes.count)
            _ = Self.line(pipes.output)
        }
    }

    private static func line(_ file: UnsafeMutablePointer<FILE>) -> String? {
        var buffer = [CChar](repeating: 0, count: 4_096)
        guard fgets(&buffer, Int32(buffer.count), file) != nil else { return nil }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            .split(separator: "\n").first.map(String.init)
    }

    private static let script: String? = {
        let folder = #filePath.split(separator: "/").dropLast().joined(separator: "/")
        let path = "/\(folder)/pgserver_fixture.py"
        return access(path, R_OK) == 0 ? path : nil
    }()

    private static var python: String {
        if let named = getenv("ORRERY_TEST_PYTHON") { return String(cString: named) }
        let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        let own = root + "/.venv/bin/python"
        return access(own, X_OK) == 0 ? own : "python3"
    }
}

/// Numbers that are the same at every run.
struct SeededNumbers {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    /// Between -1 and 1.
    mutating func next() -> Float {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Float(Int32(truncatingIfNeeded: state >> 32)) / Float(1 << 31)
    }

    /// Vectors around a few centers, as those of texts are.
    static func vectors(_ count: Int, _ dimension: Int, seed: UInt64) -> [[Float]] {
        var numbers = SeededNumbers(99)
        let centers = (0..<20).map { _ in (0..<dimension).map { _ in numbers.next() } }
        numbers = SeededNumbers(seed)
        return (0..<count).map { row in centers[row % 20].map { $0 + 0.5 * numbers.next() } }
    }
}
