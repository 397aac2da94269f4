internal import JSON
internal import System

extension PromptfooChecks {
    /// Supported keys in the value of an assertion, by type; other types accept any value.
    private static let valueKeys: [String: [String]] = [
        "word-count": ["min", "max"], "trajectory:tool-used": ["name"], "trajectory:tool-sequence": ["mode", "steps"],
        "trajectory:tool-args-match": ["name", "args", "arguments", "mode"],
        "trajectory:step-count": ["min", "max"], "trajectory:goal-success": ["goal"],
    ]
    /// Supported words of `mode`.
    private static let modes: [String: [String]] = [
        "trajectory:tool-sequence": ["in_order", "exact"],
        "trajectory:tool-args-match": ["partial", "subset", "exact"],
    ]

    /// Throws for unsupported keys and modes of a value.
    func checkKeys(_ type: String, _ node: YAMLNode) throws(Problem) {
        guard let keys = Self.valueKeys[type], let table = node["value"] else { return }
        for (key, value) in table.members {
            guard keys.contains(key) else {
                throw value.error(
                    "\(key) in the value of \(type) is not supported", "Supported: \(keys.joined(separator: ", ")).")
            }
            if key == "mode", let modes = Self.modes[type], !modes.contains(value.value?.string ?? "") {
                throw value.error("unknown mode of \(type)", "Use \(modes.joined(separator: " or ")).")
            }
        }
    }
}
