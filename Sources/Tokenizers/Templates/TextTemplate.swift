public import JSON
internal import LanguageModels

/// A text with places for the fields of a row: the templates of evaluation tasks.
///
/// The language is Jinja as the evaluation harness sets it up: white space round tags is text, a line feed at the end
/// stays, and a name that the row does not have is an error. Prompts with nothing but `{{ name }}` in them mean the same
/// to Nunjucks.
/// ```swift
/// let template = try TextTemplate("Question: {{question}}\nAnswer:")
/// try template.render(try JSONValue(json: #"{"question": "2 + 2?"}"#))     // Question: 2 + 2?\nAnswer:
/// ```
public struct TextTemplate: Sendable {
    /// The template as it was given.
    public let source: String
    /// Whether a name that the row does not have is an error; it prints as nothing otherwise.
    public let isStrict: Bool
    private let statements: [Jinja.Statement]
    private let limits: Jinja.Limits
    private static let functions = Jinja.functions()

    /// Parses a template.
    public init(_ source: String, isStrict: Bool = true) throws(ChatTemplateError) {
        self.source = source
        self.isStrict = isStrict
        limits = Jinja.Limits()
        do throws(ChatTemplateError) {
            statements = try Jinja.Parser.parse(source, limits, .kept)
        } catch {
            throw error.ofText
        }
    }

    /// Whether it has no tags, so that every row gives the same text.
    public var isConstant: Bool {
        statements.allSatisfy { if case .text = $0 { true } else { false } }
    }

    /// Renders the members of an object; other values have no names.
    ///
    /// - Throws: for a name that the row does not have, with the names that it has.
    public func render(_ variables: JSONValue) throws(ChatTemplateError) -> String {
        do throws(ChatTemplateError) {
            var globals = Self.functions
            for member in variables.members ?? [] {
                globals[member.key] = try Jinja.Value(member.value, .template)
            }
            let evaluator = Jinja.Evaluator(globals: globals, now: .now(), limits: limits, isStrict: isStrict)
            for member in variables.members ?? [] { _ = try evaluator.made(globals[member.key] ?? .none) }
            try evaluator.run(statements)
            return evaluator.output.string
        } catch {
            var error = error.ofText
            if error.kind == .evaluation, error.explanation.hasSuffix(" is undefined.") {
                let names = (variables.members ?? []).map(\.key)
                let some = names.prefix(12).joined(separator: ", ") + (names.count > 12 ? " and more" : "")
                error.explanation.removeLast()
                error.explanation += names.isEmpty ? ": the row has no columns." : ": the row has \(some)."
            }
            throw error
        }
    }
}

extension ChatTemplateError {
    /// The same error of a template that is not a chat's.
    fileprivate var ofText: ChatTemplateError {
        var error = self
        error.subject = "Template"
        return error
    }
}
