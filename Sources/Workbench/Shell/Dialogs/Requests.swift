package import Console

/// A choice from a list.
package struct ChoiceRequest<Answer: Sendable>: Sendable {
    package var chooser: Chooser<String>
    package var accept: @Sendable ([String]) -> Answer
    /// Receives typed text that matches no choice; `nil` passes it to `accept`.
    package var acceptTyped: (@Sendable (String) -> Answer)?
    /// The answer if the user cancels.
    package var cancelled: Answer?

    /// Creates a request for one value of a list.
    ///
    /// - Parameter typed: Label of the action that Enter performs on text that matches no choice, such as `Add the
    ///   model at`; the text is then the value.
    package init(
        _ title: String, _ choices: [Choice<String>], typed: String? = nil, cancelled: Answer? = nil,
        accept: @escaping @Sendable (String) -> Answer
    ) {
        self.init(title, many: choices, cancelled: cancelled) { accept($0[0]) }
        chooser.allowsMultiple = false
        chooser.typedAction = typed
    }

    /// Creates a request for several values of a list, marked with Tab.
    package init(
        _ title: String, many choices: [Choice<String>], cancelled: Answer? = nil,
        accept: @escaping @Sendable ([String]) -> Answer
    ) {
        chooser = Chooser(title, choices)
        chooser.allowsMultiple = true
        self.accept = accept
        self.cancelled = cancelled
    }
}

/// A form of values that change together.
package struct FormRequest<Answer: Sendable>: Sendable {
    package var form: Form
    /// Receives every value by name; `Form.changes` returns the changed values.
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

extension FormRequest {
    /// Creates a request for one value.
    package init(
        _ title: String, verb: String = "apply", _ field: Form.Field, cancelled: Answer? = nil,
        accept: @escaping @Sendable (String) -> Answer
    ) {
        let name = field.name
        self.init(Form(title, verb: verb, [field]), cancelled: cancelled) { accept(($0[name] ?? "").trimmed) }
    }

    /// Creates a request for the file of an export: it proposes a name, completes paths with Tab, and reports an
    /// unsupported extension before Enter.
    ///
    /// - Parameter endings: Extensions that select the file format, such as `.md`.
    package init(
        export title: String, name: String, endings: [String], cancelled: Answer? = nil,
        accept: @escaping @Sendable (String) -> Answer
    ) {
        let known =
            endings.count > 2
            ? endings.dropLast().joined(separator: ", ") + ", or \(endings[endings.count - 1])"
            : endings.joined(separator: " or ")
        let field = Form.Field(
            "file", value: name, allowed: known, help: "An existing file is never overwritten.",
            isPath: true,
            check: { typed in
                let path = typed.trimmed
                if path.isEmpty || path.hasSuffix("/") { return "type a file name" }
                return endings.contains { path.hasSuffix($0) } ? nil : "must end in \(known)"
            })
        self.init(title, verb: "write", field, cancelled: cancelled, accept: accept)
    }
}

/// A file or folder.
package struct FileRequest<Answer: Sendable>: Sendable {
    package var title: String
    package var wanted: FileBrowser.Selectable
    /// Initial folder (default: the current folder).
    package var folder: String?
    /// Whether the caller expects a file of this name.
    package var isExpected: @Sendable (String) -> Bool
    package var cancelled: Answer?
    /// Receives an absolute path.
    package var accept: @Sendable (String) -> Answer

    package init(
        _ title: String, _ wanted: FileBrowser.Selectable = .file, from folder: String? = nil,
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
