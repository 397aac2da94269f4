internal import Console

/// What lies over the panel and takes the keys.
enum Overlay {
    case line(LineOverlay)
    case places(PlaceMenu)
    /// A chooser, a form, a question, or the file browser.
    case dialog(any Dialog)
    case help(HelpView)
    case jobs(JobMenu)
    case messages(TextView)
}

/// The line at the bottom that a person types into.
final class LineOverlay {
    let editor: LineEditor
    /// What is to be done with the text at every change.
    let changed: ((String) -> Void)?
    let finished: (String) -> Void
    let cancelled: () -> Void
    private var last: String
    private let label: String
    /// The text is a proposal that nobody has touched: it is drawn as selected.
    private(set) var isSelected: Bool

    init(
        label: String, text: String, isProposal: Bool = false, history: String?, isHeadless: Bool,
        complete: @escaping (String) -> [String],
        changed: ((String) -> Void)?, cancelled: @escaping () -> Void, finished: @escaping (String) -> Void
    ) {
        // What is typed without a terminal is no person's: no history hears of it.
        let kept = isHeadless ? nil : history.map(LineHistory.named)
        editor = LineEditor(
            history: kept ?? LineHistory(), engine: isHeadless ? .plain : .standard, completion: complete)
        editor.begin(prompt: label, text: text)
        self.changed = changed
        self.finished = finished
        self.cancelled = cancelled
        last = text
        self.label = label
        isSelected = isProposal && !text.isEmpty
    }

    /// Before a key reaches the editor: what is typed takes the place of a selected text, as does a key that takes away;
    /// every other key leaves it to be changed.
    ///
    /// - Returns: whether the key has done its work with that.
    func touch(_ key: Key) -> Bool {
        guard isSelected else { return false }
        isSelected = false
        let isErasing = key.code == .backspace || key.code == .delete
        var isTyped = false
        if case .character = key.code { isTyped = key.modifiers.subtracting(.shift).isEmpty }
        guard isErasing || isTyped else { return false }
        clear()
        return isErasing
    }

    /// Pasted text takes the place of a selected one too.
    func insert(_ text: String) {
        if isSelected { clear() }
        isSelected = false
        editor.insert(text)
    }

    private func clear() {
        editor.cancel()
        editor.begin(prompt: label, text: "")
    }

    /// Tells of a change of the text, once each.
    func noteChange() {
        guard editor.state.text != last else { return }
        last = editor.state.text
        changed?(last)
    }
}

/// What an entry of the palette does: a panel's action, one of the shell's, or a command of the `:` line.
package enum PaletteEntry: Sendable {
    case panel(String)
    case shell(ShellAction)
    case command(String)
}
