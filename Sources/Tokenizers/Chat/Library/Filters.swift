internal import Glibc
internal import LanguageModels

extension Jinja {
    typealias Filter = @Sendable (Value, Arguments, Evaluator) throws(ChatTemplateError) -> Value

    /// All filters by their names.
    static let filters: [String: Filter] = {
        var all = textFilters.merging(sequenceFilters) { first, _ in first }
        all.merge(selectionFilters) { first, _ in first }
        all.merge(valueFilters) { first, _ in first }
        all["regex_replace"] = regexReplace
        let aliases = ["d": "default", "e": "escape", "count": "length"]
        for (alias, name) in aliases { all[alias] = all[name] }
        return all
    }()

    /// Filters of single values.
    private static let valueFilters: [String: Filter] = [
        "default": { value, arguments, _ throws(ChatTemplateError) in
            let parts = try arguments.bind("default", ["default_value", "boolean"])
            let replaces = value.isUndefined || parts[1]?.isTrue == true && !value.isTrue
            return replaces ? parts[0] ?? .text("") : value
        },
        "tojson": { value, arguments, evaluator throws(ChatTemplateError) in
            let parts = try arguments.bind("tojson", ["ensure_ascii", "indent", "separators", "sort_keys"])
            try evaluator.charge(value.extent.size)
            let indent = parts[1].flatMap { $0.isNone ? nil : $0 }
            var json = JSONText(evaluator, isIndented: indent != nil)
            json.ensuresASCII = parts[0]?.isTrue ?? false
            json.sortsKeys = parts[3]?.isTrue ?? false
            if let text = indent?.text {
                json.indent = text
            } else if let indent {
                let width = max(0, try indent.integer("the indent"))
                try evaluator.allow(bytes: width)
                json.indent = Text(Array(repeating: 0x20, count: width))
            }
            if let separators = parts[2], !separators.isNone {
                guard let pair = separators.elements, pair.count == 2 else {
                    throw .failure("`separators` must be two strings.")
                }
                json.itemSeparator = try pair[0].text("a separator")
                json.keySeparator = try pair[1].text("a separator")
            }
            try json.write(value)
            return try evaluator.made(json.output)
        },
        "string": { value, arguments, evaluator throws(ChatTemplateError) in
            try arguments.none("string")
            return .text(try evaluator.softText(value))
        },
        "safe": { value, arguments, evaluator throws(ChatTemplateError) in
            try arguments.none("safe")
            var text = try evaluator.printed(value)
            text.isMarkup = true
            return .text(text)
        },
        "escape": { value, arguments, evaluator throws(ChatTemplateError) in
            try arguments.none("escape")
            return try evaluator.made(try evaluator.softText(value).escaped)
        },
        "forceescape": { value, arguments, evaluator throws(ChatTemplateError) in
            try arguments.none("forceescape")
            return try evaluator.made(try evaluator.printed(value).escaped)
        },
        "int": { value, arguments, _ throws(ChatTemplateError) in
            let parts = try arguments.bind("int", ["default", "base"])
            if let reason = value.undefinedReason { throw .failure(reason) }
            return try Numerals.integer(value, base: try parts[1]?.integer("the base") ?? 10) ?? parts[0] ?? .integer(0)
        },
        "float": { value, arguments, _ throws(ChatTemplateError) in
            let standard = try arguments.bind("float", ["default"])[0] ?? .number(0)
            if let reason = value.undefinedReason { throw .failure(reason) }
            return Numerals.float(value).map { .number($0) } ?? standard
        },
        "abs": { value, arguments, _ throws(ChatTemplateError) in
            try arguments.none("abs")
            if let integer = value.index, integer != .min { return .integer(abs(integer)) }
            guard let number = value.double else {
                throw .failure(value.undefinedReason ?? "\(value.typePhrase) has no absolute value.")
            }
            return .number(number.magnitude)
        },
        "round": { value, arguments, evaluator throws(ChatTemplateError) in
            let parts = try arguments.bind("round", ["precision", "method"])
            let precision = try parts[0]?.integer("the precision") ?? 0
            let method = parts[1]?.text?.string ?? "common"
            guard ["common", "ceil", "floor"].contains(method) else {
                throw .failure("the method of `round` must be common, ceil, or floor.")
            }
            guard let number = value.double else {
                throw .failure(value.undefinedReason ?? "\(value.typePhrase) cannot be rounded.")
            }
            if method == "common" { return try Numerals.rounded(value, precision) }
            let scale = pow(10, Double(precision))
            let scaled = number * scale
            guard scaled.isFinite else { throw .failure("an infinite or NaN value cannot be rounded to an integer.") }
            return .number((method == "ceil" ? scaled.rounded(.up) : scaled.rounded(.down)) / scale)
        },
        "attr": { value, arguments, evaluator throws(ChatTemplateError) in
            let name = try arguments.bind("attr", ["name"], required: 1)[0]!.text("the attribute name").string
            if let reason = value.undefinedReason { throw .failure(reason) }
            if case .dictionary = value.content, Jinja.method(name, of: value) == nil {
                return .undefined("a dictionary has no attribute `\(name)`.")
            }
            return try evaluator.attribute(name, of: value)
        },
    ]
}
