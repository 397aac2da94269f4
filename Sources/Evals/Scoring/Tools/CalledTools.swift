internal import JSON
internal import LanguageModels

/// Tools that were called for a sample, in order.
enum CalledTools {
    /// Returns the tools that ran, or, if none ran, those that the model requested.
    static func all(_ solution: Solution) -> [ToolCall] {
        var run: [ToolCall] = []
        var asked: [ToolCall] = []
        for step in solution.steps {
            switch step {
            case .tool(let tool): run.append(tool.call)
            case .model(let call) where call.purpose == nil:
                for case .toolCall(let call) in call.response?.message.parts ?? [] { asked.append(call) }
            default: break
            }
        }
        return run.isEmpty ? asked : run
    }

    /// Returns the arguments of a call as an object; `nil` if they are not valid JSON.
    static func arguments(_ call: ToolCall) -> JSONValue? {
        call.arguments.isEmpty ? .object([]) : try? JSONValue(json: call.arguments)
    }
}
