internal import LanguageModels

extension Jinja {
    /// A filter without arguments that gives a text.
    private static func plain(_ name: String, _ body: @escaping @Sendable (Text) -> Text) -> Filter {
        { value, arguments, evaluator throws(ChatTemplateError) in
            try arguments.none(name)
            return try evaluator.made(body(try evaluator.softText(value)))
        }
    }

    /// Filters of texts.
    static let textFilters: [String: Filter] = [
        "upper": plain("upper") { $0.uppercased },
        "lower": plain("lower") { $0.lowercased },
        "capitalize": plain("capitalize") { $0.capitalized },
        "title": plain("title") { $0.headlined },
        "trim": { value, arguments, evaluator throws(ChatTemplateError) in
            let characters = try arguments.bind("trim", ["chars"])[0].flatMap { $0.isNone ? nil : $0 }
            let text = try evaluator.softText(value)
            return try evaluator.made(text.stripped(.both, try characters?.text("`chars`")))
        },
        "replace": { value, arguments, evaluator throws(ChatTemplateError) in
            let parts = try arguments.bind("replace", ["old", "new", "count"], required: 2)
            return try evaluator.replace(
                try evaluator.printed(value), try evaluator.printed(parts[0]!), try evaluator.printed(parts[1]!),
                limit: try Value.count(parts[2], "the count"))
        },
        "format": { value, arguments, evaluator throws(ChatTemplateError) in
            if !arguments.positional.isEmpty, !arguments.named.isEmpty {
                throw .failure("`format` takes positional or named values, not both.")
            }
            let values =
                try arguments.named.isEmpty
                ? evaluator.tuple(arguments.positional)
                : evaluator.dictionary(arguments.named.map { (.text($0.name), $0.value) })
            return try evaluator.made(try evaluator.percentFormat(try evaluator.softText(value), values))
        },
        "indent": { value, arguments, evaluator throws(ChatTemplateError) in
            let parts = try arguments.bind("indent", ["width", "first", "blank"])
            var indent = parts[0]?.text
            if indent == nil {
                let width = max(0, try parts[0]?.integer("the width") ?? 4)
                try evaluator.allow(bytes: width)
                indent = Text(Array(repeating: 0x20, count: width))
            }
            return try evaluator.indent(
                try value.text("the value of `indent`"), by: indent!, first: parts[1]?.isTrue ?? false,
                blank: parts[2]?.isTrue ?? false)
        },
        "center": { value, arguments, evaluator throws(ChatTemplateError) in
            let width = try arguments.bind("center", ["width"])[0] ?? .integer(80)
            let text = Value.text(try evaluator.softText(value))
            guard let center = textMethods["center"] else { return text }
            return try center(text, Arguments([width]), evaluator)
        },
        "truncate": { value, arguments, evaluator throws(ChatTemplateError) in
            let parts = try arguments.bind("truncate", ["length", "killwords", "end", "leeway"])
            let text = try value.text("the value of `truncate`")
            let length = try parts[0]?.integer("the length") ?? 255
            let end = try parts[2]?.text("the end") ?? Text("...")
            let leeway = try parts[3].flatMap { $0.isNone ? nil : $0 }?.integer("the leeway") ?? 5
            if length < end.length { throw .failure("`truncate` needs a length of at least \(end.length).") }
            if leeway < 0 { throw .failure("the leeway must not be negative.") }
            let boundaries = text.boundaries
            if boundaries.count - 1 - leeway <= length { return value }
            var start = text.slice(0..<boundaries[min(length - end.length, boundaries.count - 1)])
            if parts[1]?.isTrue != true, let space = start.findLast(Text(" ")) { start = start.slice(0..<space) }
            start.append(end)
            return try evaluator.made(start)
        },
        "wordcount": { value, arguments, evaluator throws(ChatTemplateError) in
            try arguments.none("wordcount")
            var count = 0
            var inWord = false
            for (scalar, _) in try evaluator.softText(value).scalars {
                let isWord = scalar.isLetter || scalar == "_" || scalar.properties.numericType != nil
                if isWord, !inWord { count += 1 }
                inWord = isWord
            }
            return .integer(count)
        },
        "join": { value, arguments, evaluator throws(ChatTemplateError) in
            let parts = try arguments.bind("join", ["d", "attribute"])
            let separator =
                try parts[0].map { value throws(ChatTemplateError) in try evaluator.printed(value) } ?? Text()
            var texts: [Text] = []
            for element in try evaluator.elements(of: value) {
                let element = try evaluator.attribute(path: parts[1], of: element)
                texts.append(try evaluator.printed(element))
            }
            return try evaluator.join(texts, separator)
        },
    ]
}

extension Jinja.Evaluator {
    /// A text with occurrences of another replaced, as long as the result is not too long.
    func replace(_ text: Text, _ old: Text, _ new: Text, limit: Int) throws(ChatTemplateError) -> Value {
        if new.count > old.count {
            try charge(2 * text.count)
            let count = min(text.occurrences(of: old), limit)
            let (growth, overflow) = count.multipliedReportingOverflow(by: new.count - old.count)
            try allow(bytes: overflow ? .max : text.count + growth)
        }
        return try made(text.replacing(old, new, limit: limit))
    }

    /// Texts with a separator between them, as long as the result is not too long.
    func join(_ parts: [Text], _ separator: Text) throws(ChatTemplateError) -> Value {
        var bytes = 0
        for part in parts {
            bytes += part.count + separator.count
            if bytes - separator.count > limits.textBytes { break }
        }
        try allow(bytes: max(0, bytes - separator.count))
        return try made(separator.joining(parts))
    }

    /// Lines after the first one indented; the first too, and empty ones, where asked for.
    func indent(_ text: Text, by indent: Text, first: Bool, blank: Bool) throws(ChatTemplateError) -> Value {
        var withEnd = text
        withEnd.append("\n", .template)
        let lines = withEnd.lines()
        let (added, overflow) = indent.count.multipliedReportingOverflow(by: lines.count)
        try allow(bytes: overflow ? .max : text.count + lines.count + added)
        var result = text.slice(0..<0)
        if first { result.append(indent) }
        for (position, line) in lines.enumerated() {
            if position > 0 {
                result.append("\n", text.origin(at: max(0, text.count - 1)))
                if blank || !line.isEmpty { result.append(indent) }
            }
            result.append(line)
        }
        return try made(result)
    }

    /// Returns the value at a dotted path; the value itself if the path is empty.
    func attribute(path: Value?, of value: Value, standard: Value? = nil) throws(ChatTemplateError) -> Value {
        guard let path, !path.isNone else { return value }
        guard let text = path.text else { return try item(path, of: value) }
        var result = value
        for part in text.split(by: Text("."), limit: .max) {
            let isNumber = part.all { $0.properties.numericType == .decimal }
            let key = isNumber ? Value.integer(Int(part.string) ?? .max) : .text(part)
            result = try item(key, of: result)
            if let standard, result.isUndefined { result = standard }
        }
        return result
    }
}
