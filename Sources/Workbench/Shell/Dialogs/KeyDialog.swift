package import Console
internal import Presentation

/// Records the new keys of an action.
struct KeyDialog: Dialog {
    /// Description of the action.
    let description: String
    /// Current keys of the action, as displayed.
    let present: String
    private var pressed: [Key] = []
    let accept: ([Key]) -> Void

    init(_ description: String, present: String, accept: @escaping ([Key]) -> Void) {
        self.description = description
        self.present = present
        self.accept = accept
    }

    /// Records at most three keys; Enter and Esc end the recording, as in every dialog.
    mutating func press(_ key: Key) -> DialogOutcome {
        switch key.code {
        case .escape: return .closes
        case .enter:
            guard !pressed.isEmpty else { return .refused("Press the new key first, then Enter.") }
            return .closes { [accept, pressed] in accept(pressed) }
        case .backspace where !pressed.isEmpty: pressed.removeLast()
        default: if pressed.count < 3 { pressed.append(key) }
        }
        return .stays
    }

    func click(at point: Point, in screen: Rect) -> DialogOutcome { .stays }

    func draw(into surface: inout Surface, in screen: Rect, theme: Theme) {
        let keys = pressed.isEmpty ? "press the new key" : KeyLabel.text(pressed)
        Question<Void>(
            "New key: \(description)", lines: ["now      \(present.isEmpty ? "none" : present)", "new      \(keys)"],
            escape: "cancel   Enter save   Backspace remove", []
        ).draw(into: &surface, in: screen, theme: theme)
    }
}

extension Shell {
    /// Runs `:keys`: chooses an action, records its new keys, and saves them in `config.toml`.
    func chooseKeys() {
        let own = panel.keyActions.map { (action: $0, panel: String?.some(panel.identifier)) }
        let shared = keymap.bindings.map { (action: BoundAction($0), panel: String?.none) }
        let rows = own + shared
        var chooser = Chooser(
            "Change a key",
            rows.indices.map { index in
                Choice(
                    rows[index].action.description, group: rows[index].action.name, facts: [rows[index].action.label],
                    value: index)
            })
        chooser.factRole = .key
        overlay = .dialog(
            ChooserDialog(
                chooser: chooser,
                accept: { [unowned self] in record(rows[$0[0]].action, of: rows[$0[0]].panel) }))
    }

    private func record(_ action: BoundAction, of panel: String?) {
        overlay = .dialog(
            KeyDialog(action.description, present: action.label) { [unowned self] keys in
                rebind(action, of: panel, to: keys)
            })
    }

    /// Saves the keys, applies them at once, and reports conflicts.
    private func rebind(_ action: BoundAction, of panel: String?, to keys: [Key]) {
        guard !isHeadless else { return notify("Keys are saved only when Orrery runs in a terminal.", .warning) }
        let (notation, path) = (KeyNotation.text(of: keys), settings.path)
        run(
            { () -> (problem: String?, settings: Settings) in
                let problem = KeyRebindings.save(keysOf: action.name, panel: panel, to: notation, in: path)
                return (problem, Settings.workbench())
            },
            then: { shell, saved in
                if let problem = saved.problem { return shell.notify(problem, .failure) }
                shell.take(saved.settings, after: "\(KeyLabel.text(keys)): \(action.description)", of: action.name)
            })
    }

    private func take(_ settings: Settings, after change: String, of action: String) {
        keymap = Keymap(ShellAction.bindings, rebindings: settings.keys, panel: nil)
        for panel in panels { panel.rebind(settings.keys) }
        let problem = Workbench.keyProblems(settings).first { $0.text.contains(action) }?.sentence
        notify(problem ?? "\(change). Saved in \(self.settings.path).", problem == nil ? .success : .warning)
    }
}

/// An action of any panel, with its keys.
package struct BoundAction: Hashable, Sendable {
    package var name: String
    package var description: String
    package var label: String

    package init<Action>(_ binding: Binding<Action>) {
        name = binding.name
        description = binding.description
        label = binding.label
    }
}
