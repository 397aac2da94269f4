/// A tool that a model may call.
public struct ToolDefinition: Hashable, Sendable {
    public var name: String
    public var description: String
    /// A JSON Schema of the arguments, as JSON text.
    public var parameters: String

    public init(name: String, description: String, parameters: String) {
        self.name = name
        self.description = description
        self.parameters = parameters
    }
}
