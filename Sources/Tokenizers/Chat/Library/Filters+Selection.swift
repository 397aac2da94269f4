internal import LanguageModels

extension Jinja {
    /// Filters that apply a filter or test to every element.
    static let selectionFilters: [String: Filter] = [
        "map": { value, arguments, evaluator throws(ChatTemplateError) in
            lazy(value, evaluator) { elements throws(ChatTemplateError) in
                if elements.isEmpty { return [] }
                let function = try mapping(arguments, evaluator)
                var results: [Value] = []
                for element in elements { results.append(try function(element)) }
                return results
            }
        },
        "select": selection(keeps: true, byAttribute: false),
        "reject": selection(keeps: false, byAttribute: false),
        "selectattr": selection(keeps: true, byAttribute: true),
        "rejectattr": selection(keeps: false, byAttribute: true),
    ]

    /// What `map` does to an element: it takes an attribute, or applies a filter.
    private static func mapping(
        _ arguments: Arguments, _ evaluator: Evaluator
    ) throws(ChatTemplateError) -> (Value) throws(ChatTemplateError) -> Value {
        if arguments.positional.isEmpty, arguments.named.contains(where: { $0.name == "attribute" }) {
            let parts = try arguments.bind("map", ["attribute", "default"])
            let standard = parts[1].flatMap { $0.isNone ? nil : $0 }
            return { element throws(ChatTemplateError) in
                try evaluator.attribute(path: parts[0], of: element, standard: standard)
            }
        }
        guard let name = arguments.positional.first else { throw .failure("`map` needs a filter or an attribute.") }
        let filter = try name.text("the filter name").string
        let rest = Arguments(Array(arguments.positional.dropFirst()), named: arguments.named)
        return { element throws(ChatTemplateError) in try evaluator.apply(filter: filter, to: element, rest) }
    }

    private static func selection(keeps: Bool, byAttribute: Bool) -> Filter {
        { value, arguments, evaluator throws(ChatTemplateError) in
            lazy(value, evaluator) { elements throws(ChatTemplateError) in
                if elements.isEmpty { return [] }
                var positional = arguments.positional[...]
                let path = byAttribute ? positional.popFirst() : nil
                if byAttribute, path == nil { throw .failure("an attribute name is missing.") }
                let test = try positional.popFirst()?.text("the test name").string
                let rest = Arguments(Array(positional), named: arguments.named)
                var kept: [Value] = []
                for element in elements {
                    let subject = try evaluator.attribute(path: path, of: element)
                    let passes = try test.map { name throws(ChatTemplateError) in
                        try evaluator.apply(test: name, to: subject, rest)
                    }
                    if (passes ?? subject.isTrue) == keeps { kept.append(element) }
                }
                return kept
            }
        }
    }
}
