extension Jinja {
    /// The values of a call.
    struct Arguments {
        var positional: [Value] = []
        var named: [(name: String, value: Value)] = []

        init(_ positional: [Value] = [], named: [(name: String, value: Value)] = []) {
            self.positional = positional
            self.named = named
        }

        /// Returns the values in the order of the parameters; `nil` if one is missing.
        ///
        /// - Parameter required: Number of leading parameters that must be present.
        func bind(
            _ function: String, _ parameters: [String], required: Int = 0
        ) throws(ChatTemplateError) -> [Value?] {
            if positional.count > parameters.count {
                throw .failure("`\(function)` takes at most \(parameters.count) arguments, not \(positional.count).")
            }
            var values: [Value?] = positional + Array(repeating: nil, count: parameters.count - positional.count)
            for (name, value) in named {
                guard let index = parameters.firstIndex(of: name) else {
                    throw .failure("`\(function)` has no parameter `\(name)`.")
                }
                if values[index] != nil { throw .failure("duplicate argument `\(name)` of `\(function)`.") }
                values[index] = value
            }
            for (parameter, value) in zip(parameters, values).prefix(required) where value == nil {
                throw .failure("`\(function)` needs `\(parameter)`.")
            }
            return values
        }

        /// Refuses arguments where none are taken.
        func none(_ function: String) throws(ChatTemplateError) { _ = try bind(function, []) }
    }
}

extension Jinja.Value {
    /// An integer, where Python would take nothing else.
    func integer(_ what: String) throws(ChatTemplateError) -> Int {
        guard let index else { throw .failure("\(what) must be an integer, not \(typePhrase).") }
        return index
    }

    /// A text, where Python would take nothing else.
    func text(_ what: String) throws(ChatTemplateError) -> Jinja.Text {
        if let text { return text }
        throw .failure(undefinedReason ?? "\(what) must be a string, not \(typePhrase).")
    }

    /// Returns a count for a text method; `nil` and negative numbers mean no limit.
    static func count(_ value: Jinja.Value?, _ what: String) throws(ChatTemplateError) -> Int {
        guard let value, !value.isNone else { return .max }
        let count = try value.integer(what)
        return count < 0 ? .max : count
    }
}
