import Console
import Glibc
import System
import Testing

/// Each test starts a process on its own pseudo-terminal and holds the master side.
@Suite("Terminal", .serialized, .timeLimit(.minutes(2)))
struct TerminalTests {
    private static let types = ["xterm", "xterm-256color", "screen-256color", "tmux-256color", "linux", "vt100"]

    /// Returns whether the output ends by restoring the screen.
    private static func restoresTheScreen(_ output: String, type: String) -> Bool {
        let needed: [String] =
            type == "vt100"
            ? ["\u{1B}[m"]
            : type == "linux" ? ["\u{1B}[?25h"] : ["\u{1B}[?1049l", "\u{1B}[?1000l", "\u{1B}[?2004l", "\u{1B}[?25h"]
        return needed.allSatisfy { mode in
            guard let last = output.range(ofLast: mode) else { return false }
            let on = String(mode.dropLast()) + (mode.hasSuffix("l") ? "h" : "l")
            guard mode.contains("?"), let entered = output.range(ofLast: on) else { return true }
            return entered < last
        }
    }

    /// Returns all events until the predicate accepts them; empty after the deadline.
    private static func events(of terminal: Terminal, until isEnough: ([InputEvent]) -> Bool) -> [InputEvent] {
        var events: [InputEvent] = []
        while !isEnough(events) {
            let more = terminal.wait(until: PseudoTerminal.deadline)
            if more.isEmpty { return [] }
            events += more
        }
        return events
    }

    @Test("the terminal draws a frame and is restored when it stops", arguments: types)
    func draws(type: String) async throws {
        let pty = try PseudoTerminal()
        let before = pty.modes
        let conversation = Conversation {
            let frame = pty.read { $0.contains("漢字") }
            pty.type("q")
            return frame + pty.read { Self.restoresTheScreen(frame + $0, type: type) }
        }
        await #expect(processExitsWith: .exitCode(7)) { [path = pty.path as String, type = type as String] in
            PseudoTerminal.attach(path, type: type)
            let terminal = try Terminal()
            var surface = Surface(terminal.size)
            surface.put("READY 漢字", at: Point(column: 0, row: 3), style: Style(foreground: .indexed(9)))
            terminal.present(surface)
            let events = Self.events(of: terminal) { $0.contains(.key(.character("q"))) }
            terminal.stop()
            exit(events.isEmpty ? 2 : 7)
        }
        let output = conversation.output
        #expect(output.contains("READY 漢字"))
        #expect(Self.restoresTheScreen(output, type: type))
        #expect(pty.modes == before)
    }

    @Test(
        "the terminal is restored after a fatal signal",
        arguments: [
            SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT,
        ])
    func signals(signal: Int32) async throws {
        let pty = try PseudoTerminal()
        let before = pty.modes
        let conversation = Conversation { pty.read { Self.restoresTheScreen($0, type: "xterm-256color") } }
        await #expect(processExitsWith: .signal(signal)) { [path = pty.path as String, signal = signal as Int32] in
            PseudoTerminal.attach(path, type: "xterm-256color")
            let terminal = try Terminal()
            terminal.present(Surface(terminal.size))
            // Signal the process, because task threads block most signals.
            kill(getpid(), signal)
            _ = terminal.wait(until: PseudoTerminal.deadline)
            exit(2)
        }
        #expect(Self.restoresTheScreen(conversation.output, type: "xterm-256color"))
        #expect(pty.modes == before)
    }

    @Test("the terminal is restored after a trap and after exit")
    func trapAndExit() async throws {
        for trap in [true, false] {
            let pty = try PseudoTerminal()
            let before = pty.modes
            let conversation = Conversation { pty.read { Self.restoresTheScreen($0, type: "xterm-256color") } }
            await #expect(processExitsWith: .failure) { [path = pty.path as String, trap = trap as Bool] in
                PseudoTerminal.attach(path, type: "xterm-256color")
                let terminal = try Terminal()
                terminal.present(Surface(terminal.size))
                if trap { fatalError("on purpose") }
                exit(3)
            }
            #expect(Self.restoresTheScreen(conversation.output, type: "xterm-256color"))
            #expect(pty.modes == before)
        }
    }

    @Test(
        "a termination signal becomes an event",
        arguments: [
            (SIGTERM, InputEvent.terminate), (SIGINT, .terminate), (SIGQUIT, .terminate), (SIGHUP, .hangup),
        ])
    func requests(signal: Int32, event: InputEvent) async throws {
        let pty = try PseudoTerminal()
        let conversation = Conversation { pty.read { Self.restoresTheScreen($0, type: "xterm-256color") } }
        let name = "\(event)"
        await #expect(processExitsWith: .exitCode(9)) {
            [path = pty.path as String, signal = signal as Int32, name = name as String] in
            PseudoTerminal.attach(path, type: "xterm-256color")
            let terminal = try Terminal()
            terminal.present(Surface(terminal.size))
            kill(getpid(), signal)
            let events = terminal.wait(until: PseudoTerminal.deadline)
            terminal.stop()
            exit(events.contains { "\($0)" == name } ? 9 : 1)
        }
        #expect(Self.restoresTheScreen(conversation.output, type: "xterm-256color"))
    }

    @Test("closing the terminal causes one event and no busy loop")
    func hangup() async throws {
        let pty = try PseudoTerminal()
        await #expect(processExitsWith: .exitCode(9)) { [path = pty.path as String] in
            PseudoTerminal.attach(path, type: "xterm-256color")
            let terminal = try Terminal()
            close(STDIN_FILENO)
            _ = open("/dev/null", O_RDONLY)
            let first = terminal.wait(until: PseudoTerminal.deadline)
            // The terminal does not read past end-of-file, so this call sleeps until the deadline.
            let second = terminal.wait(until: .now + .milliseconds(20))
            exit(first == [.hangup] && second.isEmpty ? 9 : 1)
        }
    }

    @Test("several size changes become one event")
    func resizing() async throws {
        let pty = try PseudoTerminal()
        let conversation = Conversation {
            let first = pty.read { $0.contains("80x24") }
            for columns in UInt16(30)..<130 { pty.resize(columns: columns, rows: columns / 3) }
            pty.resize(columns: 101, rows: 31)
            let second = pty.read { $0.contains("101x31") }
            pty.type("q")
            return first + second + pty.read { Self.restoresTheScreen(first + second + $0, type: "xterm-256color") }
        }
        await #expect(processExitsWith: .exitCode(9)) { [path = pty.path as String] in
            PseudoTerminal.attach(path, type: "xterm-256color")
            // Only the controlling terminal reports size changes.
            _ = ioctl(STDIN_FILENO, UInt(TIOCSCTTY), 0)
            let terminal = try Terminal()
            var counted = 0
            while true {
                var surface = Surface(terminal.size)
                surface.put(
                    "\(terminal.size.columns)x\(terminal.size.rows)", at: Point(column: 0, row: 0), style: .plain)
                terminal.present(surface)
                let events = terminal.wait(until: PseudoTerminal.deadline)
                let sizes = events.filter { if case .resize = $0 { true } else { false } }
                if sizes.count > 1 || events.isEmpty { exit(2) }
                counted += sizes.count
                if events.contains(.key(.character("q"))) { break }
            }
            terminal.stop()
            exit(counted > 0 ? 9 : 1)
        }
        #expect(conversation.output.contains("101x31"))
    }

    @Test("the terminal's replies set the background and synchronized output")
    func replies() async throws {
        let pty = try PseudoTerminal()
        let conversation = Conversation {
            let asked = pty.read {
                $0.contains("\u{1B}]11;?") && $0.contains("\u{1B}[?2026$p") && $0.contains("\u{1B}[c")
            }
            pty.type("\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\\u{1B}[?2026;2$y\u{1B}[?1;2c")
            return asked + pty.read { Self.restoresTheScreen($0, type: "xterm-256color") }
        }
        await #expect(processExitsWith: .exitCode(9)) { [path = pty.path as String] in
            PseudoTerminal.attach(path, type: "xterm-256color")
            let terminal = try Terminal()
            var surface = Surface(terminal.size)
            surface.put("FIRST", at: Point(column: 0, row: 0), style: .plain)
            terminal.present(surface)
            let events = terminal.wait(until: PseudoTerminal.deadline)
            surface.put("SECOND", at: Point(column: 0, row: 1), style: .plain)
            terminal.present(surface)
            terminal.stop()
            exit(events == [.background(dark: false)] && terminal.isDarkBackground == false ? 9 : 1)
        }
        let text = conversation.output
        let first = try #require(text.range(ofLast: "FIRST"))
        let question = try #require(text.range(ofLast: "\u{1B}]11;?"))
        #expect(first < question, "the first frame does not wait for a reply")
        let begin = try #require(text.range(ofLast: "\u{1B}[?2026h"))
        let second = try #require(text.range(ofLast: "SECOND"))
        #expect(begin < second, "frames are synchronized after the terminal reports support")
    }

    @Test("unchanged rows are not sent")
    func unchangedRows() async throws {
        let pty = try PseudoTerminal()
        let conversation = Conversation {
            let first = pty.read { $0.contains("\u{1B}[c") }
            pty.type("\u{1B}[?1;2cj")
            return pty.read { $0.contains("!") || $0.contains("\u{1B}[?1049l") } + (first.isEmpty ? "no frame" : "")
        }
        await #expect(processExitsWith: .exitCode(0)) { [path = pty.path as String] in
            PseudoTerminal.attach(path, type: "xterm-256color")
            let terminal = try Terminal()
            var surface = Surface(terminal.size)
            for row in 0..<24 {
                surface.put("row \(row) of many words", at: Point(column: 0, row: row), style: .plain)
            }
            terminal.present(surface)
            _ = Self.events(of: terminal) { $0.contains(.key(.character("j"))) }
            terminal.present(surface)
            surface.put("!", at: Point(column: 70, row: 9), style: .plain)
            terminal.present(surface)
            exit(0)
        }
        let change = conversation.output
        #expect(change.contains("!"))
        #expect(!change.contains("words"))
    }

    @Test("no byte above 0x7E is sent in ASCII mode or in a locale without UTF-8", arguments: [true, false])
    func ascii(byOption: Bool) async throws {
        let pty = try PseudoTerminal()
        let conversation = Conversation { pty.read { Self.restoresTheScreen($0, type: "xterm-256color") } }
        await #expect(processExitsWith: .exitCode(0)) { [path = pty.path as String, byOption = byOption as Bool] in
            PseudoTerminal.attach(path, type: "xterm-256color")
            if !byOption { setenv("LC_ALL", "C", 1) }
            var options = Terminal.Options()
            options.ascii = byOption
            let terminal = try Terminal(options)
            var surface = Surface(terminal.size)
            surface.put("é漢字 ╭─╮ 👩‍💻 →", at: Point(column: 0, row: 0), style: .plain)
            terminal.present(surface)
            terminal.setTitle("Titel ä")
            let isASCII = terminal.isASCII
            terminal.stop()
            exit(isASCII ? 0 : 1)
        }
        let text = conversation.output
        #expect(text.utf8.allSatisfy { $0 < 0x7F })
        #expect(text.contains("e? ? ") && text.contains("+-+"))
    }

    @Test(
        "a missing or unsuitable terminal has an error message",
        arguments: [
            ("dumb", "The terminal type \"dumb\" cannot move its cursor"),
            ("", "TERM is not set"),
            ("no-such-terminal", "The terminal type \"no-such-terminal\" is unknown."),
        ])
    func sentences(type: String, beginning: String) async throws {
        let pty = try PseudoTerminal()
        await #expect(processExitsWith: .exitCode(9)) {
            [path = pty.path as String, type = type as String, beginning = beginning as String] in
            PseudoTerminal.attach(path, type: type)
            do throws(Problem) {
                try Terminal.check()
            } catch {
                exit(error.sentence.hasPrefix(beginning) ? 9 : 1)
            }
        }
        await #expect(processExitsWith: .exitCode(9)) {
            close(STDIN_FILENO)
            _ = open("/dev/null", O_RDONLY)
            do throws(Problem) {
                _ = try Terminal()
            } catch {
                exit(error.kind == .unsupported ? 9 : 1)
            }
        }
    }
}

extension String {
    /// Returns the byte offset of the last occurrence of a string.
    fileprivate func range(ofLast text: String) -> Int? {
        let (content, wanted) = (Array(utf8), Array(text.utf8))
        guard content.count >= wanted.count else { return nil }
        return (0...content.count - wanted.count).last { content[$0..<$0 + wanted.count].elementsEqual(wanted) }
    }
}
