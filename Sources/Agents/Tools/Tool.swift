public import LanguageModels

/// Something that an agent may do: it takes arguments that fit its schema and gives a text.
///
/// Tools run in this process and on the thread of the loop, one at a time. What must be fenced in (programs, files that
/// are written, the network) belongs behind a tool that starts a process of its own.
public protocol Tool: Sendable {
    /// Its name, what it does, and the JSON Schema of its arguments, which is an object.
    var definition: ToolDefinition { get }

    /// Does its work.
    ///
    /// - Parameters:
    ///   - arguments: Arguments that match the schema.
    ///   - isCancelled: Checked often by a tool that takes longer than some milliseconds; true ends it, with any error.
    /// - Throws: `ToolError` that tells the model why there is no result.
    func call(_ arguments: ToolArguments, isCancelled: () -> Bool) throws(ToolError) -> String
}

/// Why a tool gave no result: a sentence for the model, without a full stop.
public struct ToolError: Error, Hashable, CustomStringConvertible {
    public var sentence: String

    public init(_ sentence: String) { self.sentence = sentence }

    public var description: String { sentence }
}
