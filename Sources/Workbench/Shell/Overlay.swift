internal import Console

/// An overlay, which covers the panel and receives the keys.
enum Overlay {
    case line(LineOverlay)
    case open(OpenMenu)
    /// The menu of all pages.
    case pages(Chooser<Int>)
    /// A chooser, a form, a question, or the file browser.
    case dialog(any Dialog)
    case help(HelpView)
    case jobs(JobMenu)
    case messages(TextView)

    var isPages: Bool { if case .pages = self { true } else { false } }
}

/// The input line at the bottom.
final class LineOverlay {
    let editor: LineEditor
    /// Called with the text after every change.
    let changed: ((String) -> Void)?
    let finished: (String) -> Void
    let cancelled: () -> Void
    private var last: String
    private let label: String
    /// Whether the text is an unchanged proposal, which is drawn as selected.
    private(set) var isSelected: Bool

    init(
        label: String, text: String, isProposal: Bool = false, history: String?, isHeadless: Bool,
        complete: @escaping (String) -> [String],
        changed: ((String) -> Void)?, cancelled: @escaping () -> Void, finished: @escaping (String) -> Void
    ) {
        // Keys from the command line do not come from a user, so no history stores them.
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

    /// Handles a key before the editor does: typed text replaces a selected proposal, an erasing key removes it, and
    /// any other key keeps it for editing.
    ///
    /// - Returns: Whether the key is fully handled.
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

    /// Inserts pasted text, which replaces a selected proposal.
    func insert(_ text: String) {
        if isSelected { clear() }
        isSelected = false
        editor.insert(text)
    }

    private func clear() {
        editor.cancel()
        editor.begin(prompt: label, text: "")
    }

    /// Reports each change of the text once.
    func noteChange() {
        guard editor.state.text != last else { return }
        last = editor.state.text
        changed?(last)
    }
}

/// Action of a palette entry: an action of the panel, an action of the shell, or a `:` command.
package enum PaletteEntry: Sendable {
    case panel(String)
    case shell(ShellAction)
    case command(String)
}
