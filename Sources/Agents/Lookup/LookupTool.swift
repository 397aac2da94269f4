public import LanguageModels

/// Finds the value of a key such as `Mira's boat color` or `Norway capital` in a table.
public struct LookupTool: Tool {
    private let table: LookupTable

    public init(_ table: LookupTable = LookupTable()) { self.table = table }

    public var definition: ToolDefinition {
        ToolDefinition(
            name: "lookup",
            description: "Returns the value of a key in a table; a key is a subject followed by an attribute.",
            parameters: Self.schema)
    }

    private static let schema = """
        {"type":"object","properties":{"key":{"type":"string","description":"subject attribute"}},\
        "required":["key"],"additionalProperties":false}
        """

    public func call(_ arguments: ToolArguments, isCancelled: () -> Bool) throws(ToolError) -> String {
        let key = try arguments.string("key")
        guard key.utf8.count <= 1000 else { throw ToolError("the key has more than 1000 bytes; write a shorter one") }
        return table.answer(to: key, isCancelled: isCancelled)
    }
}
