public import Console
internal import Glibc
public import Presentation
internal import System
public import Workspace

/// The terminal application, on a terminal or as text.
public enum Workbench {
    /// Runs the workbench on the terminal until the user quits, and returns the exit status.
    ///
    /// - Parameters:
    ///   - notice: Text of the first frame, shown while `prepare` runs; `nil` shows nothing.
    ///   - prepare: Work that the panels need and the user waits for.
    /// - Throws: `Problem` if no terminal can be used, and any error of `prepare`.
    public static func run(
        workspace: Workspace, settings: Settings, panel: String? = nil, opening reference: Reference? = nil,
        screen: PanelScreen? = nil, notice: String? = nil, prepare: () throws -> Void = {}
    ) throws -> Int32 {
        let terminal = try Terminal(settings.terminalOptions)
        defer { terminal.stop() }
        let theme = theme(for: terminal, settings)
        if let notice { terminal.present(frame(saying: notice, size: terminal.size, theme: theme)) }
        try prepare()
        let shell = Shell(
            workspace: workspace, settings: settings, theme: theme, size: terminal.size,
            engine: ThreadedEngine(mailbox: Mailbox()), clock: wallClock)
        let engine = shell.engine
        let stopObserving = workspace.jobs.observe { engine.post(.progressed($0)) }
        defer { stopObserving() }
        shell.firstScreen = screen
        shell.start(panel: screen?.panel ?? panel ?? (reference == nil ? shell.lastPanel : nil), opening: reference)
        report(shell)
        let status = loop(shell, terminal)
        shell.cancelAll()
        engine.finishWrites()
        awaitJobs(of: shell, terminal)
        shell.saveScreens()
        terminal.stop()
        _ = shell.parting.withCString { write(STDERR_FILENO, $0, strlen($0)) }
        return status
    }

    /// Returns a screen with one sentence in the middle.
    package static func frame(saying sentence: String, size: Size, theme: Theme) -> Surface {
        var surface = Surface(size, style: theme[.text])
        surface.put(
            sentence, at: Point(column: 0, row: size.rows / 2), style: theme[.dim], width: size.columns,
            aligned: .center)
        if theme.canvas.isPainted { surface.paint(theme.canvas) }
        return surface
    }

    /// Runs the event loop on one thread: wait for input, a message, or a deadline; update; draw once if something
    /// changed.
    private static func loop(_ shell: Shell, _ terminal: Terminal) -> Int32 {
        while true {
            if shell.needsDrawing {
                shell.needsDrawing = false
                terminal.present(shell.draw())
            }
            for event in terminal.wait(until: shell.nextDeadline) {
                shell.handle(event)
            }
            shell.drainEngine()
            shell.passDeadlines(at: .now)
            for request in shell.takeRequests() {
                switch request {
                case .copy(let text):
                    if !terminal.copy(text) {
                        shell.notify(
                            "The text is too long for the terminal's clipboard. Press e to export it.", .warning)
                    }
                case .edit(let path, let panel, let answer):
                    if let problem = terminal.lend({ Editor.open(path) }) { shell.notify(problem, .failure) }
                    shell.edited(panel: panel, answer: answer)
                case .suspend: terminal.suspend()
                case .redraw: terminal.redraw()
                case .quit(let status): return status
                }
                shell.needsDrawing = true
            }
        }
    }

    /// Waits up to two seconds for canceled work to save its results.
    private static func awaitJobs(of shell: Shell, _ terminal: Terminal) {
        let deadline = ContinuousClock.now + .seconds(2)
        while !shell.jobs.isEmpty || shell.isStreaming, .now < deadline {
            _ = terminal.wait(until: deadline)
            shell.drainEngine()
        }
    }

    /// Returns the screen of a panel after some keys.
    ///
    /// - Parameter keys: Keys in the notation of `KeyNotation.typed`, such as `jj]e/timeout<enter>`.
    public static func show(
        panel: String, workspace: Workspace, settings: Settings, size: Size, keys: String = "",
        opening reference: Reference? = nil, screen: PanelScreen? = nil, clock: (@Sendable () -> Int64)? = nil
    ) throws -> Surface {
        let shell = Shell(
            workspace: workspace, settings: settings, theme: theme(named: settings.theme, ascii: settings.isASCII),
            size: size, engine: InlineEngine(), clock: clock ?? wallClock)
        guard shell.panels.contains(where: { $0.identifier == panel }) else {
            let known = shell.panels.map(\.identifier).joined(separator: ", ")
            throw Problem(.unknown, "", "Unknown panel \"\(panel)\"", remedy: "Panels: \(known).")
        }
        shell.isHeadless = true
        shell.marksReadOnly = false
        shell.firstScreen = screen
        shell.start(panel: panel, opening: reference)
        shell.settle()
        for key in try KeyNotation.typed(keys) {
            shell.handle(.key(key))
            shell.settle()
            if shell.takeRequests().contains(where: { if case .quit = $0 { true } else { false } }) { break }
        }
        return settings.isASCII ? shell.draw().transliterated() : shell.draw()
    }

    /// Returns the theme of the settings, for output without a terminal.
    public static func theme(for settings: Settings) -> Theme { theme(named: settings.theme, ascii: settings.isASCII) }

    /// Example lines of `config.toml` that change keys without a conflict.
    package static let keyExample = """
        [keys]
        palette = ["ctrl-p", "f2"]
        redraw = "f5"

        [keys.traces]
        next-error = ["]e", "f8"]
        rename = "none"
        """

    /// Reference of all keys, as Markdown.
    public static var keyReference: String {
        var reference = KeyReference()
        let panels = Panels.all.map { "`\($0.identifier)`" }.joined(separator: ", ")
        reference.introduction = """
            ## Change a key

            Type `:keys` in the workbench, choose an action, press its new key, then Enter. The workbench saves the key and
            uses it immediately. Or edit `$XDG_CONFIG_HOME/orrery/config.toml` (`~/.config/orrery/config.toml` if the
            variable is not set) and restart the workbench:

            ```toml
            \(keyExample)
            ```

            `[keys]` applies to every panel with an action of that name, `[keys.PANEL]` to one panel: \(panels).
            The tables below list the name of each action. Write the keys of a sequence together (`]e`) or apart (`ctrl-x s`), modifiers as `ctrl-`, `alt-`,
            and `shift-`, and special keys by name: `space`, `enter`, `esc`, `tab`, `backspace`, `del`, `up`, `pgdn`, `home`,
            `f5`. `"none"` leaves an action without a key. `orrery config show` reports every line that it cannot use.
            """
        reference.add(
            "Everywhere", ShellAction.bindings,
            introduction: "These keys work in every panel that does not bind them itself.")
        for panel in Panels.all { panel.document(&reference) }
        return reference.markdown
    }

    /// Returns problems in settings and keys: problems of the settings file in file order, then the others.
    public static func problems(with settings: Settings) -> [SettingProblem] {
        let all = settings.problems + keyProblems(settings)
        // Sort by index as well, so that problems of one line keep their order.
        return all.indices.sorted { (all[$0].line ?? .max, $0) < (all[$1].line ?? .max, $1) }.map { all[$0] }
    }

    /// Returns problems in the user's key bindings.
    package static func keyProblems(_ settings: Settings) -> [SettingProblem] {
        settings.keys.problems(panels: Panels.all.map(\.identifier))
            + settings.keys.problems(
                panel: nil, bindings: ShellAction.bindings, others: Set(Panels.all.flatMap(\.actionNames)))
            + Panels.all.flatMap { $0.keyProblems(settings.keys) }
    }

    // MARK: Pieces

    private static let wallClock: @Sendable () -> Int64 = {
        Clock.nanoseconds(.wall)
    }

    private static func theme(for terminal: Terminal, _ settings: Settings) -> Theme {
        let ascii = settings.isASCII || terminal.isASCII
        let depth = terminal.colors
        guard settings.theme == "auto" else {
            return theme(named: settings.theme, ascii: ascii).fitted(to: depth)
        }
        let suited = Theme.suited(
            toColors: depth.rawValue, lightBackground: terminal.isDarkBackground == false)
        return (ascii ? suited.with(.ascii) : suited).fitted(to: depth)
    }

    private static func theme(named name: String, ascii: Bool) -> Theme {
        let theme = (try? Themes.named(name)) ?? .dark
        return ascii ? theme.with(.ascii) : theme
    }

    /// Shows problems at the start: settings first, in file order.
    package static func report(_ shell: Shell) {
        let problems = problems(with: shell.settings)
        var news = problems.map { (sentence: $0.sentence, severity: Severity.warning) }
        if let cutOff = shell.interruptedJobs { news.append((cutOff, .warning)) }
        if let note = shell.workspace.conversion ?? shell.workspace.notes.first { news.append((note, .information)) }
        shell.notify(news, shortened: problems.first?.brief)
    }
}
