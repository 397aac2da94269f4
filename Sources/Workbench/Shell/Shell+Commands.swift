internal import Configuration
internal import Console
internal import Presentation
internal import Workspace

extension Shell {
    /// Opens the `:` line.
    func beginCommandLine() {
        run({ Themes.names }, then: { shell, names in shell.themeNames = names })
        overlay = .line(
            LineOverlay(
                label: ":", text: "", history: "command", isHeadless: isHeadless,
                complete: { [unowned self] in completions(for: $0) }, changed: nil, cancelled: {},
                finished: { [unowned self] in run(command: $0) }))
    }

    /// Commands of the shell; every action of the panel is also a command.
    enum Command: String, CaseIterable {
        case theme, panel, keys, help, tour, jobs, messages, quit

        /// Description for the help.
        var description: String {
            switch self {
            case .theme: "choose dark, light, high-contrast, mono, or your own theme"
            case .panel: "choose a page by name"
            case .keys: "change a key by pressing the new one"
            case .help: "show the keys of this panel"
            case .tour: "take a five-step tour of the sample workspace"
            case .jobs: "list jobs: running, finished, and interrupted"
            case .messages: "list the messages shown so far"
            case .quit: "quit Orrery"
            }
        }
    }

    func run(command line: String) {
        let words = line.split(separator: " ").map(String.init)
        guard let name = words.first else { return }
        if let command = Command(rawValue: name) ?? (name == "q" ? .quit : nil) {
            return run(command, words.dropFirst().first)
        }
        if let effects = panel.run(command: name, words: Array(words.dropFirst())) {
            return perform(effects, for: current)
        }
        if let action = keymap.bindings.first(where: { $0.name == name })?.action { return perform(action) }
        switch panel.run(command: name) {
        case .done(let effects): perform(effects, for: current)
        case .refused(let reason): notify(reason, .warning)
        case .waits: break
        case .unbound:
            if !open(named: name) {
                notify("Unknown command \"\(name)\". Type : and press Tab for a list.", .warning)
            }
        }
    }

    private func run(_ command: Command, _ argument: String?) {
        switch command {
        case .theme:
            choose(theme: argument)
        case .panel: choose(panel: argument)
        case .keys: chooseKeys()
        case .help: perform(.help)
        case .tour: beginTour()
        case .jobs: showJobs()
        case .messages: showMessages()
        case .quit: perform(.quit)
        }
    }

    private func choose(panel name: String?) {
        if let index = panels.firstIndex(where: { $0.identifier == name }) { return show(index) }
        if let name {
            let remedy = NearestName.remedy(name, among: panels.map(\.identifier), none: "")
            return notify("Unknown panel \"\(name)\". \(remedy)", .warning)
        }
        overlay = .dialog(ChooserDialog(chooser: pageChooser(), accept: { [unowned self] in show($0[0]) }))
    }

    private func choose(theme name: String?) {
        guard let name else {
            return run({ Themes.names }, then: { shell, names in shell.list(themes: names) })
        }
        let (path, origin) = (isHeadless ? nil : settings.path, settings[.theme].origin)
        run(
            { ThemeChoice(name, savedIn: path, origin: origin) },
            then: { shell, choice in
                if let theme = choice.theme {
                    shell.theme = theme.with(shell.theme.glyphs).fitted(to: shell.theme.depth)
                    shell.requests.append(.redraw)
                }
                shell.notify(choice.sentence, choice.severity)
            })
    }

    private func list(themes names: [String]) {
        guard overlay == nil else { return }
        themeNames = names
        let choices = (names + [ThemeChoice.automatic]).map { Choice($0, isCurrent: $0 == theme.name) }
        overlay = .dialog(
            ChooserDialog(chooser: Chooser("Theme", choices), accept: { [unowned self] in choose(theme: $0[0]) }))
    }

    private func completions(for text: String) -> [String] {
        let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        let last = words.last ?? ""
        let candidates: [String] =
            switch words.count {
            case ...1:
                Command.allCases.map(\.rawValue) + panel.commandNames + keymap.bindings.map(\.name)
                    + panels.map(\.identifier)
            case 2 where words[0] == "theme": themeNames + [ThemeChoice.automatic]
            case 2 where words[0] == "panel": panels.map(\.identifier)
            default: []
            }
        return Array(Set(candidates.filter { $0.hasPrefix(last) })).sorted()
    }

    /// Uses the light theme on a light terminal, unless the user has chosen a theme.
    func adopt(background isDark: Bool) {
        guard settings.theme == "auto", theme.name == Theme.dark.name, !isDark else { return }
        theme = Theme.light.with(theme.glyphs).fitted(to: theme.depth)
        needsDrawing = true
    }

    package func takeRequests() -> [TerminalRequest] {
        defer { requests = [] }
        return requests
    }

    // MARK: The last screen

    /// Panel that was in front at the end of the last session.
    package var lastPanel: String? { isHeadless ? nil : (try? workspace.state.value(PanelScreen.key)) ?? nil }

    func savedScreen(of panel: String) -> String? {
        if let firstScreen, firstScreen.panel == panel { return firstScreen.text }
        return isHeadless ? nil : (try? workspace.state.value(PanelScreen.key(of: panel))) ?? nil
    }

    /// Saves the screens of all panels, unless the workspace is read-only.
    package func saveScreens() {
        workspace.state.set(PanelScreen.key, to: panel.identifier)
        saveLastPages()
        for panel in panels where panel.isStarted {
            workspace.state.set(PanelScreen.key(of: panel.identifier), to: panel.save())
        }
    }

    /// Handles messages of the engine until none are left, for screens without a terminal.
    package func settle() {
        for _ in 0..<10_000 {
            if drainEngine() { continue }
            guard let key = waits.filter({ $0.key.key == "text" }).first?.key, let wait = waits.removeValue(forKey: key)
            else { return }
            perform(panels[key.panel].answer(wait.answer), for: key.panel)
        }
    }
}
