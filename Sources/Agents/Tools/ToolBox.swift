public import LanguageModels

/// The tools of an agent, by name: calls are checked before they are run, and results are bounded.
///
/// ```swift
/// let tools = try ToolBox([Calculator(), LookupTool(table), SearchTool(documents)])
/// tools.run("calculator", ToolArguments(["expression": .string("12 * 7")])).text  // 84
/// ```
public struct ToolBox: Sendable {
    private struct Entry: Sendable {
        var tool: any Tool
        var definition: ToolDefinition
        var schema: ArgumentSchema
    }

    /// What a call gave.
    public struct Outcome: Hashable, Sendable {
        /// The result, or `error: ` and a sentence.
        public var text: String
        public var isError: Bool

        public init(text: String, isError: Bool) {
            self.text = text
            self.isError = isError
        }

        static func error(_ sentence: String) -> Outcome { Outcome(text: "error: " + sentence, isError: true) }
    }

    private let entries: [Entry]
    /// Maximum number of characters of a result; a notice reports how many were cut.
    public let resultLimit: Int

    /// - Throws: `ToolError` if two tools have the same name, or if a schema is invalid.
    public init(_ tools: [any Tool], resultLimit: Int = 2000) throws(ToolError) {
        var entries: [Entry] = []
        for tool in tools {
            let definition = tool.definition
            guard !entries.contains(where: { $0.definition.name == definition.name }) else {
                throw ToolError("duplicate tool \(definition.name)")
            }
            do throws(ToolError) {
                entries.append(
                    Entry(tool: tool, definition: definition, schema: try ArgumentSchema(definition.parameters)))
            } catch {
                throw ToolError("the tool \(definition.name) cannot be used: \(error.sentence)")
            }
        }
        self.entries = entries
        self.resultLimit = max(1, resultLimit)
    }

    public var definitions: [ToolDefinition] { entries.map(\.definition) }
    public var isEmpty: Bool { entries.isEmpty }

    /// `calculator(expression), lookup(key)`: names with the arguments of the schema, in its order.
    public var signatures: String {
        entries.map { entry in
            "\(entry.definition.name)(\(entry.schema.properties.map(\.name).joined(separator: ", ")))"
        }.joined(separator: ", ")
    }

    /// Checks and runs a call. It gives an outcome in every case: what is wrong is one too.
    public func run(
        _ name: String, _ arguments: ToolArguments, isCancelled: () -> Bool = { false }
    ) -> Outcome {
        guard let entry = entries.first(where: { $0.definition.name == name }) else {
            let known = entries.map(\.definition.name).joined(separator: ", ")
            let tools = known.isEmpty ? "no tools are available" : "tools are \(known)"
            return .error("unknown tool \"\(name.prefix(60))\"; \(tools)")
        }
        do throws(ToolError) {
            try entry.schema.check(arguments, of: name)
            let text = try entry.tool.call(arguments, isCancelled: isCancelled)
            return Outcome(text: bounded(text), isError: false)
        } catch {
            return .error(bounded(error.sentence))
        }
    }

    private func bounded(_ text: String) -> String {
        // Scalars are counted, not graphemes, of which one may be as long as a book.
        let scalars = text.unicodeScalars
        guard text.utf8.count > resultLimit, scalars.count > resultLimit else { return text }
        let notice = " [truncated: \(scalars.count - resultLimit) of \(scalars.count) characters left out]"
        return String(scalars.prefix(resultLimit)) + notice
    }
}
