internal import Console

/// A box over the panel that receives every key until it is answered or closed.
///
/// Choosers, forms, questions, and the file browser are values of Console; a dialog connects one of them to the action
/// that follows its answer.
protocol Dialog {
    mutating func press(_ key: Key) -> DialogOutcome
    mutating func paste(_ text: String) -> DialogOutcome
    mutating func click(at point: Point, in screen: Rect) -> DialogOutcome
    func draw(into surface: inout Surface, in screen: Rect, theme: Theme)
    /// Whether the box has nothing left to ask and closes by itself.
    var isOver: Bool { get }
}

extension Dialog {
    var isOver: Bool { false }
    mutating func paste(_ text: String) -> DialogOutcome { .stays }
}

/// The outcome of a key in a dialog.
enum DialogOutcome {
    case stays
    /// The choice under the cursor is disabled; the text says why.
    case refused(String)
    /// The box closes, and then the action runs.
    case closes(() -> Void)
    /// The box closes and nothing follows.
    static var closes: DialogOutcome { .closes {} }
}

/// A list to choose from.
struct ChooserDialog<Value: Sendable>: Dialog {
    var chooser: Chooser<Value>
    let accept: ([Value]) -> Void
    /// Receives typed text that matches no choice.
    var typed: (String) -> Void = { _ in }
    var cancelled: () -> Void = {}

    mutating func press(_ key: Key) -> DialogOutcome {
        switch chooser.press(key) {
        case .stays: return .stays
        case .closed: return .closes(cancelled)
        case .refused(let reason): return .refused(reason)
        case .chosen(let values): return .closes { [accept] in accept(values) }
        case .typed(let text): return .closes { [typed] in typed(text) }
        }
    }

    mutating func paste(_ text: String) -> DialogOutcome {
        chooser.paste(text)
        return .stays
    }

    mutating func click(at point: Point, in screen: Rect) -> DialogOutcome {
        chooser.click(at: point, in: screen) ? press(Key(.enter)) : .closes(cancelled)
    }

    func draw(into surface: inout Surface, in screen: Rect, theme: Theme) {
        chooser.draw(into: &surface, in: screen, theme: theme)
    }
}

/// A form of values that change together.
struct FormDialog: Dialog {
    var form: Form
    /// Requests the paths that start with a text, which arrive as a message of the engine.
    let complete: (String) -> Void
    let accept: ([String: String]) -> Void
    let cancelled: () -> Void

    mutating func press(_ key: Key) -> DialogOutcome {
        switch form.press(key) {
        case .stays: return .stays
        case .completing(let text):
            complete(text)
            return .stays
        case .closed: return .closes(cancelled)
        case .accepted(let values): return .closes { [accept] in accept(values) }
        }
    }

    mutating func paste(_ text: String) -> DialogOutcome {
        form.paste(text)
        return .stays
    }

    mutating func click(at point: Point, in screen: Rect) -> DialogOutcome {
        form.click(at: point, in: screen)
        return .stays
    }

    func draw(into surface: inout Surface, in screen: Rect, theme: Theme) {
        form.draw(into: &surface, in: screen, theme: theme)
    }
}

/// A question that one key answers. Built whenever the box is drawn or a key arrives, so that a question about work in
/// progress shows its present state.
struct QuestionDialog<Value: Sendable>: Dialog {
    /// Returns the question, or `nil` if there is nothing left to ask; the box then closes.
    let question: () -> Question<Value>?
    var cancelled: () -> Void = {}
    let accept: (Value) -> Void

    var isOver: Bool { question() == nil }

    func press(_ key: Key) -> DialogOutcome {
        guard let question = question() else { return .closes(cancelled) }
        return switch question.press(key) {
        case .stays: .stays
        case .closed: .closes(cancelled)
        case .chosen(let value): .closes { [accept] in accept(value) }
        }
    }

    func click(at point: Point, in screen: Rect) -> DialogOutcome {
        guard let value = question()?.click(at: point, in: screen) else { return .stays }
        return .closes { [accept] in accept(value) }
    }

    func draw(into surface: inout Surface, in screen: Rect, theme: Theme) {
        question()?.draw(into: &surface, in: screen, theme: theme)
    }
}

/// A browser for a file or folder.
struct FileDialog: Dialog {
    var browser: FileBrowser
    /// Requests the listing of a folder, which arrives as a message of the engine.
    let read: (String) -> Void
    let preview: (String) -> Void
    let accept: (String) -> Void
    let cancelled: () -> Void

    mutating func press(_ key: Key) -> DialogOutcome { follow(browser.press(key)) }
    mutating func paste(_ text: String) -> DialogOutcome { follow(browser.paste(text)) }

    mutating func click(at point: Point, in screen: Rect) -> DialogOutcome {
        browser.click(at: point, in: screen) ? press(Key(.enter)) : .closes(cancelled)
    }

    /// Requests the preview of the entry under the cursor, unless it is loaded.
    func wantPreview() {
        if let path = browser.missingPreview { preview(path) }
    }

    private mutating func follow(_ outcome: FileBrowser.Outcome) -> DialogOutcome {
        switch outcome {
        case .stays: wantPreview()
        case .list(let folder): read(folder)
        case .chosen(let path): return .closes { [accept] in accept(path) }
        case .closed: return .closes(cancelled)
        }
        return .stays
    }

    func draw(into surface: inout Surface, in screen: Rect, theme: Theme) {
        browser.draw(into: &surface, in: screen, theme: theme)
    }
}
