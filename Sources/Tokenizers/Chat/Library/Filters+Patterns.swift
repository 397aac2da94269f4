internal import LanguageModels

extension Jinja {
    /// `regex_replace(pattern, repl, count=0)` of the evaluation harness: Python's `re.sub`.
    static let regexReplace: Filter = { value, arguments, evaluator throws(ChatTemplateError) in
        let parts = try arguments.bind("regex_replace", ["pattern", "repl", "count"], required: 2)
        let source = try parts[0]!.text("a pattern").string
        let replacement = try parts[1]!.text("a replacement").string
        let count = try parts[2]?.integer("a count") ?? 0
        let text = try evaluator.softText(value)
        try evaluator.charge(16 * text.count)
        guard let pattern = TextPattern(source) else {
            throw .failure("`\(source)` is not a valid regular expression.")
        }
        guard
            let replaced = try? pattern.replacing(
                in: text.string, with: replacement, count: count <= 0 ? .max : count)
        else { throw .failure("`\(source)` takes too long on this text.") }
        return try evaluator.made(Text(replaced, value.origin))
    }
}
