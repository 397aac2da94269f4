/// Tells whether a call was made before: the same tool with the same arguments, however they were written.
struct RepeatGuard {
    private struct Key: Hashable {
        var tool: String
        var arguments: String
    }

    private var steps: [Key: Int] = [:]
    /// How often a call came again, all calls together.
    private(set) var repeats = 0

    /// Returns the step of the first identical call; `nil` for a new call, which is remembered.
    mutating func step(ofEarlier tool: String, _ arguments: ToolArguments, now step: Int) -> Int? {
        let key = Key(tool: tool, arguments: arguments.canonical)
        if let earlier = steps[key] {
            repeats += 1
            return earlier
        }
        steps[key] = step
        return nil
    }
}
