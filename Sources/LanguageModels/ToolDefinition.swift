/// A tool that a model can call.
public struct ToolDefinition: Hashable, Sendable {
    /// Name of the tool.
    public var name: String
    /// Description for the model.
    public var description: String
    /// JSON Schema of the arguments, as JSON text.
    public var parameters: String

    /// Creates a definition.
    public init(name: String, description: String, parameters: String) {
        self.name = name
        self.description = description
        self.parameters = parameters
    }
}
