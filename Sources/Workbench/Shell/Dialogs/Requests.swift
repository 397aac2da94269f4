package import Console

/// A choice from a list.
package struct ChoiceRequest<Answer: Sendable>: Sendable {
    package var chooser: Chooser<String>
    package var accept: @Sendable ([String]) -> Answer
    /// The answer when the person goes back without a choice.
    package var cancelled: Answer?

    /// One value of a list.
    ///
    /// - Parameter typed: what Enter does with text that names no choice, such as `Add the model at`; the text is then
    ///   the value.
    package init(
        _ title: String, _ choices: [Choice<String>], typed: String? = nil, cancelled: Answer? = nil,
        accept: @escaping @Sendable (String) -> Answer
    ) {
        self.init(title, many: choices, cancelled: cancelled) { accept($0[0]) }
        chooser.allowsMany = false
        chooser.typedAction = typed
    }

    /// Several values of a list, marked with Tab.
    package init(
        _ title: String, many choices: [Choice<String>], cancelled: Answer? = nil,
        accept: @escaping @Sendable ([String]) -> Answer
    ) {
        chooser = Chooser(title, choices)
        chooser.allowsMany = true
        self.accept = accept
        self.cancelled = cancelled
    }
}

/// Several values that are changed together.
package struct FormRequest<Answer: Sendable>: Sendable {
    package var form: Form
    /// Takes every value by name; `Form.changes` of the given form tells which differ.
    package var accept: @Sendable ([String: String]) -> Answer
    package var cancelled: Answer?

    package init(
        _ form: Form, cancelled: Answer? = nil, accept: @escaping @Sendable ([String: String]) -> Answer
    ) {
        self.form = form
        self.accept = accept
        self.cancelled = cancelled
    }
}

/// A file or folder.
package struct FileRequest<Answer: Sendable>: Sendable {
    package var title: String
    package var wanted: FileBrowser.Wanted
    /// Where to begin; nil begins in the current folder.
    package var folder: String?
    /// Whether a file of this name is what is looked for.
    package var isExpected: @Sendable (String) -> Bool
    package var cancelled: Answer?
    /// Takes an absolute path.
    package var accept: @Sendable (String) -> Answer

    package init(
        _ title: String, _ wanted: FileBrowser.Wanted = .file, from folder: String? = nil,
        isExpected: @escaping @Sendable (String) -> Bool = { _ in true }, cancelled: Answer? = nil,
        accept: @escaping @Sendable (String) -> Answer
    ) {
        self.title = title
        self.wanted = wanted
        self.folder = folder
        self.isExpected = isExpected
        self.cancelled = cancelled
        self.accept = accept
    }
}
