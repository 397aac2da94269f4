/// Why a chat template could not be read or rendered, and where in it.
public struct ChatTemplateError: Error, Hashable, Sendable {
    /// What sort of failure it is.
    public enum Kind: Hashable, Sendable {
        /// The source is not a template of the supported language.
        case syntax
        /// An expression failed, as it would in Jinja.
        case evaluation
        /// A limit that keeps hostile templates from taking all memory or time.
        case limit
        /// The template itself refused the conversation with `raise_exception`.
        case refused
    }

    public var kind: Kind
    /// Line, from 1; 0 if the error has no position in the template.
    public var line: Int
    /// Column in characters, from 1; 0 if the error has no position in the template.
    public var column: Int
    /// What is wrong, as a sentence without its place.
    public var explanation: String
    /// What kind of template it is, as its sentence begins.
    public var subject = "Chat template"

    public init(_ kind: Kind, line: Int = 0, column: Int = 0, _ explanation: String) {
        self.kind = kind
        self.line = line
        self.column = column
        self.explanation = explanation
    }

    /// What is wrong and where.
    public var sentence: String {
        let what = kind == .refused ? "the template rejected the conversation: \(explanation)" : explanation
        return line == 0 ? "\(subject): \(what)" : "\(subject), line \(line), column \(column): \(what)"
    }
}

extension ChatTemplateError: CustomStringConvertible {
    public var description: String { sentence }
}

extension ChatTemplateError {
    /// A failure of evaluation whose place the evaluator adds.
    static func failure(_ explanation: String) -> ChatTemplateError { ChatTemplateError(.evaluation, explanation) }

    /// A limit that was met; the evaluator adds the place.
    static func limit(_ explanation: String) -> ChatTemplateError { ChatTemplateError(.limit, explanation) }

    /// This error at a place, unless it has one.
    func at(_ place: Jinja.Place) -> ChatTemplateError {
        guard line == 0 else { return self }
        var error = ChatTemplateError(kind, line: place.line, column: place.column, explanation)
        error.subject = subject
        return error
    }
}
