import Glibc
import Testing

/// A pseudo-terminal whose master side belongs to the test.
final class PseudoTerminal: Sendable {
    let master: Int32
    /// Slave side, held open because the master reads end-of-file when no process has the slave open.
    private let slave: Int32
    /// Path that another process uses to open the slave side.
    let path: String

    /// TIOCSPTLCK; Swift cannot import its definition.
    private static let lock: UInt = 0x4004_5431
    /// TIOCGPTN; Swift cannot import its definition.
    private static let number: UInt = 0x8004_5430

    init(columns: UInt16 = 80, rows: UInt16 = 24) throws {
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var locked: Int32 = 0
        var number: UInt32 = 0
        try #require(ioctl(master, Self.lock, &locked) == 0 && ioctl(master, Self.number, &number) == 0)
        path = "/dev/pts/\(number)"
        slave = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        try #require(slave >= 0)
        resize(columns: columns, rows: rows)
    }

    deinit {
        close(slave)
        close(master)
    }

    func resize(columns: UInt16, rows: UInt16) {
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    }

    /// Makes a pseudo-terminal the standard input, standard output, and controlling terminal of the process.
    static func attach(_ path: String, type: String) {
        setsid()
        let slave = open(path, O_RDWR)
        dup2(slave, STDIN_FILENO)
        dup2(slave, STDOUT_FILENO)
        setenv("TERM", type, 1)
        setenv("LC_ALL", "C.UTF-8", 1)
        for name in ["LINES", "COLUMNS", "TMUX", "COLORTERM", "TERM_PROGRAM", "COLORFGBG"] { unsetenv(name) }
    }

    /// Terminal modes, as printed by `stty -g`.
    var modes: [UInt32] {
        var modes = termios()
        tcgetattr(slave, &modes)
        return [modes.c_iflag, modes.c_oflag, modes.c_cflag, modes.c_lflag]
    }

    /// Deadline for a process that waits for the test, so that it does not outlive the test.
    static var deadline: ContinuousClock.Instant { .now + .seconds(20) }

    func type(_ text: String) {
        var text = text
        _ = text.withUTF8 { write(master, $0.baseAddress, $0.count) }
    }

    /// Reads until the predicate accepts the text or ten seconds have passed.
    func read(until isEnough: (String) -> Bool) -> String {
        var content: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let deadline = ContinuousClock.now + .seconds(10)
        while ContinuousClock.now < deadline, !isEnough(String(decoding: content, as: UTF8.self)) {
            var source = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
            guard poll(&source, 1, 100) > 0 else { continue }
            let count = Glibc.read(master, &chunk, chunk.count)
            if count <= 0 { break }
            content += chunk[..<count]
        }
        return String(decoding: content, as: UTF8.self)
    }
}
